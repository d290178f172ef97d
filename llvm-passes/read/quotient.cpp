// quotient.cpp - counters that are divided by the size of an element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   while (p - first < n)          x = p - first          {x0, +, 4}, in bytes
//     *p++ = v;                    q = ashr exact x, 2    or sdiv exact x, 12
//                                  if (q < n) again
//
// Scalar evolution takes x for a recurrence and q for an unknown number. An exact division loses
// nothing, so q is {x0 / 4, +, 1} until x passes the end of its type; the low bits of q remain so
// even there. An undivided counter is a quotient by one.
//
// A q of step 1 takes each value of its range. If n is in it, the loop is left there. Otherwise the
// loop never ends, and its accesses run through all of the address space: no program does that with
// an access that moves, and a loop without one is no idiom. A q of larger steps may pass the end of
// its type without meeting a number that is not below n. That has to be excluded, by known bounds
// of n or by a test before the loop.
#include "read/quotient.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace memlift {
namespace {

/// Returns the divisor of an exact division; 0 if the instruction is none.
uint64_t exactDivisor(const Instruction &i) {
  const auto *exact = dyn_cast<PossiblyExactOperator>(&i);
  const auto *by = exact && exact->isExact() ? dyn_cast<ConstantInt>(i.getOperand(1)) : nullptr;
  if (!by || by->getBitWidth() > 64 || by->isNegative())
    return 0;
  uint64_t value = by->getZExtValue();
  if (i.getOpcode() == Instruction::AShr || i.getOpcode() == Instruction::LShr)
    return value < 31 ? uint64_t(1) << value : 0;
  return i.getOpcode() == Instruction::SDiv && value <= uint64_t(INT32_MAX) ? value : 0;
}

/// Returns x / by, which is exact. A signed shift becomes an unsigned one of the number offset to
/// be non-negative. An odd factor is divided by a multiplication with its inverse.
const SCEV *divideExactly(ScalarEvolution &se, const SCEV *x, uint64_t by, bool isSigned) {
  unsigned shift = unsigned(countr_zero(by)), width = unsigned(se.getTypeSizeInBits(x->getType()));
  APInt low = isSigned && shift ? APInt::getSignedMinValue(width) : APInt(width, 0);
  const SCEV *q = se.getAddExpr(x, se.getConstant(low));
  q = se.getUDivExpr(q, se.getConstant(APInt::getOneBitSet(width, shift)));
  q = se.getMinusSCEV(q, se.getConstant(low.lshr(shift)));
  return se.getMulExpr(q, se.getConstant(APInt(64, inverseOf(by >> shift)).trunc(width)));
}

bool isDistance(const Value *v) {
  using namespace PatternMatch;
  return match(v, m_Sub(m_PtrToInt(m_Value()), m_Value())) ||
         match(v, m_Sub(m_Value(), m_PtrToInt(m_Value())));
}

/// Returns whether a distance is zero at first, to a pointer that stays in its object: half the
/// address space exceeds any object.
bool isFromZero(ScalarEvolution &se, const Value *v, const SCEVAddRecExpr &x) {
  const auto *start = dyn_cast<SCEVConstant>(x.getStart());
  return start && (start->isZero() || start == x.getStepRecurrence(se)) &&
         (x.hasNoSignedWrap() || (isDistance(v) && x.hasNoSelfWrap()));
}

/// Sets the least and the largest value that x / by can have.
void setRange(Quotient &q, unsigned width, uint64_t by) {
  APInt divisor(width + 1, by);
  q.least = q.isSigned ? APInt::getSignedMinValue(width).sext(width + 1).sdiv(divisor)
                       : APInt(width + 1, 0);
  q.most = (q.isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width))
               .zext(width + 1)
               .udiv(divisor);
}

/// Returns the distance `far` if |step| is 1, else the number of steps that cover it.
const SCEV *inSteps(ScalarEvolution &se, const SCEV *far, const Quotient &q) {
  uint64_t step = q.step < 0 ? -uint64_t(q.step) : uint64_t(q.step);
  return step == 1 ? far : se.getUDivCeilSCEV(far, se.getConstant(far->getType(), step));
}

/// Rewrites q <= n to q < n + 1, and q >= n to q > n - 1. They differ only where n is the type's
/// last number, at which the loop would never end.
void makeStrict(ScalarEvolution &se, CmpInst::Predicate &stays, const SCEV *&n) {
  if (!CmpInst::isRelational(stays) || CmpInst::isStrictPredicate(stays))
    return;
  bool up = stays == CmpInst::ICMP_SLE || stays == CmpInst::ICMP_ULE;
  const SCEV *one = se.getOne(n->getType());
  n = up ? se.getAddExpr(n, one) : se.getMinusSCEV(n, one);
  stays = CmpInst::getStrictPredicate(stays);
}

} // namespace

