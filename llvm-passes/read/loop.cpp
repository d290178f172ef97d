// loop.cpp - reads a nest of IR loops as a loop model: trip counts, accesses, live-outs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop has one exit edge, from block E. Blocks up to E run once more than the back edge is taken,
// blocks after E as often as it is:
//
//   rotated (E is the latch):     body; if (again) goto body      taken + 1
//   not rotated (-Oz; E on top):  if (!again) break; body         taken
//
// All accesses have to be on one side, or there is no trip count for them. Several exits: see
// exits.cpp.
#include "read/assumed.h"
#include "read/body.h"
#include "read/bounds.h"
#include "read/carried.h"
#include "read/exits.h"
#include "read/likely.h"
#include "read/ring.h"
#include "read/search.h"
#include "read/chain.h"
#include "recognize/recognize.h"

#include "cycles.h"
#include "prove/alias.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

#include <optional>

using namespace llvm;

namespace memlift {

namespace {

/// Returns the side of the exit test on which the relevant blocks are: those with accesses, and for
/// an outer loop the inner one.
Side sideOf(Env &env, const LoopBinding &binding, llvm::Loop &loop, const llvm::Loop *inner) {
  const BasicBlock *exiting = loop.getExitingBlock();
  if (exiting == loop.getLoopLatch())
    return Side::UpToExit;
  Side side = Side::None;
  for (BasicBlock *block : loop.blocks()) {
    bool matters = inner && inner->contains(block);
    for (Instruction &i : *block)
      matters |= !inner && i.mayReadOrWriteMemory() && !i.isDebugOrPseudoInst() &&
                 !binding.fixedLoads.count(&i);
    if (!matters)
      continue;
    Side here = Side::Mixed;
    if (env.dt.dominates(block, exiting))
      here = Side::UpToExit;
    else if (env.dt.dominates(exiting, block))
      here = Side::AfterExit;
    side = side == Side::None || side == here ? here : Side::Mixed;
  }
  return side == Side::None ? Side::UpToExit : side;
}

class NestReader {
public:
  NestReader(Env &env, ArrayRef<llvm::Loop *> nest, LoopBinding &binding)
      : env(env), binding(binding), r(env, binding), nest(nest.vec()) {
    if (nest.size() == 1)
      r.assumed = &assumed.emplace(env, *nest.front());
  }
  void read();

private:
  bool hasForm(llvm::Loop &loop);
  void dimension(llvm::Loop &loop, const llvm::Loop *inner);
  void dimensionOfSeveral(llvm::Loop &loop);
  const SCEV *taken(llvm::Loop &loop);
  bool mayHaveRings(llvm::Loop &loop) const;
  Rings &ringsOf(llvm::Loop &loop);
  void unknownTrip(llvm::Loop &loop);
  void guards();
  void findRings();
  void declareCarried();
  void readCarried();
  int carriedAs(const PHINode &phi) const;
  int lastReadAs(const PHINode &phi);
  bool isKnownBefore(const SCEV *final);
  const SCEV *finalValue(Value *v);
  const SCEV *finalValue(PHINode &phi);
  bool exitsJoin();
  bool isFlag(const Carried &c) const;
  ExprId comparedIn(const ICmpInst &compare, const SCEV *round);
  ExprId flagAtExit(Value *v);
  void liveOutsApart();
  void liveOuts();

