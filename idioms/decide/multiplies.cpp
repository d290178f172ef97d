// multiplies.cpp - schedules products of loops in place where they stall other instructions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   d[i] += a * s[i]      p = a * s0;  q = a * s1;  d0 += p;  p = a * s2;  d1 += q;  q = a * s3; ..
//
// Rocket's multiplier takes eight bits of a factor a cycle: a product of 32 bits takes six
// cycles, one of 64 bits ten. So it should be one of 32 bits in machine code, too. The multiplier
// does one product at a time, so the next one should start as soon as the last is done.
//
// CVA6 starts one product a cycle, and it takes two. An addition in the following cycle would
// finish at the same time and stalls. So a group's products are computed one right after the
// other, and only one addition waits.
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

/// Stores that have the same number of loads before them are in one group.
std::vector<ExprId> multipliesOfGroup(const ExprGraph &g, const InlineLoop &l, size_t first) {
  std::vector<ExprId> all;
  size_t loads = loadsBefore(l, first);
  for (size_t i = first; i < l.stores.size() && loadsBefore(l, i) == loads; ++i)
    for (ExprId id : multipliesOf(g, l.stores[i].value, 64))
      if (std::find(all.begin(), all.end(), id) == all.end())
        all.push_back(id);
  return all;
}

/// Marks loops only for cores on which it matters, and only if a value has a product.
void markMultiplies(const ExprGraph &g, const Options &options, Decision &d) {
  const Core &core = coreOf(options);
  for (InlineLoop &l : d.loops) {
    auto some = [&](unsigned bits) {
      return std::any_of(l.stores.begin(), l.stores.end(), [&](const InlineStore &s) {
        return !multipliesOf(g, s.value, bits).empty();
      });
    };
    l.multiplies = options.compiler.widensProducts && core.multiply > 1 && some(32);
    l.multipliesFirst = core.afterProduct && some(64);
  }
}

} // namespace memlift
