// ring.cpp - reads the indices of rings: phis, and numbers that are cut in each iteration
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   h    = phi [h0], [next]              {h0, +, 1} until it comes to the end of the ring
//   sum  = add h, 1
//   next = and sum, mask                 {next(h0), +, 1}, likewise
//
//   sum  = add start, i                  start, i: as scalar evolution has them
//   at   = and sum, mask                 {start & mask, +, 1}, likewise
//
// Rules of which steps and cuts make a ring are in idioms/recognize/ring.cpp. Scalar evolution
// takes such values for unknown ones, so addresses are taken apart here.
#include "read/ring.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace memlift {

Rings::Rings(Reader &r, llvm::Loop &loop) : r(r), g(r.graph), loop(loop) { find(); }

bool Rings::count(const SCEV *backEdge) {
  taken = r.expr(backEdge);
  if (taken != NoExpr && g.width(taken) > r.ptrBits)
    taken = NoExpr;
  return taken != NoExpr;
}

bool Rings::has(const PHINode &phi) const {
  return any_of(indices, [&](const Index &i) { return i.phi == &phi; });
}

static bool isRemainder(const Value &v) {
  auto *op = dyn_cast<BinaryOperator>(&v);
  return op && (op->getOpcode() == Instruction::URem || op->getOpcode() == Instruction::SRem);
}

/// Returns whether the value may be the next index: the last operation is one that leads back.
static bool mayLeadBack(const Value &v) {
  auto *op = dyn_cast<BinaryOperator>(&v);
  return isa<SelectInst>(v) || isa<ZExtInst>(v) || isRemainder(v) ||
         (op && op->getOpcode() == Instruction::And) || isa<PHINode>(v);
}

/// Returns whether one is added to the phi: most others are sums and checksums, whose next values
/// would be read twice.
static bool countsOn(const PHINode &phi) {
  return any_of(phi.users(), [&](const User *user) {
    auto *sum = dyn_cast<BinaryOperator>(user);
    auto *one = sum ? dyn_cast<ConstantInt>(sum->getOperand(1)) : nullptr;
    return one && sum->getOpcode() == Instruction::Add && one->isOne();
  });
}

/// Reads the step from a phi to its next value.
std::optional<Ring> Rings::stepped(PHINode &phi, Value &next) {
  unsigned bits = phi.getType()->getIntegerBitWidth();
  ExprId first = r.value(phi.getIncomingValueForBlock(loop.getLoopPreheader()));
  ExprId at = g.opaque(bits);
  if (!g.isInvariant(first))
    return std::nullopt;
  r.setIndex(phi, at);
  auto *op = dyn_cast<BinaryOperator>(&next);
  std::optional<Ring> ring;
  if (isRemainder(next) && loop.isLoopInvariant(op->getOperand(1)))
    ring = ringByRemainder(r.binding.loop, at, r.value(op->getOperand(0)),
                           r.value(op->getOperand(1)), op->getOpcode() == Instruction::SRem);
  else
    ring = ringOf(r.binding.loop, at, r.value(&next));
  if (ring)
    ring->first = first;
  else
    r.forgetIndex(phi);
  return ring;
}

void Rings::find() {
  for (PHINode &phi : loop.getHeader()->phis()) {
    if (!phi.getType()->isIntegerTy() || phi.getType()->getIntegerBitWidth() > r.ptrBits ||
        !countsOn(phi) || isa<SCEVAddRecExpr>(r.env.se.getSCEV(&phi)))
      continue;
    auto *next = dyn_cast<Instruction>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
    if (!next || next == &phi || !loop.contains(next) || !mayLeadBack(*next))
      continue;
    if (auto ring = stepped(phi, *next))
      indices.push_back({&phi, next, *ring});
  }
  findAgain();
  for (const Index &i : indices)
    r.setLoaded(*i.next, i.ring.next);
}

/// Finds phis of the same values as an index that was found.
void Rings::findAgain() {
  BasicBlock *before = loop.getLoopPreheader();
  for (size_t k = 0, found = indices.size(); k < found; ++k)
    for (PHINode &phi : loop.getHeader()->phis()) {
      const Index index = indices[k]; // a copy, since the list grows
      if (has(phi) || phi.getIncomingValueForBlock(loop.getLoopLatch()) != index.next ||
          phi.getIncomingValueForBlock(before) != index.phi->getIncomingValueForBlock(before))
        continue;
      r.setIndex(phi, index.ring.at);
      indices.push_back({&phi, index.next, index.ring});
    }
}

ExprId Rings::inIteration(ExprId value) {
  for (const Index &i : indices) {
    ExprId before = value;
    value = memlift::inIteration(r.binding.loop, i.ring, value);
    if (value != before)
      uses.push_back({i.ring, false});
  }
  return value;
}

