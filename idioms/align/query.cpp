// query.cpp - decides whether a value is a multiple of a power of two where it is used
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "query.h"

#include <algorithm>

namespace memlift {

ExprId AlignQuery::leaf(unsigned width, unsigned zeroBits, AlignFact fact) {
  ExprId r = g.leaf(Op::Sym, nextLeaf++, width);
  leaves.push_back({r, zeroBits, fact});
  return r;
}

AlignQuery::Test AlignQuery::either(Block at, const Test &a, const Test &b) {
  auto so = [this](const Test &t) {
    return t.holds ? t.condition : g.binary(Op::Xor, t.condition, g.constant(1, 1));
  };
  ExprId first = so(a), second = so(b);
  return {at, g.binary(Op::Or, first, second), true, b.fact};
}

unsigned AlignQuery::number(AlignFact fact) {
  facts.push_back(fact);
  return unsigned(facts.size() - 1);
}

/// Matches start + step * count, with a constant step.
bool AlignQuery::isCounted(const Phi &m, Congruences &c) {
  if (m.loop == noLoop || m.values.size() != 2 || m.inside[0] == m.inside[1])
    return false;
  ExprId start = m.values[m.inside[0]], next = m.values[!m.inside[0]];
  ExprId step = g.sub(next, m.self);
  for (const auto &term : g.poly(step))
    if (!term.first.empty())
      return false;
  auto count = counts.emplace(m.loop, NoExpr).first;
  if (count->second == NoExpr)
    count->second = leaf(64, 0, m.fact);
  unsigned width = g.width(m.self);
  ExprId moved = g.mul(step, g.zextOrTrunc(count->second, width));
  c.equal(m.self, g.add(start, moved), width, {number(m.fact)});
  return true;
}

/// Adds what all incoming values of a phi have in common. For a loop's header: what
/// holds of the values from outside, and is preserved by the loop.
void AlignQuery::learn(const Phi &m, Congruences &all) {
  if (isCounted(m, all))
    return;
  Congruences here = all;
  for (const Test &t : tests)
    if (t.from != m.block && dominates(t.from, m.block))
      here.assume(t.condition, t.holds, number(t.fact));
  std::vector<ExprId> first, again;
  for (size_t k = 0; k < m.values.size(); ++k)
    (m.inside[k] ? again : first).push_back(m.values[k]);
  Congruences::Sources why{number(m.fact)};
  unsigned bits = first.empty() ? 0 : 64;
  for (ExprId v : first)
    bits = std::min(bits, here.agreeing(first[0], v, v == first[0] ? nullptr : &why));
  for (; bits; --bits) {
    Congruences supposed = here;
    supposed.equal(m.self, first[0], bits, why);
    bool stays = true;
    Congruences::Sources used = why;
    for (ExprId v : again)
      stays = stays && supposed.agreeing(v, first[0], &used) >= bits;
    if (!stays)
      continue;
    all.equal(m.self, first[0], bits, used);
    return;
  }
}

/// Adds the facts of an incoming edge; tests after the phi apply to its incoming
/// value.
void AlignQuery::take(const IncomingEdge &edge, Congruences &c) {
  for (auto [merged, in] : edge.values)
    c.equal(merged, in, 64, {number({})});
  for (const Test &t : edge.tests)
    c.assume(t.condition, t.holds, number(t.fact));
  for (const Test &t : tests) {
    std::map<ExprId, ExprId> with(edge.values.begin(), edge.values.end());
    c.assume(g.substitute(t.condition, with), t.holds, number(t.fact));
  }
}

/// Builds the facts that hold at the use, for each combination of incoming edges.
std::vector<Congruences> AlignQuery::cases() {
  facts.clear();
  Congruences base(g);
  for (const Leaf &l : leaves)
    if (l.zeroBits)
      base.zero(l.self, l.zeroBits, number(l.fact));
  std::stable_sort(phis.begin(), phis.end(),
                   [](const Phi &a, const Phi &b) { return a.block < b.block; });
  for (const Phi &m : phis)
    learn(m, base);
  for (const Test &t : tests)
    base.assume(t.condition, t.holds, number(t.fact));
  std::vector<Congruences> list{base};
  for (const std::vector<IncomingEdge> &incoming : splits) {
    std::vector<Congruences> finer;
    for (const Congruences &before : list)
      for (const IncomingEdge &edge : incoming) {
        Congruences c = before;
        take(edge, c);
        if (!c.impossible())
          finer.push_back(std::move(c));
      }
    list = std::move(finer);
  }
  return list;
}

void AlignQuery::explain(const Congruences::Sources &used, AlignProof *how) const {
  if (!how)
    return;
  for (unsigned n : used)
    if (facts[n].what)
      how->facts.insert(facts[n]);
}

/// Finds the leaves that keep `value` from being a multiple of 2^bits. It looks
/// through phis, since an incoming value is the cause and not the phi.
void AlignQuery::blame(std::vector<Congruences> &all, ExprId value, unsigned bits,
                       AlignProof *how) {
  if (!how)
    return;
  how->broken = true;
  how->facts.clear();
  std::set<ExprId> seen{value};
  std::vector<ExprId> left{value};
  for (; !left.empty() && seen.size() < mostFacts;) {
    ExprId at = left.back();
    left.pop_back();
    std::set<ExprId> atoms;
    for (Congruences &c : all)
      for (ExprId atom : c.beyond(at, bits))
        atoms.insert(atom);
    for (ExprId atom : atoms) {
      for (const Leaf &l : leaves)
        if (l.self == atom && l.fact.what)
          how->facts.insert(l.fact);
      for (const Phi &m : phis)
        if (m.self == atom)
          for (ExprId v : m.values)
            if (seen.insert(v).second)
              left.push_back(v);
    }
  }
}

Aligned AlignQuery::aligned(ExprId value, unsigned bits, AlignProof *how) {
  bool always = true, never = true;
  std::vector<Congruences> all = cases();
  for (Congruences &c : all) {
    Congruences::Sources used;
    Aligned answer = c.aligned(value, bits, how ? &used : nullptr);
    explain(used, how);
    always &= answer == Aligned::Always;
    never &= answer == Aligned::Never;
  }
  if (!always && !never)
    blame(all, value, bits, how);
  return always ? Aligned::Always : never ? Aligned::Never : Aligned::Unknown;
}

unsigned AlignQuery::zeroBits(ExprId value, unsigned limit, AlignProof *how) {
  unsigned bits = limit;
  std::vector<Congruences> all = cases();
  for (Congruences &c : all) {
    Congruences::Sources used;
    bits = std::min(bits, c.zeroBits(value, bits, how ? &used : nullptr));
    explain(used, how);
  }
  if (bits < limit)
    blame(all, value, bits + 1, how);
  return bits;
}

} // namespace memlift
