// products.cpp - loops in place that keep a core's only multiplier busy
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   d[i] += a * s[i]      p = a * s0;  q = a * s1;  d0 += p;  p = a * s2;  d1 += q;  q = a * s3; ..
//
// Rocket's multiplier takes eight bits of a factor a cycle, so that a product of 32 bits is there in six
// cycles and one of 64 in ten: it is to be one of 32 bits in the machine's code, too. And as it takes
// one product at a time, the next one should begin as soon as the last is there.
#include "decide.h"

namespace memlift {
namespace {

void findProducts(const ExprGraph &g, ExprId id, std::vector<bool> &seen,
                  std::vector<ExprId> &found) {
  if (id == NoExpr || seen[id] || g.isInvariant(id))
    return;
  seen[id] = true;
  const Expr &e = g[id];
  for (ExprId operand : {e.a, e.b, e.c})
    findProducts(g, operand, seen, found);
  if (e.op == Op::Mul && e.width <= 32)
    found.push_back(id);
}

} // namespace

std::vector<ExprId> productsOf(const ExprGraph &g, ExprId value) {
  std::vector<bool> seen(g.size());
  std::vector<ExprId> found;
  findProducts(g, value, seen, found);
  return found;
}

void markProducts(const ExprGraph &g, const Core &core, Decision &d) {
  if (core.multiply <= 1)
    return;
  for (InlineLoop &l : d.loops) {
    std::vector<bool> seen(g.size());
    std::vector<ExprId> found;
    for (const InlineStore &s : l.stores)
      findProducts(g, s.value, seen, found);
    l.products = !found.empty();
  }
  for (Decision &part : d.parts)
    markProducts(g, core, part);
}

} // namespace memlift