Quotient quotientOf(Env &env, const llvm::Loop &loop, Value *v) {
  ScalarEvolution &se = env.se;
  auto *narrow = dyn_cast<TruncInst>(v);
  auto *i = dyn_cast<Instruction>(narrow ? narrow->getOperand(0) : v);
  if (!i || !loop.contains(i) || !i->getType()->isIntegerTy() ||
      i->getType()->getIntegerBitWidth() > 64)
    return Quotient();
  uint64_t by = exactDivisor(*i);
  Value *divided = by ? i->getOperand(0) : i;
  if (!by && !isDistance(i))
    return Quotient();
  by += !by;
  const auto *x = dyn_cast<SCEVAddRecExpr>(se.getSCEV(divided));
  const auto *step = x && x->getLoop() == &loop && x->isAffine()
                         ? dyn_cast<SCEVConstant>(x->getStepRecurrence(se))
                         : nullptr;
  int64_t steps = step ? step->getAPInt().getSExtValue() : 0;
  if (steps == 0 || steps % int64_t(by) || steps == INT64_MIN)
    return Quotient();
  Quotient q;
  q.isDivided = divided != i;
  unsigned width = i->getType()->getIntegerBitWidth();
  q.step = steps / int64_t(by);
  q.isSigned = i->getOpcode() != Instruction::LShr;
  q.start = divideExactly(se, x->getStart(), by, q.isSigned);
  q.wrapsNowhere = q.step > 0 && isFromZero(se, divided, *x);
  setRange(q, width, by);
  if (!narrow)
    return q;
  unsigned kept = narrow->getType()->getIntegerBitWidth();
  uint64_t half = maskOf(kept) >> 1;
  if (kept + Log2_64_Ceil(by) > width || q.step > int64_t(half) || -q.step > int64_t(half))
    return Quotient();
  q.isLowBits = true;
  q.wrapsNowhere = false;
  q.start = se.getTruncateExpr(q.start, narrow->getType());
  return q;
}

/// Counts a test. Each condition on n states that an unsigned number is at most `most`.
TestedIterations iterationsOf(Env &env, const Quotient &q, CmpInst::Predicate stays,
                              const SCEV *n) {
  ScalarEvolution &se = env.se;
  TestedIterations r;
  makeStrict(se, stays, n);
  Type *type = n->getType();
  unsigned width = unsigned(se.getTypeSizeInBits(type));
  uint64_t step = q.step < 0 ? -uint64_t(q.step) : uint64_t(q.step);
  bool up = q.step > 0, isSigned = CmpInst::isSigned(stays);
  if (stays == CmpInst::ICMP_NE) {
    r.iterations = step != 1 ? nullptr
                   : up      ? se.getMinusSCEV(n, q.start)
                             : se.getMinusSCEV(q.start, n);
    r.bound = q.isLowBits || q.wrapsNowhere ? nullptr : r.iterations;
    r.most = q.most.trunc(width).getZExtValue();
    return r;
  }
  bool lessThan = stays == CmpInst::ICMP_SLT || stays == CmpInst::ICMP_ULT;
  if (lessThan != up || !CmpInst::isRelational(stays) || !(q.isDivided || isSigned))
    return r;
  // Under an unsigned comparison, a signed quotient jumps from one half of the range to the other.
  bool halves = q.isSigned && !q.isLowBits && !isSigned;
  if (halves && !up)
    return r;
  const SCEV *far =
      up ? se.getMinusSCEV(isSigned ? se.getSMaxExpr(n, q.start) : se.getUMaxExpr(n, q.start),
                           q.start)
         : se.getMinusSCEV(q.start,
                           isSigned ? se.getSMinExpr(n, q.start) : se.getUMinExpr(n, q.start));
  r.iterations = inSteps(se, far, q);
  if (q.wrapsNowhere || (step == 1 && !halves))
    return r;
  APInt first = isSigned ? APInt::getSignedMinValue(width) : APInt(width, 0);
  APInt last = isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
  APInt least = q.isLowBits ? first : q.least.trunc(width);
  APInt most = q.isLowBits ? last : q.most.trunc(width);
  if (up) { // n <= most - (step - 1)
    r.bound = se.getMinusSCEV(n, se.getConstant(first));
    r.most = (most - (step - 1) - first).getZExtValue();
  } else { // n >= least + (step - 1)
    r.bound = se.getMinusSCEV(se.getConstant(last), n);
    r.most = (last - (least + (step - 1))).getZExtValue();
  }
  if (se.getUnsignedRangeMax(r.bound).ule(r.most))
    r.bound = nullptr;
  else if (se.getUnsignedRangeMin(r.bound).ugt(r.most))
    r.iterations = nullptr;
  return r;
}

} // namespace memlift