const SCEV *Rings::takenTo(Value *index, Value *place) {
  for (const Index &i : indices) {
    if ((index != i.phi && index != i.next) || !loop.isLoopInvariant(place))
      continue;
    ScalarEvolution &se = r.env.se;
    RingEnd to = {i.ring, r.value(place), index == i.next};
    if (!g.isInvariant(to.place))
      continue;
    ends.push_back(to);
    const SCEV *first = se.getSCEV(i.phi->getIncomingValueForBlock(loop.getLoopPreheader()));
    const SCEV *steps = se.getMinusSCEV(se.getSCEV(place), first);
    return to.next ? se.getMinusSCEV(steps, se.getOne(steps->getType())) : steps;
  }
  return nullptr;
}

/// Returns for how many consecutive iterations a counter of step 1 is below a bound, or one of step
/// 1 or -1 is not it; null if the test is another. The counter meets the bound before it wraps.
static const SCEV *countedBelow(ScalarEvolution &se, const llvm::Loop &loop, const ICmpInst &test,
                                bool whileIt) {
  CmpInst::Predicate stays = whileIt ? test.getPredicate() : test.getInversePredicate();
  Value *a = test.getOperand(0), *b = test.getOperand(1);
  if (loop.isLoopInvariant(a)) {
    std::swap(a, b);
    stays = CmpInst::getSwappedPredicate(stays);
  }
  const auto *counter =
      a->getType()->isIntegerTy() ? dyn_cast<SCEVAddRecExpr>(se.getSCEV(a)) : nullptr;
  if (!counter || counter->getLoop() != &loop || !counter->isAffine() || !loop.isLoopInvariant(b))
    return nullptr;
  const SCEV *first = counter->getStart(), *bound = se.getSCEV(b);
  const SCEV *step = counter->getStepRecurrence(se);
  if (step->isAllOnesValue() && stays == CmpInst::ICMP_NE)
    return se.getMinusSCEV(first, bound);
  if (!step->isOne())
    return nullptr;
  switch (stays) {
  case CmpInst::ICMP_NE: return se.getMinusSCEV(bound, first);
  case CmpInst::ICMP_ULT: return se.getMinusSCEV(se.getUMaxExpr(bound, first), first);
  case CmpInst::ICMP_SLT: return se.getMinusSCEV(se.getSMaxExpr(bound, first), first);
  default: return nullptr;
  }
}

/// Returns for how many consecutive iterations a test holds, or does not unless `whileIt`, after
/// each of them; null if that is not known. Sets `inRing` if a ring's index is tested.
const SCEV *Rings::iterationsWhile(Value *test, bool whileIt, bool &inRing) {
  using namespace PatternMatch;
  Value *left, *right;
  if (whileIt ? match(test, m_LogicalAnd(m_Value(left), m_Value(right)))
              : match(test, m_LogicalOr(m_Value(left), m_Value(right)))) {
    const SCEV *first = iterationsWhile(left, whileIt, inRing);
    const SCEV *second = first ? iterationsWhile(right, whileIt, inRing) : nullptr;
    if (!second)
      return nullptr;
    ScalarEvolution &se = r.env.se;
    Type *word = se.getWiderType(first->getType(), second->getType());
    SmallVector<compat::ScevOperand, 2> both = {se.getNoopOrZeroExtend(first, word),
                                                se.getNoopOrZeroExtend(second, word)};
    return se.getUMinExpr(both, /*Sequential=*/true);
  }
  auto *compare = dyn_cast<ICmpInst>(test);
  if (!compare)
    return nullptr;
  if (compare->getPredicate() == (whileIt ? CmpInst::ICMP_NE : CmpInst::ICMP_EQ)) {
    Value *a = compare->getOperand(0), *b = compare->getOperand(1);
    const SCEV *steps = takenTo(a, b);
    if (!steps)
      steps = takenTo(b, a);
    inRing |= steps != nullptr;
    if (steps)
      return steps;
  }
  return countedBelow(r.env.se, loop, *compare, whileIt);
}

const SCEV *Rings::countOf(const BasicBlock &exiting) {
  auto *branch = r.env.dt.dominates(&exiting, loop.getLoopLatch())
                     ? dyn_cast<BranchInst>(exiting.getTerminator())
                     : nullptr;
  if (!branch || !branch->isConditional())
    return nullptr;
  size_t before = ends.size();
  bool inRing = false;
  const SCEV *count =
      iterationsWhile(branch->getCondition(), loop.contains(branch->getSuccessor(0)), inRing);
  if (count && inRing)
    return count;
  ends.resize(before);
  return nullptr;
}

/// Reads a number that counts in steps of one, and is cut to a place of the ring.
std::optional<Ring> Rings::cut(Value &v) {
  auto *op = dyn_cast<BinaryOperator>(&v);
  bool masks = op && op->getOpcode() == Instruction::And;
  if (!op || (!masks && !isRemainder(v)) || !loop.contains(op))
    return std::nullopt;
  Value *number = op->getOperand(0), *by = op->getOperand(1);
  if (masks && loop.isLoopInvariant(number))
    std::swap(number, by);
  const auto *counter = dyn_cast<SCEVAddRecExpr>(r.env.se.getSCEV(number));
  if (!loop.isLoopInvariant(by) || !counter || counter->getLoop() != &loop ||
      !counter->isAffine() || !counter->getStepRecurrence(r.env.se)->isOne())
    return std::nullopt;
  ExprId start = r.expr(counter->getStart());
  if (start == NoExpr)
    return std::nullopt;
  return masks ? cutByMask(r.binding.loop, start, r.value(by))
               : cutByRemainder(r.binding.loop, start, r.value(by),
                                op->getOpcode() == Instruction::SRem);
}

