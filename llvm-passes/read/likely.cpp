// likely.cpp - estimates how large a value may be
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar evolution bounds n % 12 and 20 - n % 21 by all values of their type: it writes the first
// as n - 12 * (n / 12), and the second may wrap as far as it knows. Whether a call is worth it
// depends on such bounds, so they are estimated here. Example: (9 + n - 15 * (n / 15)) + 1 is at
// most 24.
#include "read/likely.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>

using namespace llvm;

namespace memlift {
namespace {

constexpr uint64_t unknown = ~uint64_t(0);

class Estimate {
public:
  explicit Estimate(ScalarEvolution &se) : se(se) {}
  uint64_t most(const SCEV *s);

private:
  ScalarEvolution &se;
  unsigned steps = 64; // operands looked at, of all expressions together

  static uint64_t plus(uint64_t a, uint64_t b) { return a > unknown - b ? unknown : a + b; }
  static uint64_t times(uint64_t a, uint64_t b) {
    uint64_t r = 0;
    return __builtin_mul_overflow(a, b, &r) ? unknown : r;
  }
  uint64_t computed(const SCEV *s);
  uint64_t sum(const SCEVAddExpr *s);
  uint64_t operation(const Instruction &i);
  uint64_t of(Value *v) { return se.isSCEVable(v->getType()) ? most(se.getSCEV(v)) : unknown; }
};

/// Returns the negative constant factor of a product, or null. A large one is the inverse of an odd
/// divisor: n * 0xaaaaaaab is n / 3.
const APInt *negativeFactor(const SCEV *s) {
  const auto *product = dyn_cast<SCEVMulExpr>(s);
  const SCEV *first = s;
  if (product)
    first = product->getOperand(0);
  const auto *factor = dyn_cast<SCEVConstant>(first);
  if (!factor || !factor->getAPInt().isNegative())
    return nullptr;
  const APInt &value = factor->getAPInt();
  return !product || (-value).getActiveBits() <= value.getBitWidth() / 2 ? &value : nullptr;
}

/// Returns true if `s` is -d * (x / d).
bool takesQuotient(const SCEV *s, const SCEV *x, const APInt &d) {
  const auto *product = cast<SCEVMulExpr>(s);
  if (product->getNumOperands() != 2)
    return false;
  const SCEV *second = product->getOperand(1);
  if (const auto *wide = dyn_cast<SCEVZeroExtendExpr>(second)) // of zext(x) - d * zext(x / d)
    second = wide->getOperand();
  const auto *whole = dyn_cast<SCEVZeroExtendExpr>(x);
  if (whole && isa<SCEVZeroExtendExpr>(product->getOperand(1)))
    x = whole->getOperand();
  const auto *quotient = dyn_cast<SCEVUDivExpr>(second);
  const auto *by = quotient ? dyn_cast<SCEVConstant>(quotient->getRHS()) : nullptr;
  return by && quotient->getLHS() == x && by->getAPInt().getLimitedValue() == d.getLimitedValue();
}

/// Adds the operands that are not subtracted. One is a remainder together with its quotient.
uint64_t Estimate::sum(const SCEVAddExpr *s) {
  uint64_t total = 0;
  for (unsigned i = 0; i < s->getNumOperands(); ++i) {
    const SCEV *x = s->getOperand(i);
    if (negativeFactor(x))
      continue;
    uint64_t bound = most(x);
    for (unsigned k = 0; k < s->getNumOperands(); ++k) {
      const APInt *factor =
          isa<SCEVMulExpr>(s->getOperand(k)) ? negativeFactor(s->getOperand(k)) : nullptr;
      if (factor && takesQuotient(s->getOperand(k), x, -*factor))
        bound = std::min(bound, (-*factor).getLimitedValue() - 1);
    }
    total = plus(total, bound);
  }
  return total;
}

/// Bounds an operation that scalar evolution has no expression for.
uint64_t Estimate::operation(const Instruction &i) {
  switch (i.getOpcode()) {
  case Instruction::Shl: {
    uint64_t by = of(i.getOperand(1));
    return by < 63 ? times(of(i.getOperand(0)), uint64_t(1) << by) : unknown;
  }
  case Instruction::URem: {
    uint64_t by = of(i.getOperand(1));
    return by ? std::min(of(i.getOperand(0)), by - 1) : 0;
  }
  case Instruction::And: return std::min(of(i.getOperand(0)), of(i.getOperand(1)));
  case Instruction::Select: return std::max(of(i.getOperand(1)), of(i.getOperand(2)));
  default: return unknown;
  }
}

uint64_t Estimate::computed(const SCEV *s) {
  switch (s->getSCEVType()) {
  case scConstant: return cast<SCEVConstant>(s)->getAPInt().getLimitedValue();
  case scTruncate:
  case scZeroExtend:
  case scSignExtend: return most(cast<SCEVCastExpr>(s)->getOperand());
  case scAddExpr: return sum(cast<SCEVAddExpr>(s));
  case scUDivExpr: {
    const auto *by = dyn_cast<SCEVConstant>(cast<SCEVUDivExpr>(s)->getRHS());
    uint64_t all = most(cast<SCEVUDivExpr>(s)->getLHS());
    return by && !by->getAPInt().isZero() ? all / by->getAPInt().getLimitedValue() : all;
  }
  case scMulExpr:
  case scUMaxExpr:
  case scSMaxExpr:
  case scUMinExpr:
  case scSMinExpr:
  case scSequentialUMinExpr: {
    SCEVTypes type = s->getSCEVType();
    const auto *all = cast<SCEVNAryExpr>(s);
    uint64_t r = most(all->getOperand(0));
    for (unsigned i = 1; i < all->getNumOperands(); ++i) {
      uint64_t x = most(all->getOperand(i));
      r = type == scMulExpr                          ? times(r, x)
          : type == scUMaxExpr || type == scSMaxExpr ? std::max(r, x)
                                                     : std::min(r, x);
    }
    return r;
  }
  case scUnknown: {
    const auto *i = dyn_cast<Instruction>(cast<SCEVUnknown>(s)->getValue());
    return i ? operation(*i) : unknown;
  }
  default: return unknown;
  }
}

uint64_t Estimate::most(const SCEV *s) {
  if (!steps || !s->getType()->isIntegerTy() || se.getTypeSizeInBits(s->getType()) > 64)
    return unknown;
  --steps;
  return std::min(computed(s), se.getUnsignedRangeMax(s).getLimitedValue());
}

} // namespace

uint64_t likelyMost(ScalarEvolution &se, const SCEV *s) {
  constexpr uint64_t few = 0x7fffffff;
  if (isa<SCEVCouldNotCompute>(s))
    return 0;
  uint64_t most = Estimate(se).most(s);
  return most < few ? std::max<uint64_t>(most, 1) : 0;
}

} // namespace memlift
