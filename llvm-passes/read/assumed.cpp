// assumed.cpp - counts loops under the assumption that narrow counters do not wrap, and tests it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (unsigned i = 0; i < n; i++)     size_t n: the loop ends only if
//     d[i] = s[i];                       n <= 2^32 - 1, and d[i] moves evenly
//                                        only as long as i does not wrap
//
// LLVM's scalar evolution gives the count and the addresses under predicates of that kind. {start,
// +, step} of w bits does not wrap in `taken` steps if taken * |step| is at most the distance from
// start to the end of its type in the step's direction. All of it is known before the loop.
#include "read/assumed.h"

#include "read/quotient.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace memlift {

/// Counts for (i = 0; i + 8 <= n; i += 8): the last step may wrap if n is nearly the largest
/// number, so LLVM does not count the loop. For a counter {a, +, s} and n <= max - s the back edge
/// is taken (umax(n + s, a) - a) / s times, or (umax(n, a - s) - (a - s)) / s for a >= s.
bool Assumed::countUpTo(CmpInst::Predicate stays, const SCEV *x, const SCEV *n) {
  if (stays == CmpInst::ICMP_UGE) {
    std::swap(x, n);
    stays = CmpInst::ICMP_ULE;
  }
  const auto *counter = dyn_cast<SCEVAddRecExpr>(x);
  if (stays != CmpInst::ICMP_ULE || !counter || counter->getLoop() != &loop ||
      !counter->isAffine() || !env.se.isLoopInvariant(n, &loop))
    return false;
  unsigned bits = env.se.getTypeSizeInBits(x->getType());
  const auto *step = dyn_cast<SCEVConstant>(counter->getStepRecurrence(env.se));
  if (bits > 64 || !step || !step->getAPInt().isStrictlyPositive())
    return false;
  uint64_t by = step->getAPInt().getZExtValue();
  most = maskOf(bits) - by;
  last = n;
  const SCEV *start = counter->getStart();
  const APInt from = env.se.getUnsignedRangeMax(start);
  if (env.se.getUnsignedRangeMin(start).uge(by)) { // a wrong bound still gives a great number
    const SCEV *before = env.se.getMinusSCEV(start, step);
    n = env.se.getMinusSCEV(env.se.getUMaxExpr(n, before), before);
    otherwise = from.ule(most) ? (most - from.getZExtValue()) / by + 1 : 0;
  } else {
    n = env.se.getMinusSCEV(env.se.getUMaxExpr(env.se.getAddExpr(n, step), start), start);
  }
  iterations = env.se.getUDivExpr(n, step);
  return true;
}

/// Counts do { ... c -= 4; } while (c != 0), which ends only if c is a multiple of 4. {a, +, s} is
/// n after (n - a) / s steps, and not before, if s divides n - a.
void Assumed::countExactly(const SCEVAddRecExpr &counter, const SCEV *n) {
  const auto *step = dyn_cast<SCEVConstant>(counter.getStepRecurrence(env.se));
  unsigned bits = env.se.getTypeSizeInBits(counter.getType());
  if (bits > 64 || !step || step->getAPInt().isZero() || step->getAPInt().isMinSignedValue())
    return;
  bool down = step->getAPInt().isNegative();
  const SCEV *start = counter.getStart();
  stride = step->getAPInt().abs().getZExtValue();
  distance = down ? env.se.getMinusSCEV(start, n) : env.se.getMinusSCEV(n, start);
  iterations = env.se.getUDivExpr(distance, env.se.getConstant(step->getAPInt().abs()));
}

/// Counts while (p - first < n) p++.
bool Assumed::countQuotient(CmpInst::Predicate stays, Value *tested, Value *n) {
  if (!loop.isLoopInvariant(n))
    return !loop.isLoopInvariant(tested)
               ? false
               : countQuotient(CmpInst::getSwappedPredicate(stays), n, tested);
  Quotient q = quotientOf(env, loop, tested);
  TestedIterations r =
      q.start ? iterationsOf(env, q, stays, env.se.getSCEV(n)) : TestedIterations();
  Type *word = IntegerType::get(env.f.getContext(), env.dl.getIndexSizeInBits(0));
  if (!r.iterations ||
      env.se.getTypeSizeInBits(r.iterations->getType()) > env.se.getTypeSizeInBits(word))
    return false;
  quotient = tested;
  iterations = env.se.getNoopOrZeroExtend(r.iterations, word);
  last = r.bound;
  most = r.most;
  return true;
}

