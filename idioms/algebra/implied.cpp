// implied.cpp - derives bounds and equalities from an assumed condition: see simplify.h
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A condition such as 8 <= n - 3 says more than the bound of n - 3. It bounds n, if n
// - 3 does not wrap; it bounds the difference of both sides; and if n - 3 is also at
// most 8, then it is 8. Another rule may need any of these.
//
// So every condition is broken down (a && b; !a; signed comparisons of nonnegative
// values), and each comparison is entered as lower and upper bounds of both sides, of
// the terms inside them and of their difference. Equal bounds become an equality.
// There is no search: one pass for each condition, and a second look at earlier ones
// that became simpler.
#include "simplify.h"

#include <algorithm>

namespace memlift {

/// Matches a single bit of a value, in place: 2^k * (w >> k) - 2^(k+1) * (w >>
/// (k+1)).
bool AssumptionSimplifier::singleBit(ExprId x, uint64_t &bit) const {
  Poly p = g.poly(x);
  for (auto &[m, c] : p) {
    unsigned k;
    if (m.size() != 1 || !powerOfTwo(c, k))
      continue;
    bit = c;
    if (p.size() == 1 && largest(m[0]) == 1)
      return true;
    const Expr e = g[m[0]];
    bool shift = e.op == Op::LShr && g.isConst(e.b, k);
    ExprId whole = shift ? e.a : m[0];
    ExprId above = g.binary(Op::LShr, whole, g.constant(k + 1, g.width(x)));
    if ((shift || k == 0) && g.equal(x, g.sub(g.mul(m[0], g.constant(c, g.width(x))),
                                              g.mul(above, g.constant(2 * c, g.width(x))))))
      return true;
  }
  return false;
}

/// Matches a value that is `from` plus (up) or minus a constant `by` and does not
/// wrap.
bool AssumptionSimplifier::shift(ExprId x, ExprId &from, uint64_t &by, bool &up) const {
  Poly p = g.poly(x);
  auto constant = p.find({});
  unsigned width = g.width(x);
  if (constant == p.end() || p.size() < 2)
    return false;
  uint64_t add = constant->second, less = (0 - add) & maskOf(width);
  p.erase(Monomial());
  from = g.fromPoly(p, width);
  up = saturated(largest(from), add, false) <= maskOf(width) &&
       saturated(largest(from), add, false) != ~uint64_t(0);
  by = up ? add : less;
  return up || atLeast(from, less);
}

/// Enters x >= limit, and what follows for its extension and for its terms.
void AssumptionSimplifier::learnLeast(ExprId x, uint64_t limit) {
  ExprId from;
  uint64_t by, bit;
  bool up;
  least[x] = std::max(least[x], limit);
  if (g.width(x) < 64) {
    uint64_t &wide = least[extended(x, 64, false)];
    wide = std::max(wide, limit);
  }
  if (shift(x, from, by, up) && (!up || limit >= by))
    least[from] = std::max(least[from], up ? limit - by : limit + by);
  if (limit && singleBit(x, bit)) // a bit that is not 0 is set
    noteEqual(x, g.constant(bit, g.width(x)));
  noteLimits(x);
}

/// Enters x <= limit, and what follows for its terms.
void AssumptionSimplifier::learnMost(ExprId x, uint64_t limit) {
  ExprId from, whole;
  unsigned bits, few = 0;
  uint64_t by;
  bool up;
  auto it = most.insert({x, limit}).first;
  it->second = std::min(it->second, limit);
  noteLimits(x);
  if (shift(x, from, by, up) && (!up || limit >= by)) {
    it = most.insert({from, maskOf(g.width(x))}).first;
    it->second = std::min(it->second, up ? limit - by : limit + by);
  }
  // A small remainder: the bits between it and the divisor are 0.
  while (few < 63 && limit >> few)
    ++few;
  if (!remainder(x, whole, bits) || few >= bits)
    return;
  auto part = [&](unsigned k) {
    return tidy(g.mul(shifted(whole, k), g.constant(uint64_t(1) << k, g.width(x))));
  };
  noteEqual(part(few), part(bits));
}

/// Enters a < b, or a <= b.
void AssumptionSimplifier::learn(ExprId a, ExprId b, bool orEqual) {
  if (g.isConst(a))
    learnLeast(b, g[a].value + !orEqual);
  if (g.isConst(b) && (orEqual || g[b].value))
    learnMost(a, g[b].value - !orEqual);
  ordered.push_back({a, b});
  ExprId apart = tidy(g.sub(b, a)), whole;
  unsigned bits;
  least[apart] = std::max<uint64_t>(least[apart], !orEqual);
  // b <= 2^k * (b >> k) is never less, so both are equal
  if (orEqual && multiple(b, whole, bits) && g.equal(whole, a))
    noteEqual(a, b);
}

/// Enters a < b or a <= b of signed values, as far as both are known not to be
/// negative. The bound 0 <= a <= b also shows that b is not negative.
void AssumptionSimplifier::learnSigned(ExprId a, ExprId b, bool orEqual) {
  uint64_t half = maskOf(g.width(a)) >> 1;
  if (largest(a) <= half) { // 0 <= a <= b
    most.insert({b, half});
    most[b] = std::min(most[b], half);
  }
  if (largest(a) <= half && largest(b) <= half)
    learn(a, b, orEqual);
}

/// Enters a == b, and the equality of both extended to 64 bits.
void AssumptionSimplifier::noteEqual(ExprId a, ExprId b) {
  zeros.push_back(tidy(g.sub(a, b)));
  if (g.width(a) < 64 && g.width(a) > 1)
    zeros.push_back(tidy(g.sub(extended(a, 64, false), extended(b, 64, false))));
}

/// Enters an equality if both bounds of x agree.
void AssumptionSimplifier::noteLimits(ExprId x) {
  if (smallest(x) == largest(x))
    noteEqual(x, g.constant(largest(x), g.width(x)));
}

/// Enters a == b; if one is a constant, its bounds too.
void AssumptionSimplifier::learnEqual(ExprId a, ExprId b) {
  noteEqual(a, b);
  if (g.isConst(a))
    std::swap(a, b);
  if (g.isConst(b)) {
    least[a] = std::max(least[a], g[b].value);
    most[a] = g[b].value;
  }
}

/// Assumes a condition. Earlier ones may say more now: -1 < n makes a signed
/// comparison of n with 31 an unsigned one, so they are simplified and entered again.
void AssumptionSimplifier::assume(ExprId condition, bool holds) {
  std::map<ExprId, bool> before = decided;
  suppose(condition, holds);
  for (auto &[c, was] : before) {
    const Expr e = g[c];
    if (e.op != Op::ULt)
      continue;
    ExprId now = compared(e.op, simple(e.a), simple(e.b));
    if (!g.isConst(now) && !decided.count(now))
      suppose(now, was);
  }
}

/// Breaks a condition down into comparisons and enters each.
void AssumptionSimplifier::suppose(ExprId condition, bool holds) {
  ExprId c = simple(condition);
  if (g.isConst(c))
    return;
  decided[c] = holds;
  memo.clear();
  const Expr e = g[c];
  ExprId x, y;
  switch (e.op) {
  case Op::Xor: // !x
    if (e.width == 1 && g.isConst(e.b, 1))
      suppose(e.a, !holds);
    return;
  case Op::And:
  case Op::Or:
    if (e.width == 1 && holds == (e.op == Op::And)) {
      suppose(e.a, holds);
      suppose(e.b, holds);
    }
    return;
  case Op::Eq:
    if (holds)
      learnEqual(e.a, e.b);
    return;
  case Op::ULt: {
    ExprId a = holds ? e.a : e.b, b = holds ? e.b : e.a;
    bool isSigned =
        (g[a].op == Op::Xor || g[b].op == Op::Xor) && stripSign(a, x) && stripSign(b, y);
    if (isSigned)
      learnSigned(x, y, !holds);
    else
      learn(a, b, !holds);
    return;
  }
  default: return;
  }
}

} // namespace memlift
