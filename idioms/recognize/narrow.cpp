// narrow.cpp - indices narrower than a pointer that differ by a constant
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   unsigned i;
//   for (...; i += 2) { d[i] = s[0]; d[i + 1] = s[1]; s += 2; }
//
// d[i + 1] follows d[i] unless i + 1 wraps. Extended to a pointer's width, i + 1 is
// an expression of its own, so the two are at an unknown distance. That they are
// neighbours at the start is assumed, like the fact that no counter wraps later. The
// offsets are then written as they are under that assumption, which is tested before
// the loop.
#include "proof.h"

namespace memlift {
namespace {

/// ext(a) and ext(b), where a and b differ by a constant in the narrow width.
struct Extended {
  ExprId a = NoExpr, b = NoExpr;
  uint64_t factor = 0; // coefficient of ext(a); that of ext(b) is its negation
  uint64_t rest = 0;   // the rest of the difference
};

/// Matches a difference of offsets of the form factor * (ext(a) - ext(b)) + rest.
bool differsBy(const ExprGraph &g, const Poly &difference, uint64_t mask, Extended &e) {
  for (const auto &[atoms, factor] : difference) {
    if (atoms.empty()) {
      e.rest = factor;
      continue;
    }
    if (atoms.size() != 1 || (g[atoms[0]].op != Op::ZExt && g[atoms[0]].op != Op::SExt))
      return false;
    if (e.a == NoExpr) {
      e.a = atoms[0];
      e.factor = factor;
    } else if (e.b == NoExpr && ((e.factor + factor) & mask) == 0) {
      e.b = atoms[0];
    } else {
      return false;
    }
  }
  return e.b != NoExpr && g[e.a].op == g[e.b].op;
}

/// Rewrites the offset of `a` by that of `from`, if they differ by an extension only.
bool relate(Loop &loop, Access &a, const Access &from) {
  ExprGraph &g = loop.exprs;
  Extended e;
  int64_t by;
  uint64_t mask = maskOf(loop.ptrBits);
  if (!differsBy(g, g.poly(g.sub(a.offset, from.offset)), mask, e) ||
      g.width(g[e.a].a) != g.width(g[e.b].a) || !g.constantDifference(g[e.a].a, g[e.b].a, by))
    return false;
  ExprId apart = loop.word(uint64_t(by));
  ExprId neighbours = g.binary(Op::Eq, e.a, g.add(e.b, apart));
  a.offset = g.add(from.offset, loop.word(e.factor * uint64_t(by) + e.rest));
  for (const Assumption &known : loop.assumptions)
    if (known.condition == neighbours)
      return true;
  loop.assumptions.push_back(
      {Diag::NarrowCounter, neighbours, "neighbouring indices do not wrap between them"});
  return true;
}

} // namespace

/// Relates each access to an earlier one that moves alike; one relation for each is
/// enough, as the distances of a chain add up.
void relateOffsets(Loop &loop) {
  if (loop.dims.size() != 1)
    return;
  for (size_t i = 1; i < loop.accesses.size(); ++i)
    for (size_t k = 0; k < i; ++k) {
      Access &a = loop.accesses[i];
      const Access &from = loop.accesses[k];
      int64_t known;
      if (walkAlike(loop.exprs, a, from) &&
          (loop.exprs.constantDifference(a.offset, from.offset, known) || relate(loop, a, from)))
        break;
    }
}

} // namespace memlift
