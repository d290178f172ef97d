// knownzero.cpp - which bits of a value are known to be 0
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "knownzero.h"

namespace memlift {

/// Shifts the known zeros and adds those that a shift brings in.
static uint64_t shiftedZero(const ExprGraph &g, const Expr &e, unsigned depth) {
  if (!g.isConst(e.b) || g[e.b].value >= e.width)
    return 0;
  unsigned by = unsigned(g[e.b].value);
  uint64_t inside = knownZero(g, e.a, depth), mask = maskOf(e.width);
  if (e.op == Op::Shl)
    return (inside << by | maskOf(by)) & mask;
  return inside >> by | (mask & ~(mask >> by));
}

/// The zeros of the operands are combined bit by bit. Additions are not followed,
/// since a carry could reach any bit.
uint64_t knownZero(const ExprGraph &g, ExprId id, unsigned depth) {
  const Expr &e = g[id];
  if (!depth || e.width > 64)
    return 0;
  uint64_t mask = maskOf(e.width);
  auto of = [&](ExprId operand) { return knownZero(g, operand, depth - 1); };
  switch (e.op) {
  case Op::Const: return ~e.value & mask;
  case Op::And: return of(e.a) | of(e.b);
  case Op::Or:
  case Op::Xor: return of(e.a) & of(e.b);
  case Op::Select: return of(e.b) & of(e.c);
  case Op::Trunc: return of(e.a) & mask;
  case Op::ZExt: return g.width(e.a) > 64 ? 0 : of(e.a) | (mask & ~maskOf(g.width(e.a)));
  case Op::Shl:
  case Op::LShr: return shiftedZero(g, e, depth - 1);
  default: return 0;
  }
}

} // namespace memlift