/// LLVM 22 takes a wide counter that does not wrap as a proof that a narrower one does not either
/// (SCEVWrapPredicate::implies), so only counters of one width are compared. For the same reason
/// PredicatedScalarEvolution, which leaves implied predicates out, is not used here.
bool Assumed::isRequired(const SCEVPredicate &p) const {
  const auto *wrap = dyn_cast<SCEVWrapPredicate>(&p);
  for (const SCEVPredicate *known : required) {
    const auto *other = dyn_cast<SCEVWrapPredicate>(known);
    if (known == &p || (wrap && other && compat::implies(env.se, *known, p) &&
                        wrap->getExpr()->getType() == other->getExpr()->getType()))
      return true;
  }
  return false;
}

void Assumed::require(const compat::Predicates &needs) {
  for (const SCEVPredicate *p : needs)
    if (!isRequired(*p))
      required.push_back(p);
}

/// Counts a loop that scalar evolution does not count.
void Assumed::countOnce() {
  BasicBlock *exiting = loop.getExitingBlock();
  auto *branch = exiting && env.dt.dominates(exiting, loop.getLoopLatch())
                     ? dyn_cast<BranchInst>(exiting->getTerminator())
                     : nullptr;
  auto *cmp =
      branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  if (!cmp || !cmp->getOperand(0)->getType()->isIntegerTy())
    return;
  CmpInst::Predicate stays =
      loop.contains(branch->getSuccessor(0)) ? cmp->getPredicate() : cmp->getInversePredicate();
  const SCEV *x = env.se.getSCEV(cmp->getOperand(0));
  const SCEV *n = env.se.getSCEV(cmp->getOperand(1));
  if (countUpTo(stays, x, n) || countQuotient(stays, cmp->getOperand(0), cmp->getOperand(1)) ||
      stays != CmpInst::ICMP_NE)
    return;
  if (env.se.isLoopInvariant(x, &loop))
    std::swap(x, n);
  const auto *counter = dyn_cast<SCEVAddRecExpr>(x);
  if (counter && counter->getLoop() == &loop && counter->isAffine() &&
      env.se.isLoopInvariant(n, &loop))
    countExactly(*counter, n);
}

const SCEV *Assumed::taken() {
  if (counted)
    return iterations;
  counted = true;
  compat::Predicates needs;
  const SCEV *s = env.se.getPredicatedBackedgeTakenCount(&loop, needs);
  if (isa<SCEVCouldNotCompute>(s)) {
    countOnce();
  } else {
    iterations = s;
    require(needs);
  }
  return iterations;
}

const SCEV *Assumed::address(Value *pointer) {
  compat::Predicates needs;
  const SCEV *rec =
      taken() ? compat::toRecurrence(env.se, env.se.getSCEV(pointer), loop, needs) : nullptr;
  if (rec)
    require(needs);
  return rec;
}

const SCEV *Assumed::atExit(Value *v) {
  if (!taken() || !env.se.isSCEVable(v->getType()))
    return nullptr;
  if (v == quotient) {
    const Quotient q = quotientOf(env, loop, v);
    Type *type = q.start->getType();
    const SCEV *moved = env.se.getMulExpr(env.se.getTruncateOrZeroExtend(iterations, type),
                                          env.se.getConstant(type, uint64_t(q.step), true));
    return env.se.getAddExpr(q.start, moved);
  }
  compat::Predicates needs; // holds none of the predicates that the loop does without
  const SCEVAddRecExpr *rec = compat::toRecurrence(env.se, env.se.getSCEV(v), loop, needs);
  if (!rec || rec->getLoop() != &loop || !rec->isAffine() ||
      !llvm::all_of(needs, [&](const SCEVPredicate *p) { return isRequired(*p); }))
    return nullptr;
  const SCEV *count = taken();
  if (env.se.getTypeSizeInBits(rec->getType()) > env.se.getTypeSizeInBits(count->getType()))
    count = env.se.getZeroExtendExpr(count, rec->getType());
  return rec->evaluateAtIteration(count, env.se);
}

