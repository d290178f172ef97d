// search.cpp - reads a loop that ends at what it reads: its counted exits, its loads and tests
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (; n && *p != c; p++, n--) ;      header: if (n == 0) leave      counted: n iterations
//                                         body:   if (*p == c) leave     a test of what is read
//
// The exits that have a count give the trip count: for how many iterations the loop is not left at
// any of them. The others become conditions over loads. The writer enters the loop at a later
// iteration. So phis of the header are counters, or have what the last iteration loaded, which is
// loaded again then. Those that nothing in the loop uses are computed anew in one more iteration.
// Any others are recurrences.
#include "read/search.h"

#include "prove/alias.h"
#include "read/body.h"
#include "read/exits.h"

#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace memlift {
namespace {

constexpr unsigned maxSearchExits = 8, maxSearchBlocks = 16, maxSearchLinks = 12;

/// Returns whether a load of the loop is among the operands of `v`, directly or not.
bool hangsOnLoad(const llvm::Loop &loop, const Value *v, unsigned links) {
  const auto *i = dyn_cast<Instruction>(v);
  if (!i || !loop.contains(i))
    return false;
  if (const auto *phi = dyn_cast<PHINode>(i)) // what the last iteration has loaded
    return i->getParent() == loop.getHeader() && loop.getLoopLatch() &&
           isa<LoadInst>(phi->getIncomingValueForBlock(loop.getLoopLatch()));
  return isa<LoadInst>(i) || (links && any_of(i->operands(), [&](const Use &use) {
                                return hangsOnLoad(loop, use.get(), links - 1);
                              }));
}

const Value *conditionOf(const Instruction &terminator) {
  if (const auto *branch = dyn_cast<BranchInst>(&terminator))
    return branch->isConditional() ? branch->getCondition() : nullptr;
  const auto *choice = dyn_cast<SwitchInst>(&terminator);
  return choice ? choice->getCondition() : nullptr;
}

bool hasPlainAccesses(const llvm::Loop &loop) {
  return all_of(loop.blocks(), [](const BasicBlock *block) {
    return all_of(*block, [](const Instruction &i) {
      return isa<LoadInst>(i) || isa<StoreInst>(i) || i.isDebugOrPseudoInst() ||
             (!i.mayHaveSideEffects() && !i.mayReadFromMemory());
    });
  });
}

/// A condition that leaves the loop if it is `ifTrue`.
struct Test {
  BasicBlock *block;
  Value *condition; // null: the switch at the block's end
  bool ifTrue;
};

class SearchReader {
public:
  SearchReader(Env &env, llvm::Loop &loop, LoopBinding &binding)
      : env(env), loop(loop), binding(binding), r(env, binding), latch(loop.getLoopLatch()) {}
  bool read();

private:
  bool findExits();
  bool split(const Test &test, unsigned links);
  bool readPhis();
  bool counts(PHINode &phi) const;
  bool isLoaded(PHINode &phi);
  bool isUnchanged(const LoadInst &first) const;
  bool isPassedOn(const PHINode &phi) const;
  bool isCarried(PHINode &phi);
  bool readTrip();
  ExprId leaves(const Test &test);
  ExprId chosen(const SwitchInst &choice);
  uint32_t accessesBefore(const BasicBlock &exiting) const;

