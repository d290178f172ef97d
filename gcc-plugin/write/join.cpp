// join.cpp - GCC's operations and types for values that blocks of iterations join
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spread.h"

namespace memlift {

bool hasSign(Carry::Kind kind) { return kind == Carry::SMin || kind == Carry::SMax; }

wide_int neutral(Carry::Kind kind, unsigned bits) {
  switch (kind) {
  case Carry::And:
  case Carry::UMin: return wi::max_value(bits, UNSIGNED);
  case Carry::SMin: return wi::max_value(bits, SIGNED);
  case Carry::SMax: return wi::min_value(bits, SIGNED);
  default: return wi::zero(bits);
  }
}

tree extendedFrom(tree type, Carry::Kind kind) {
  return hasSign(kind) ? type : unsigned_type_for(type);
}

tree_code treeCodeOf(Carry::Kind kind) {
  switch (kind) {
  case Carry::UMin:
  case Carry::SMin: return MIN_EXPR;
  case Carry::UMax:
  case Carry::SMax: return MAX_EXPR;
  case Carry::Xor: return BIT_XOR_EXPR;
  case Carry::And: return BIT_AND_EXPR;
  case Carry::Or: return BIT_IOR_EXPR;
  default: return PLUS_EXPR;
  }
}

} // namespace memlift
