// congruence.cpp - linear equations over Z/2^64, and answers from them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Howell form has at most one row for each leading monomial, and its coefficient is a power of
// two. With each row the form also has the remainder of that row when it is multiplied until its
// leading term vanishes.
#include "congruence.h"

#include <algorithm>

namespace memlift {

// Limits on facts; no program has more to say of one pointer.
constexpr size_t mostRows = 256, mostTerms = 32;
// Limit on the steps of a proof: terms that are added up. The sources of the tests take at most
// 138. A sum that is folded and unrolled many times would take thousands, for each pointer.
constexpr size_t mostSteps = 1024;

static unsigned zeros(uint64_t v) { return v ? unsigned(__builtin_ctzll(v)) : 64; }

/// Returns the inverse of `odd` modulo 2^64.
static uint64_t inverse(uint64_t odd) {
  uint64_t x = odd; // right in its lowest three bits
  for (int i = 0; i < 5; ++i)
    x *= 2 - odd * x;
  return x;
}

template <typename Terms> static void scale(Terms &p, uint64_t by) {
  for (auto it = p.begin(); it != p.end();)
    it = (it->second *= by) ? std::next(it) : p.erase(it);
}

/// Adds b, multiplied by `by`, to a.
template <typename Terms> static void accumulate(Terms &a, const Terms &b, uint64_t by) {
  for (const auto &[m, c] : b)
    if (!(a[m] += by * c))
      a.erase(m);
}

Congruences::Terms Congruences::termsOf(ExprId id) const {
  Poly p = g.poly(id);
  return Terms(p.begin(), p.end());
}

Congruences::Row Congruences::row(Terms p, unsigned bits, Sources from) {
  if (bits == 0)
    return Row();
  scale(p, uint64_t(1) << (64 - bits));
  return {std::move(p), std::move(from)};
}

/// Returns the equation a - b = 0 in the lowest `bits`. Of a narrow value only its own bits are
/// known: its polynomial modulo 2^width.
Congruences::Row Congruences::difference(ExprId a, ExprId b, unsigned bits, Sources from) const {
  Terms p = termsOf(a);
  accumulate(p, termsOf(b), ~uint64_t(0));
  return row(std::move(p), std::min({bits, g.width(a), g.width(b), 64u}), std::move(from));
}

void Congruences::reduce(Row &row) const {
  auto end = row.terms.end();
  while (end != row.terms.begin() && steps < mostSteps) {
    auto at = std::prev(end);
    auto known = rows.find(at->first);
    if (known == rows.end() || zeros(known->second.terms.rbegin()->second) > zeros(at->second)) {
      end = at;
      continue;
    }
    const Row &r = known->second;
    uint64_t times = at->second >> zeros(r.terms.rbegin()->second);
    Monomial m = at->first;
    accumulate(row.terms, r.terms, 0 - times);
    steps += r.terms.size();
    row.from.insert(r.from.begin(), r.from.end());
    end = row.terms.lower_bound(m); // the remaining terms are below this one
  }
}

/// Stores a row under its leading monomial; no other row reduces it.
void Congruences::store(Row row) {
  uint64_t lead = row.terms.rbegin()->second;
  unsigned z = zeros(lead);
  scale(row.terms, inverse(lead >> z));
  Monomial m = row.terms.rbegin()->first;
  Row rest = row;
  auto old = rows.find(m);
  if (old == rows.end()) {
    rows.emplace(m, std::move(row));
  } else {
    std::swap(old->second, row);
    insert(std::move(row));
  }
  if (z == 0)
    return;
  scale(rest.terms, uint64_t(1) << (64 - z));
  insert(std::move(rest));
}

void Congruences::insert(Row row) {
  reduce(row);
  bool small = rows.size() < mostRows && row.terms.size() <= mostTerms;
  // A larger row might not be reduced to its end.
  if (!row.terms.empty() && small && steps < mostSteps)
    store(std::move(row));
}

/// Adds a fact, together with the definitions of its atoms.
void Congruences::add(Row row) {
  define(row.terms);
  insert(std::move(row));
}

bool Congruences::follows(Row row, Sources *why) const {
  row.from.clear();
  reduce(row);
  row.from.erase(byDefinition);
  if (row.terms.empty() && why)
    why->insert(row.from.begin(), row.from.end());
  return row.terms.empty();
}

unsigned Congruences::agreeing(ExprId a, ExprId b, Sources *why) {
  define(difference(a, b, 64).terms);
  unsigned most = std::min({g.width(a), g.width(b), 64u}), least = 0;
  while (least < most) { // binary search: if more bits agree, so do fewer
    unsigned middle = (least + most + 1) / 2;
    if (follows(difference(a, b, middle), nullptr))
      least = middle;
    else
      most = middle - 1;
  }
  if (least)
    follows(difference(a, b, least), why);
  return least;
}

unsigned Congruences::zeroBits(ExprId a, unsigned limit, Sources *why) {
  Terms p = termsOf(a);
  define(p);
  unsigned most = std::min({g.width(a), 64u, limit}), least = 0;
  while (least < most) { // binary search: if more bits are zero, so are fewer
    unsigned middle = (least + most + 1) / 2;
    if (follows(row(p, middle, {}), nullptr))
      least = middle;
    else
      most = middle - 1;
  }
  if (least)
    follows(row(p, least, {}), why);
  return least;
}

Aligned Congruences::aligned(ExprId address, unsigned bits, Sources *why) {
  if (bits > std::min(g.width(address), 64u))
    return Aligned::Unknown;
  if (zeroBits(address, bits, why) >= bits)
    return Aligned::Always;
  if (why)
    why->clear();
  Terms p = termsOf(address);
  for (unsigned k = 1; k <= bits; ++k) { // a known remainder that is not 0
    Row rest = row(p, k, {});
    reduce(rest);
    if (rest.terms.size() != 1 || !rest.terms.begin()->first.empty())
      continue;
    if (why)
      why->insert(rest.from.begin(), rest.from.end());
    return Aligned::Never;
  }
  return Aligned::Unknown;
}

std::set<ExprId> Congruences::beyond(ExprId address, unsigned bits) {
  Row rest = row(termsOf(address), std::min({bits, g.width(address), 64u}), {});
  define(rest.terms);
  reduce(rest);
  std::set<ExprId> atoms;
  for (const auto &term : rest.terms)
    atoms.insert(term.first.begin(), term.first.end());
  return atoms;
}

void Congruences::equal(ExprId a, ExprId b, unsigned bits, const Sources &sources) {
  add(difference(a, b, bits, sources));
  saturate(sources);
}

void Congruences::zero(ExprId a, unsigned bits, unsigned source) {
  learnZero(a, bits, {source});
  saturate({source});
}

void Congruences::learnZero(ExprId value, unsigned bits, const Sources &sources) {
  add(row(termsOf(value), std::min({bits, g.width(value), 64u}), sources));
}

} // namespace memlift