  Env &env;
  LoopBinding &binding;
  Reader r;
  std::vector<llvm::Loop *> nest;
  std::optional<Assumed> assumed;
  std::optional<Rings> rings;
  std::optional<SeveralExits> several; // set if there are several
  size_t before = 0;                   // how many of them are tested before all accesses
  std::vector<Side> sides;             // as nest
  std::vector<Carried> carried;        // as binding.loop.recs
};

bool NestReader::hasForm(llvm::Loop &loop) {
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  DebugLoc loc = loop.getStartLoc();
  if (exiting.empty()) {
    r.obstacle(Diag::TripCountUnknown, "the loop never ends", loc);
    return false;
  }
  if (exiting.size() > 1 || !loop.getExitBlock()) {
    r.obstacle(Diag::SeveralExits, "the loop has " + Twine(exiting.size()) + " exits", loc);
    return false;
  }
  if (!isa<BranchInst>(exiting[0]->getTerminator()) || !loop.getLoopLatch()) {
    r.obstacle(Diag::NotInnermostForm, "the loop is left by no plain branch", loc);
    return false;
  }
  return true;
}

/// Adds an obstacle: an unknown trip count, or a counter that may wrap if the count is known under
/// such assumptions only.
void NestReader::unknownTrip(llvm::Loop &loop) {
  SmallVector<const SCEVPredicate *, 4> predicates;
  const SCEV *s = env.se.getPredicatedBackedgeTakenCount(&loop, predicates);
  if (isa<SCEVCouldNotCompute>(s))
    r.obstacle(Diag::TripCountUnknown, "the number of iterations is not known before the loop",
               loop.getStartLoc());
  else
    r.obstacle(Diag::IndexMayWrap, "the counter may wrap before the bound", loop.getStartLoc());
}

/// Returns how often the back edge is taken.
const SCEV *NestReader::taken(llvm::Loop &loop) {
  const SCEV *s = env.se.getBackedgeTakenCount(&loop);
  if (!isa<SCEVCouldNotCompute>(s) || !assumed)
    return s;
  const SCEV *even = assumed->taken();
  if (BasicBlock *exiting = loop.getExitingBlock(); !even && exiting && mayHaveRings(loop)) {
    even = ringsOf(loop).countOf(*exiting);
    assumed->setTaken(even);
  }
  return even ? even : s;
}

/// Returns whether the loop is one whose indices of rings are looked for.
bool NestReader::mayHaveRings(llvm::Loop &loop) const {
  return nest.size() == 1 && !binding.chain && loop.getLoopLatch() &&
         !env.f.hasFnAttribute(StreamAttribute);
}

Rings &NestReader::ringsOf(llvm::Loop &loop) { return rings ? *rings : rings.emplace(r, loop); }

/// Adds the dimension of a loop with several exits. Its accesses have to be between the same two.
void NestReader::dimensionOfSeveral(llvm::Loop &loop) {
  Dim dim;
  std::optional<size_t> place;
  bool mixed = false;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block)
      if (i.mayReadOrWriteMemory() && !i.isDebugOrPseudoInst() && !binding.fixedLoads.count(&i)) {
        size_t here = several->before(*block);
        mixed |= place && *place != here;
        place = here;
      }
  before = place.value_or(0);
  sides.push_back(before == several->count() ? Side::AfterExit : Side::UpToExit);
  if (mixed)
    r.obstacle(Diag::NotInnermostForm, "accesses stand before and after an exit test",
               loop.getStartLoc());
  else
    dim.trip = r.expr(several->iterations(before));
  dim.nonzero = several->runsAtOnce(before);
  if (auto *max = dyn_cast<SCEVConstant>(env.se.getConstantMaxBackedgeTakenCount(&loop)))
    if (max->getAPInt().getActiveBits() < 63)
      dim.maxTrip = max->getAPInt().getZExtValue() + (before != several->count());
  if (dim.trip == NoExpr && !mixed)
    r.obstacle(Diag::TripCountUnknown,
               "the number of iterations cannot be computed before the loop", loop.getStartLoc());
  binding.loop.dims.push_back(dim);
}

void NestReader::dimension(llvm::Loop &loop, const llvm::Loop *inner) {
  auto inRing = [&](const BasicBlock &exiting) {
    return mayHaveRings(loop) ? ringsOf(loop).countOf(exiting) : nullptr;
  };
  if (nest.size() == 1 && !loop.getExitingBlock() && several.emplace(env, loop).find(inRing))
    return dimensionOfSeveral(loop);
  several.reset();
  Dim dim;
  const SCEV *taken = this->taken(loop);
  Type *word = IntegerType::get(env.f.getContext(), r.ptrBits);
  Side side = hasForm(loop) ? sideOf(env, binding, loop, inner) : Side::None;
  sides.push_back(side);
  if (side == Side::Mixed)
    r.obstacle(Diag::NotInnermostForm, "accesses stand before and after the exit test",
               loop.getStartLoc());
  else if (side != Side::None && isa<SCEVCouldNotCompute>(taken))
    unknownTrip(loop);
  else if (side != Side::None && env.se.getTypeSizeInBits(taken->getType()) <= r.ptrBits) {
    bool after = side == Side::AfterExit;
    const SCEV *trip = after ? env.se.getNoopOrZeroExtend(taken, word)
                             : env.se.getTripCountFromExitCount(taken, word, &loop);
    dim.trip = r.expr(trip);
    if (!isa<SCEVConstant>(trip))
      dim.likelyMost = likelyMost(env.se, trip);
    dim.nonzero = !after || env.se.isLoopEntryGuardedByCond(&loop, CmpInst::ICMP_NE, taken,
                                                            env.se.getZero(taken->getType()));
    if (auto *max = dyn_cast<SCEVConstant>(env.se.getConstantMaxBackedgeTakenCount(&loop)))
      if (max->getAPInt().getActiveBits() < 63)
        dim.maxTrip = max->getAPInt().getZExtValue() + !after;
    uint64_t most = mostTaken(env.se, loop, taken);
    if (most && (!dim.maxTrip || most < dim.maxTrip))
      dim.maxTrip = most + !after;
  }
  if (dim.trip == NoExpr && side != Side::None && side != Side::Mixed &&
      !isa<SCEVCouldNotCompute>(taken))
    r.obstacle(Diag::TripCountUnknown,
               "the number of iterations cannot be computed before the loop", loop.getStartLoc());
  binding.loop.dims.push_back(dim);
}

/// Reads the guards: an inner loop under an invariant condition runs in all iterations or in none.
/// The outermost trip count is then zero.
void NestReader::guards() {
  Dim &outermost = binding.loop.dims.front();
  for (size_t i = 0; i + 1 < nest.size(); ++i) {
    InnerGuard guard;
    if (!innerGuard(env, *nest[i], *nest[i + 1], guard)) {
      r.obstacle(Diag::NotInnermostForm, "the inner loop is not always reached",
                 nest[i]->getStartLoc());
      continue;
    }
    if (!guard.condition || outermost.trip == NoExpr)
      continue;
    ExprId condition = r.value(guard.condition);
    if (!r.graph.isInvariant(condition)) {
      r.obstacle(Diag::ConditionalAccess, "the inner loop runs under a condition",
                 nest[i]->getStartLoc());
      continue;
    }
    ExprId zero = r.graph.constant(0, r.ptrBits);
    outermost.trip = guard.runsIf ? r.graph.select(condition, outermost.trip, zero)
                                  : r.graph.select(condition, zero, outermost.trip);
    outermost.nonzero = false;
  }
}

/// Finds the indices of rings, which are no recurrences.
void NestReader::findRings() {
  llvm::Loop &loop = *nest.front();
  if (!mayHaveRings(loop))
    return;
  // The indices of a loop that is not counted are read for its remark only.
  const SCEV *count = several ? several->taken() : taken(loop);
  bool counts = binding.loop.dims.back().trip != NoExpr;
  if (ringsOf(loop).count(count) || !counts)
    r.rings = &*rings;
}

/// Declares the recurrences before the body is read, so that its values can name them.
void NestReader::declareCarried() {
  findRings();
  carried = carriedScalars(env, nest, sides);
  if (rings)
    erase_if(carried, [&](const Carried &c) { return rings->has(*c.phis.back()); });
  if (several)
    erase_if(carried, [&](const Carried &c) { return isFlag(c); });
  for (uint32_t k = 0; k < carried.size(); ++k)
    for (PHINode *phi : carried[k].phis)
      r.setRecurrence(phi, k);
}

/// Reads the recurrences after the body, when every load has its number.
void NestReader::readCarried() {
  for (const Carried &c : carried) {
    PHINode *phi = c.phis.back();
    std::string name = r.nameOf(*phi, "r", binding.loop.recs.size());
    binding.loop.recs.push_back(
        {name, phi->getType()->getIntegerBitWidth(), r.startValue(c.init), r.value(c.next)});
  }
}

/// Returns the recurrence whose last value a phi after the nest has, or -1.
int NestReader::carriedAs(const PHINode &phi) const {
  for (size_t k = 0; k < carried.size(); ++k)
    if (several ? several->leaves(phi, before, carried[k].phis.back(), carried[k].next)
                : phi.getIncomingValueForBlock(nest.front()->getExitingBlock()) == carried[k].after)
      return int(k);
  return -1;
}

/// Adds a recurrence for a value of the last iteration that a phi after the loop has, if it is not
/// among the carried ones. Returns its number, or -1.
int NestReader::lastReadAs(const PHINode &phi) {
  if (several || nest.size() != 1 || binding.chain || binding.loop.recs.empty() ||
      !phi.getType()->isIntegerTy() || phi.getType()->getIntegerBitWidth() > 64 ||
      nest.front()->getExitingBlock() != nest.front()->getLoopLatch())
    return -1;
  ExprId last = r.value(phi.getIncomingValueForBlock(nest.front()->getLoopLatch()));
  if (last == NoExpr || !readAtLast(binding.loop, last))
    return -1;
  unsigned width = r.graph.width(last);
  binding.loop.recs.push_back({"last", width, r.graph.constant(0, width), last});
  return int(binding.loop.recs.size()) - 1;
}

bool NestReader::isKnownBefore(const SCEV *final) {
  SCEVExpander expander(compat::expanderOf<SCEVExpander>(env.se, env.dl));
  return !isa<SCEVCouldNotCompute>(final) && env.se.isLoopInvariant(final, nest.front()) &&
         (binding.chain || expander.isSafeToExpandAt(final, binding.at));
}

/// Returns the value of `v` after the nest, or null if that is not known before it.
const SCEV *NestReader::finalValue(Value *v) {
  llvm::Loop &loop = *nest.front();
  // A pointer that is counted as an integer: see integers.cpp.
  if (auto *cast = dyn_cast<IntToPtrInst>(v); cast && loop.contains(cast))
    v = cast->getOperand(0);
  if (auto copy = binding.fixedLoads.find(dyn_cast<Instruction>(v));
      copy != binding.fixedLoads.end())
    v = copy->second;
  if (!env.se.isSCEVable(v->getType()))
    return nullptr;
  const SCEV *final = env.se.getSCEVAtScope(v, loop.getParentLoop());
  if (isKnownBefore(final))
    return final;
  final = assumed ? assumed->atExit(v) : nullptr;
  return final && isKnownBefore(final) ? final : nullptr;
}

const SCEV *NestReader::finalValue(PHINode &phi) {
  if (!several)
    return finalValue(phi.getIncomingValueForBlock(nest.front()->getExitingBlock()));
  const SCEV *final = several->leaves(phi, before, binding.fixedLoads);
  return final && isKnownBefore(final) ? final : nullptr;
}

/// Returns whether the carried scalar is a comparison of a counter with a bound, used only after
/// the loop, where it tells which exit was taken.
bool NestReader::isFlag(const Carried &c) const {
  const llvm::Loop &loop = *nest.front();
  const auto *compare = dyn_cast<ICmpInst>(c.next);
  auto isCounter = [&](Value *v) {
    const auto *rec =
        env.se.isSCEVable(v->getType()) ? dyn_cast<SCEVAddRecExpr>(env.se.getSCEV(v)) : nullptr;
    return loop.isLoopInvariant(v) || (rec && rec->isAffine() && rec->getLoop() == &loop);
  };
  return compare && isCounter(compare->getOperand(0)) && isCounter(compare->getOperand(1)) &&
         all_of(c.phis.back()->users(),
                [&](const User *user) { return !loop.contains(cast<Instruction>(user)); });
}

/// Returns the comparison's result in iteration `round`, counted from 0.
ExprId NestReader::comparedIn(const ICmpInst &compare, const SCEV *round) {
  ExprId sides[2];
  for (unsigned i = 0; i < 2; ++i) {
    Value *v = compare.getOperand(i);
    const SCEV *s = env.se.isSCEVable(v->getType()) ? env.se.getSCEV(v) : nullptr;
    const auto *rec = dyn_cast_or_null<SCEVAddRecExpr>(s);
    if (rec && rec->isAffine() && rec->getLoop() == nest.front())
      s = rec->evaluateAtIteration(round, env.se);
    sides[i] = s && isKnownBefore(s) ? r.expr(s) : NoExpr;
    if (sides[i] == NoExpr)
      return NoExpr;
  }
  return r.compared(compare.getPredicate(), sides[0], sides[1]);
}

/// Returns the result of a comparison, or of the phi that carries it, when the loop is left.
ExprId NestReader::flagAtExit(Value *v) {
  const SCEV *taken = several->taken();
  if (const auto *compare = dyn_cast<ICmpInst>(v))
    return comparedIn(*compare, taken);
  auto *phi = dyn_cast<PHINode>(v);
  llvm::Loop &loop = *nest.front();
  if (!phi || phi->getParent() != loop.getHeader() || !phi->getType()->isIntegerTy(1))
    return NoExpr;
  const auto *next = dyn_cast<ICmpInst>(phi->getIncomingValueForBlock(loop.getLoopLatch()));
  ExprId iterations = r.expr(taken);
  const SCEV *before = env.se.getMinusSCEV(taken, env.se.getOne(taken->getType()));
  ExprId last = next && iterations != NoExpr ? comparedIn(*next, before) : NoExpr;
  if (last == NoExpr)
    return NoExpr;
  ExprId none = r.graph.binary(Op::Eq, iterations, r.graph.constant(0, r.graph.width(iterations)));
  return r.graph.select(none, r.startValue(phi->getIncomingValueForBlock(loop.getLoopPreheader())),
                        last);
}

/// Returns whether all exits lead to one block, and leave one value to each of its phis.
bool NestReader::exitsJoin() {
  BasicBlock *exit = nest.front()->getUniqueExitBlock();
  return exit && all_of(exit->phis(), [&](PHINode &phi) {
           return all_equal(phi.incoming_values()) || carriedAs(phi) >= 0 || finalValue(phi);
         });
}

/// Describes the values used after each of several exits that are distinguished.
void NestReader::liveOutsApart() {
  llvm::Loop &loop = *nest.front();
  const SCEV *taken = several->taken();
  ExprId iterations = r.expr(taken);
  for (size_t k = 0; k < several->count(); ++k) {
    BasicBlock *from = several->from()[k];
    ExprId count = r.expr(several->count(k));
    if (k + 1 < several->count())
      binding.exits.isLeft.push_back(count == NoExpr || iterations == NoExpr
                                         ? NoExpr
                                         : r.graph.binary(Op::Eq, count, iterations));
    auto *branch = cast<BranchInst>(from->getTerminator());
    for (PHINode &phi : branch->getSuccessor(loop.contains(branch->getSuccessor(0)))->phis()) {
      Value *v = phi.getIncomingValueForBlock(from);
      if (loop.isLoopInvariant(v))
        continue;
      const SCEV *final = finalValue(v);
      ExprId flag = final ? NoExpr : flagAtExit(v);
      if (!final && flag == NoExpr && rings)
        flag = rings->atExit(v);
      bool known = final || (flag != NoExpr && r.graph.isInvariant(flag));
      int rec = -1;
      for (size_t c = 0; !known && c < carried.size(); ++c)
        if (v == (k < before ? carried[c].phis.back() : carried[c].next))
          rec = int(c);
      binding.liveOuts.push_back({&phi, final, k, known ? flag : NoExpr});
      binding.loop.liveOuts.push_back({"v" + std::to_string(binding.liveOuts.size()), known, rec,
                                       known ? ~uint64_t(0) : usedBits(phi)});
    }
  }
  binding.exits.from = several->from();
  if (binding.chain || is_contained(binding.exits.isLeft, NoExpr))
    r.obstacle(Diag::SeveralExits, "later code depends on which exit was taken",
               loop.getStartLoc());
}

void NestReader::liveOuts() {
  llvm::Loop &loop = *nest.front();
  BasicBlock *exit = loop.getUniqueExitBlock();
  if (several && !exitsJoin())
    return liveOutsApart();
  if (!exit || (!several && !loop.getExitingBlock()))
    return;
  for (PHINode &phi : exit->phis()) {
    Value *v = phi.getIncomingValue(0);
    if (loop.isLoopInvariant(v) &&
        all_of(phi.incoming_values(), [&](const Use &use) { return use.get() == v; }))
      continue;
    const SCEV *final = finalValue(phi);
    ExprId known = !final && rings ? rings->atExit(v) : NoExpr;
    bool rebuilt = final || known != NoExpr;
    binding.liveOuts.push_back({&phi, final, 0, known});
    std::string name = r.nameOf(*v, "v", binding.liveOuts.size());
    int rec = rebuilt ? -1 : carriedAs(phi);
    if (!rebuilt && rec < 0)
      rec = lastReadAs(phi);
    binding.loop.liveOuts.push_back({name, rebuilt, rec, rebuilt ? ~uint64_t(0) : usedBits(phi)});
  }
}

void NestReader::read() {
  llvm::Loop &outer = *nest.front(), &inner = *nest.back();
  binding.nest = nest;
  binding.loc = outer.getStartLoc();
  binding.loop.loc = sourceLoc(binding.loc);
  binding.loop.origin = Origin::Loop;
  BasicBlock *preheader = outer.getLoopPreheader();
  if (!preheader || !outer.isLoopSimplifyForm()) {
    r.obstacle(Diag::NotInnermostForm, EnteredInSeveralPlaces, binding.loc);
    return;
  }
  binding.at = (binding.chain ? binding.chain->entry : preheader)->getTerminator();
  for (size_t i = 0; i < nest.size(); ++i)
    dimension(*nest[i], i + 1 < nest.size() ? nest[i + 1] : nullptr);
  if (r.mayStop())
    return;
  declareCarried();
  guards();
  BodyReader(r).body(inner);
  if (r.mayStop())
    return;
  readCarried();
  liveOuts();
  if (assumed && binding.loop.dims.back().trip != NoExpr && !assumed->addTo(r))
    r.obstacle(Diag::IndexMayWrap, "the counter may wrap before the bound", binding.loc);
  dropCertain(binding.loop);
  if (rings)
    rings->addTo();
  proveAliases(env, binding);
}

} // namespace

void readNest(Env &env, ArrayRef<llvm::Loop *> nest, LoopBinding &binding) {
  NestReader(env, nest, binding).read();
}

} // namespace memlift