  Env &env;
  llvm::Loop &loop;
  LoopBinding &binding;
  Reader r;
  BasicBlock *latch;
  std::vector<Test> tested;          // of what is read, in order
  std::vector<const SCEV *> counted; // for how many iterations each other test does not leave
};

/// Splits a test into those that each leave the loop: counted ones, and tests of what is read.
bool SearchReader::split(const Test &test, unsigned links) {
  using namespace PatternMatch;
  Value *a, *b;
  bool either = test.ifTrue ? match(test.condition, m_LogicalOr(m_Value(a), m_Value(b)))
                            : match(test.condition, m_LogicalAnd(m_Value(a), m_Value(b)));
  bool reads = hangsOnLoad(loop, test.condition, maxSearchLinks);
  if (either && links && reads)
    return split({test.block, a, test.ifTrue}, links - 1) &&
           split({test.block, b, test.ifTrue}, links - 1);
  if (reads) {
    tested.push_back(test);
    return true;
  }
  counted.push_back(env.se
                        .computeExitLimitFromCond(&loop, test.condition, test.ifTrue,
                                                  /*ControlsOnlyExit=*/false)
                        .ExactNotTaken);
  return !isa<SCEVCouldNotCompute>(counted.back());
}

/// Finds the exits, in the order of their tests.
bool SearchReader::findExits() {
  SmallVector<BasicBlock *, 8> exiting;
  loop.getExitingBlocks(exiting);
  for (BasicBlock *block : exiting)
    if (!env.dt.dominates(block, latch) || !conditionOf(*block->getTerminator()))
      return false;
  sort(exiting, [&](BasicBlock *a, BasicBlock *b) { return env.dt.properlyDominates(a, b); });
  for (BasicBlock *block : exiting) {
    const auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    const SCEV *count = env.se.getExitCount(&loop, block);
    if (!isa<SCEVCouldNotCompute>(count))
      counted.push_back(count);
    else if (!branch)
      tested.push_back({block, nullptr, true});
    else if (!split({block, branch->getCondition(), !loop.contains(branch->getSuccessor(0))},
                    maxSearchLinks))
      return false;
  }
  return !tested.empty();
}

bool SearchReader::counts(PHINode &phi) const {
  if (!env.se.isSCEVable(phi.getType()))
    return false;
  const auto *rec = dyn_cast<SCEVAddRecExpr>(env.se.getSCEV(&phi));
  return rec && rec->getLoop() == &loop && rec->isAffine() &&
         isa<SCEVConstant>(rec->getStepRecurrence(env.se)) &&
         env.dl.getTypeSizeInBits(phi.getType()) <= 64;
}

/// Returns whether nothing is written between a load and the loop.
bool SearchReader::isUnchanged(const LoadInst &first) const {
  const BasicBlock *block = loop.getLoopPreheader();
  for (unsigned links = maxSearchLinks; links && block; --links) {
    bool here = block == first.getParent();
    for (const Instruction *i = here ? first.getNextNode() : &block->front(); i;
         i = i->getNextNode())
      if (i->mayWriteToMemory())
        return false;
    if (here)
      return true;
    block = block->getSinglePredecessor();
  }
  return false;
}

/// Reads c of `for (c = *p; c != x; c = *++p)` as a load that runs one element behind.
bool SearchReader::isLoaded(PHINode &phi) {
  auto *again = dyn_cast<LoadInst>(phi.getIncomingValueForBlock(latch));
  auto *first = dyn_cast<LoadInst>(phi.getIncomingValueForBlock(loop.getLoopPreheader()));
  if (!again || !first || !loop.contains(again) || !again->isSimple() || !first->isSimple() ||
      !phi.getType()->isIntegerTy() || !env.dt.dominates(again->getParent(), latch) ||
      !isUnchanged(*first))
    return false;
  const auto *rec = dyn_cast<SCEVAddRecExpr>(env.se.getSCEV(again->getPointerOperand()));
  if (!rec || rec->getLoop() != &loop || !rec->isAffine() ||
      env.se.getMinusSCEV(rec->getStart(), rec->getStepRecurrence(env.se)) !=
          env.se.getSCEV(first->getPointerOperand()))
    return false;
  Access access;
  r.address(again->getPointerOperand(), access);
  if (!access.affine)
    return false;
  access.bytes =
      r.graph.constant(env.dl.getTypeStoreSize(phi.getType()).getFixedValue(), r.ptrBits);
  access.offset = r.graph.sub(access.offset, access.step[0]);
  access.loc = sourceLoc(again->getDebugLoc());
  binding.loaded.push_back({&phi, uint32_t(binding.loop.accesses.size())});
  r.addAccess(access, &phi);
  return true;
}

/// Returns whether only code after the loop uses the phi.
bool SearchReader::isPassedOn(const PHINode &phi) const {
  SmallVector<const Instruction *, 8> list = {&phi};
  for (size_t i = 0; i < list.size() && list.size() < maxSearchLinks; ++i)
    for (const User *user : list[i]->users()) {
      const auto *use = cast<Instruction>(user);
      if (!loop.contains(use))
        continue;
      if (use->isTerminator() || isa<LoadInst>(use) ||
          (isa<PHINode>(use) && use->getParent() == loop.getHeader()))
        return false;
      list.push_back(use);
    }
  return list.size() < maxSearchLinks;
}

/// Declares a recurrence, whose next value is read after the body.
bool SearchReader::isCarried(PHINode &phi) {
  if (!phi.getType()->isIntegerTy() || phi.getType()->getIntegerBitWidth() > 64)
    return false;
  auto index = uint32_t(binding.loop.recs.size());
  ExprId init = r.startValue(phi.getIncomingValueForBlock(loop.getLoopPreheader()));
  if (init == NoExpr || !r.graph.isInvariant(init))
    return false;
  r.setRecurrence(&phi, index);
  binding.loop.recs.push_back(
      {r.nameOf(phi, "r", index), phi.getType()->getIntegerBitWidth(), init, NoExpr});
  binding.carried.push_back(&phi);
  return true;
}

/// Reads the phis of the header: counters, bytes that were loaded before, values for later code,
/// and all others as recurrences.
bool SearchReader::readPhis() {
  for (PHINode &phi : loop.getHeader()->phis()) {
    if (counts(phi) || isLoaded(phi))
      continue;
    if (isPassedOn(phi))
      binding.loop.carriesOver = true;
    else if (!isCarried(phi))
      return false;
  }
  return true;
}

bool SearchReader::readTrip() {
  Dim dim;
  Type *word = env.dl.getIntPtrType(env.f.getContext());
  SmallVector<compat::ScevOperand, 4> counts;
  for (const SCEV *count : counted) {
    if (env.se.getTypeSizeInBits(count->getType()) > r.ptrBits)
      return false;
    counts.push_back(env.se.getNoopOrZeroExtend(count, word));
  }
  dim.trip = counts.empty() ? r.graph.constant(~uint64_t(0), r.ptrBits)
                            : r.expr(env.se.getUMinExpr(counts, /*Sequential=*/true));
  if (!counts.empty())
    if (APInt most = env.se.getUnsignedRangeMax(env.se.getUMinExpr(counts, /*Sequential=*/true));
        most.getActiveBits() < 63)
      dim.maxTrip = most.getZExtValue();
  binding.loop.dims.push_back(dim);
  return dim.trip != NoExpr;
}

/// Returns whether a switch leaves the loop.
ExprId SearchReader::chosen(const SwitchInst &choice) {
  ExprId value = r.value(choice.getCondition());
  if (r.graph.width(value) > 64)
    return NoExpr;
  bool others = !loop.contains(choice.getDefaultDest());
  ExprId named = r.graph.constant(0, 1);
  for (const auto &one : choice.cases()) {
    if (loop.contains(one.getCaseSuccessor()) != others)
      continue;
    ExprId number = r.graph.constant(one.getCaseValue()->getZExtValue(), r.graph.width(value));
    ExprId same = r.graph.binary(Op::Eq, value, number);
    named = r.graph.isConst(named, 0) ? same : r.graph.binary(Op::Or, named, same);
  }
  return others ? r.graph.binary(Op::Xor, named, r.graph.constant(1, 1)) : named;
}

ExprId SearchReader::leaves(const Test &test) {
  if (!test.condition)
    return chosen(*cast<SwitchInst>(test.block->getTerminator()));
  ExprId condition = r.value(test.condition);
  return test.ifTrue ? condition : r.graph.binary(Op::Xor, condition, r.graph.constant(1, 1));
}

/// Accesses stand in an order in which the program may run them, so those before a test come first.
uint32_t SearchReader::accessesBefore(const BasicBlock &exiting) const {
  uint32_t count = 0;
  for (uint32_t i = 0; i < binding.accesses.size(); ++i)
    if (env.dt.dominates(binding.accesses[i]->getParent(), &exiting))
      count = i + 1;
  return count;
}

bool SearchReader::read() {
  binding.nest = {&loop};
  binding.loc = loop.getStartLoc();
  binding.loop.loc = sourceLoc(binding.loc);
  binding.loop.origin = Origin::Loop;
  binding.at = loop.getLoopPreheader()->getTerminator();
  if (!readPhis() || !findExits())
    return false;
  BodyReader(r).body(loop);
  if (!readTrip())
    return false;
  for (size_t i = 0; i < binding.carried.size(); ++i)
    binding.loop.recs[i].next = r.value(binding.carried[i]->getIncomingValueForBlock(latch));
  for (const Test &test : tested) {
    ExprId condition = leaves(test);
    if (condition == NoExpr)
      return false;
    binding.loop.dataExits.push_back({condition, accessesBefore(*test.block)});
  }
  proveAliases(env, binding);
  return true;
}

} // namespace

bool maySearch(const llvm::Loop &loop) {
  SmallVector<BasicBlock *, 8> exiting;
  loop.getExitingBlocks(exiting);
  return loop.isInnermost() && loop.getNumBlocks() <= maxSearchBlocks &&
         exiting.size() <= maxSearchExits &&
         any_of(exiting,
                [&](const BasicBlock *block) {
                  const Value *condition = conditionOf(*block->getTerminator());
                  return condition && hangsOnLoad(loop, condition, maxSearchLinks);
                }) &&
         hasPlainAccesses(loop);
}

bool readSearch(Env &env, llvm::Loop &loop, LoopBinding &binding) {
  return loop.isLoopSimplifyForm() && maySearch(loop) && SearchReader(env, loop, binding).read();
}

} // namespace memlift