static void assume(Reader &r, ExprId condition, uint64_t otherwise = 0) {
  if (!r.graph.isConst(condition, 1))
    r.binding.loop.assumptions.push_back({Diag::NarrowCounter, condition,
                                          "the counter reaches its bound before it wraps",
                                          otherwise});
}

/// Returns whether a test before the loop ensures that a counter of step 1 or -1 does not wrap. The
/// loop runs as often as top - start or start - bottom allows, but for a constant.
bool Assumed::fitsAtEntry(const SCEVAddRecExpr &counter, uint64_t bottom, uint64_t top) {
  ScalarEvolution &se = env.se;
  Type *type = counter.getType();
  const SCEV *step = counter.getStepRecurrence(se), *start = counter.getStart();
  if (taken()->getType() != type || !(step->isOne() || step->isAllOnesValue()))
    return false;
  const SCEV *room = step->isOne() ? se.getMinusSCEV(se.getConstant(type, top), start)
                                   : se.getMinusSCEV(start, se.getConstant(type, bottom));
  const auto *left = dyn_cast<SCEVConstant>(se.getMinusSCEV(room, taken()));
  return left && se.isLoopEntryGuardedByCond(&loop, CmpInst::ICMP_UGE, room, left);
}

/// Assumes taken <= distance / |step|.
bool Assumed::noWrap(Reader &r, const SCEVAddRecExpr &counter, bool isSigned) {
  const auto *step = dyn_cast<SCEVConstant>(counter.getStepRecurrence(env.se));
  unsigned bits = env.se.getTypeSizeInBits(counter.getType());
  ExprId start = r.expr(counter.getStart()), iterations = r.expr(taken());
  if (!step || bits > r.ptrBits || step->getAPInt().isMinSignedValue() || start == NoExpr ||
      iterations == NoExpr || r.graph.width(iterations) > r.ptrBits)
    return false;
  bool down = step->getAPInt().isNegative();
  uint64_t by = step->getAPInt().abs().getZExtValue();
  uint64_t top = isSigned ? maskOf(bits) >> 1 : maskOf(bits);
  uint64_t bottom = isSigned ? top + 1 : 0;
  ExprId room = down ? r.graph.sub(start, r.graph.constant(bottom, bits))
                     : r.graph.sub(r.graph.constant(top, bits), start);
  room = r.graph.zextOrTrunc(room, r.ptrBits);
  if (by == 0 || fitsAtEntry(counter, bottom, top))
    return true;
  room = r.graph.quotient(room, by);
  ExprId fits = r.graph.binary(Op::ULe, r.graph.zextOrTrunc(iterations, r.ptrBits), room);
  assume(r, fits);
  return true;
}

bool Assumed::addOne(Reader &r, const SCEVPredicate &predicate) {
  if (predicate.isAlwaysTrue())
    return true;
  const auto *wrap = dyn_cast<SCEVWrapPredicate>(&predicate);
  const auto *counter = wrap ? dyn_cast<SCEVAddRecExpr>(wrap->getExpr()) : nullptr;
  if (!counter || counter->getLoop() != &loop || !counter->isAffine())
    return false;
  unsigned flags = wrap->getFlags();
  return (!(flags & SCEVWrapPredicate::IncrementNUSW) || noWrap(r, *counter, false)) &&
         (!(flags & SCEVWrapPredicate::IncrementNSSW) || noWrap(r, *counter, true));
}

bool Assumed::addTo(Reader &r) {
  if (distance) {
    ExprId apart = r.expr(distance);
    if (apart == NoExpr)
      return false;
    unsigned bits = r.graph.width(apart);
    ExprId rest = r.graph.binary(Op::URem, apart, r.graph.constant(stride, bits));
    assume(r, r.graph.binary(Op::Eq, rest, r.graph.constant(0, bits)));
  } else if (last) {
    ExprId end = r.expr(last);
    if (end == NoExpr)
      return false;
    ExprId bound = r.graph.constant(most, r.graph.width(end));
    assume(r, r.graph.binary(Op::ULe, end, bound), otherwise);
  }
  return llvm::all_of(required, [&](const SCEVPredicate *p) { return addOne(r, *p); });
}

} // namespace memlift