std::optional<Ring> Rings::ringAt(Value &v) {
  for (const Index &i : indices) {
    if (&v == i.phi)
      return i.ring;
    if (&v != i.next)
      continue;
    Ring next = i.ring;
    next.first = stepOn(r.binding.loop, i.ring, i.ring.first);
    return next;
  }
  return v.getType()->isIntegerTy() && v.getType()->getIntegerBitWidth() <= r.ptrBits
             ? cut(v)
             : std::nullopt;
}

/// Returns a part of an address: a ring's index, perhaps extended, scalar evolution's counters, and
/// sums of them.
Rings::Moves Rings::moves(Value &v, unsigned budget) {
  auto *cast = dyn_cast<CastInst>(&v);
  bool extends = cast && (isa<ZExtInst>(cast) || isa<SExtInst>(cast));
  Value &number = extends ? *cast->getOperand(0) : v;
  if (auto ring = ringAt(number)) {
    uses.push_back({*ring, extends && isa<SExtInst>(cast)});
    return {g.zextOrTrunc(ring->first, r.ptrBits), g.constant(1, r.ptrBits), true};
  }
  auto *op = dyn_cast<BinaryOperator>(&v);
  if (op && op->getOpcode() == Instruction::Add && loop.contains(op) && budget) {
    Moves a = moves(*op->getOperand(0), budget - 1), b = moves(*op->getOperand(1), budget - 1);
    if (a.start == NoExpr || b.start == NoExpr)
      return {};
    return {g.add(a.start, b.start), g.add(a.step, b.step), a.inRing || b.inRing};
  }
  Access at;
  at.affine = false;
  if (!r.env.se.isSCEVable(v.getType()) || !r.placeAt(r.env.se.getSCEV(&v), at) ||
      at.step.size() != 1)
    return {};
  return {at.offset, at.step[0], false};
}

/// Adds the part of an address that a GEP moves it by.
bool Rings::addMoves(GEPOperator &gep, Moves &sum) {
  constexpr unsigned terms = 4;
  compat::OffsetMap parts;
  APInt constant(r.ptrBits, 0);
  if (!gep.collectOffset(r.env.dl, r.ptrBits, parts, constant))
    return false;
  sum.start = g.add(sum.start, g.constant(constant.getZExtValue(), r.ptrBits));
  for (auto &[v, scale] : parts) {
    Moves part = v->getType()->isIntegerTy(r.ptrBits) ? moves(*v, terms) : Moves();
    if (part.start == NoExpr)
      return false;
    ExprId by = g.constant(scale.getZExtValue(), r.ptrBits);
    sum.start = g.add(sum.start, g.mul(part.start, by));
    sum.step = g.add(sum.step, g.mul(part.step, by));
    sum.inRing |= part.inRing;
  }
  return true;
}

bool Rings::address(Value *pointer, Access &access) {
  size_t before = uses.size();
  ExprId zero = g.constant(0, r.ptrBits);
  Moves sum = {zero, zero, false};
  bool known = true; // so far
  while (known && !loop.isLoopInvariant(pointer) && isa<GEPOperator>(pointer)) {
    auto *gep = cast<GEPOperator>(pointer);
    known = addMoves(*gep, sum);
    pointer = gep->getPointerOperand();
  }
  const SCEV *rest = r.env.se.getSCEV(pointer);
  const auto *base = dyn_cast<SCEVUnknown>(r.env.se.getPointerBase(rest));
  if (!known || !sum.inRing || !base || !loop.isLoopInvariant(base->getValue()) ||
      !r.place(rest, access)) {
    uses.resize(before);
    return false;
  }
  access.offset = g.add(access.offset, sum.start);
  access.step[0] = g.add(access.step[0], sum.step);
  return true;
}

ExprId Rings::atExit(Value *v) {
  if (indices.empty() || taken == NoExpr || !v->getType()->isIntegerTy() ||
      v->getType()->getIntegerBitWidth() > 64)
    return NoExpr;
  ExprId last = r.value(v);
  for (const Index &i : indices) {
    ExprId before = last;
    last = atEnd(r.binding.loop, i.ring, taken, last);
    if (last != before)
      uses.push_back({i.ring, false});
  }
  return g.isInvariant(last) ? last : NoExpr;
}

void Rings::addTo() {
  for (const RingEnd &end : ends)
    assumeReached(r.binding.loop, end);
  for (const Use &use : uses)
    if (taken != NoExpr) // else the loop is kept
      assumeInside(r.binding.loop, use.ring, taken, use.isSigned);
}

} // namespace memlift
