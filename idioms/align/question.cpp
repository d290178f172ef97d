// question.cpp - is this value a multiple of a power of two where it is used?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "question.h"

#include <algorithm>

namespace memlift {

// Facts have no numbers yet that anybody is told.
constexpr unsigned unnamed = 0;

ExprId AlignQuestion::leaf(unsigned width, unsigned zeroBits) {
  ExprId r = g.leaf(Op::Sym, nextLeaf++, width);
  if (zeroBits)
    leaves.push_back({r, zeroBits});
  return r;
}

/// start + step * count, with a constant step.
bool AlignQuestion::isCounted(const Merge &m, Congruences &c) {
  if (m.loop == noLoop || m.values.size() != 2 || m.inside[0] == m.inside[1])
    return false;
  ExprId start = m.values[m.inside[0]], next = m.values[!m.inside[0]];
  ExprId step = g.sub(next, m.self);
  for (const auto &term : g.poly(step))
    if (!term.first.empty())
      return false;
  auto count = counts.emplace(m.loop, NoExpr).first;
  if (count->second == NoExpr)
    count->second = leaf(64);
  unsigned width = g.width(m.self);
  ExprId moved = g.mul(step, g.zextOrTrunc(count->second, width));
  c.equal(m.self, g.add(start, moved), width, unnamed);
  return true;
}

/// From what holds where the merge is: what is so of all values that come in. Of a
/// loop's header: what is so of those from outside, and stays so.
void AlignQuestion::learn(const Merge &m, Congruences &all) {
  if (isCounted(m, all))
    return;
  Congruences here = all;
  for (const Test &t : tests)
    if (t.from != m.block && dominates(t.from, m.block))
      here.assume(t.condition, t.holds, unnamed);
  std::vector<ExprId> first, again;
  for (size_t k = 0; k < m.values.size(); ++k)
    (m.inside[k] ? again : first).push_back(m.values[k]);
  unsigned bits = first.empty() ? 0 : 64;
  for (ExprId v : first)
    bits = std::min(bits, here.agreeing(first[0], v));
  for (; bits; --bits) {
    Congruences supposed = here;
    supposed.equal(m.self, first[0], bits, unnamed);
    bool stays = true;
    for (ExprId v : again)
      stays = stays && supposed.agreeing(v, first[0]) >= bits;
    if (!stays)
      continue;
    all.equal(m.self, first[0], bits, unnamed);
    return;
  }
}

/// What holds on that way; tests behind the merge are ones of what came in.
void AlignQuestion::take(const Way &way, Congruences &c) {
  for (auto [merged, in] : way.values)
    c.equal(merged, in, 64, unnamed);
  for (const Test &t : way.tests)
    c.assume(t.condition, t.holds, unnamed);
  for (const Test &t : tests) {
    std::map<ExprId, ExprId> with(way.values.begin(), way.values.end());
    c.assume(g.substitute(t.condition, with), t.holds, unnamed);
  }
}

/// What holds at the use, for each way to it.
std::vector<Congruences> AlignQuestion::cases() {
  Congruences base(g);
  for (auto [leaf, zeros] : leaves)
    base.zero(leaf, zeros, unnamed);
  std::stable_sort(merges.begin(), merges.end(), [](const Merge &a, const Merge &b) {
    return a.block < b.block;
  });
  for (const Merge &m : merges)
    learn(m, base);
  for (const Test &t : tests)
    base.assume(t.condition, t.holds, unnamed);
  std::vector<Congruences> list{base};
  for (const std::vector<Way> &ways : splits) {
    std::vector<Congruences> finer;
    for (const Congruences &before : list)
      for (const Way &way : ways) {
        Congruences c = before;
        take(way, c);
        if (!c.impossible())
          finer.push_back(std::move(c));
      }
    list = std::move(finer);
  }
  return list;
}

Aligned AlignQuestion::aligned(ExprId value, unsigned bits) {
  bool always = true, never = true;
  for (Congruences &c : cases()) {
    Aligned answer = c.aligned(value, bits);
    always &= answer == Aligned::Always;
    never &= answer == Aligned::Never;
  }
  return always ? Aligned::Always : never ? Aligned::Never : Aligned::Unknown;
}

unsigned AlignQuestion::zeroBits(ExprId value, unsigned limit) {
  for (Congruences &c : cases())
    limit = std::min(limit, c.zeroBits(value, limit));
  return limit;
}

} // namespace memlift
