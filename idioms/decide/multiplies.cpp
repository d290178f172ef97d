// multiplies.cpp - loops in place with products, where these keep other things waiting
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   d[i] += a * s[i]      p = a * s0;  q = a * s1;  d0 += p;  p = a * s2;  d1 += q;  q = a * s3; ..
//
// Rocket's multiplier takes eight bits of a factor a cycle, so that a product of 32 bits is there
// in six cycles and one of 64 in ten: it is to be one of 32 bits in the machine's code, too. And as
// it takes one product at a time, the next one should begin as soon as the last is there.
//
// CVA6 begins one each cycle, and has it in two: what is added in the cycle behind it would be done
// at the same time, and waits. So a group's products stand side by side, and one addition waits for
// all.
#include "decide.h"

#include <algorithm>

namespace memlift {
namespace {

void findProducts(const ExprGraph &g, ExprId id, unsigned bits, std::vector<bool> &seen,
                  std::vector<ExprId> &found) {
  if (id == NoExpr || seen[id] || g.isInvariant(id))
    return;
  seen[id] = true;
  const Expr &e = g[id];
  for (ExprId operand : {e.a, e.b, e.c})
    findProducts(g, operand, bits, seen, found);
  if (e.op == Op::Mul && e.width <= bits)
    found.push_back(id);
}

} // namespace

std::vector<ExprId> multipliesOf(const ExprGraph &g, ExprId value, unsigned bits) {
  std::vector<bool> seen(g.size());
  std::vector<ExprId> found;
  findProducts(g, value, bits, seen, found);
  return found;
}

std::vector<ExprId> multipliesOfGroup(const ExprGraph &g, const InlineLoop &l, size_t first) {
  std::vector<ExprId> all;
  size_t loads = loadsBefore(l, first);
  for (size_t i = first; i < l.stores.size() && loadsBefore(l, i) == loads; ++i)
    for (ExprId id : multipliesOf(g, l.stores[i].value, 64))
      if (std::find(all.begin(), all.end(), id) == all.end())
        all.push_back(id);
  return all;
}

void markMultiplies(const ExprGraph &g, const Core &core, Decision &d) {
  for (InlineLoop &l : d.loops) {
    auto some = [&](unsigned bits) {
      return std::any_of(l.stores.begin(), l.stores.end(), [&](const InlineStore &s) {
        return !multipliesOf(g, s.value, bits).empty();
      });
    };
    l.multiplies = core.multiply > 1 && some(32);
    l.multipliesFirst = core.afterProduct && some(64);
  }
  for (Decision &part : d.parts)
    markMultiplies(g, core, part);
}

} // namespace memlift
