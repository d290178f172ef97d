// residue.cpp - follows sums modulo m through their reductions; residue.h explains the idea
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "residue.h"
#include "oneinput.h"

#include <algorithm>
#include <set>

namespace memlift {

namespace {

/// Limits on the values of t that are tried, and on the steps for them in all.
constexpr uint64_t maxValues = uint64_t(1) << 21;
constexpr uint64_t maxSteps = uint64_t(1) << 26;

/// Evaluates modulo m, given the largest start value of each recurrence.
class ResidueEvaluator {
public:
  ResidueEvaluator(Loop &loop, uint64_t modulus, const std::vector<uint64_t> &most)
      : loop(loop), g(loop.exprs), m(modulus), most(most) {}
  Residue of(ExprId id);

private:
  Loop &loop;
  const ExprGraph &g;
  uint64_t m;
  const std::vector<uint64_t> &most;
  std::map<ExprId, Residue> known;
  int budget = 4000;
  uint64_t steps = 0;

  Residue compute(ExprId id);
  Residue leaf(ExprId id);
  Residue exact(const Expr &e);
  Residue scaled(ExprId id, uint64_t factor, unsigned width);
  Residue remainder(const Expr &e);
  Residue subtracted(const Expr &e);
  Residue folded(const Expr &e);
  Residue tried(ExprId id);
  bool tryOn(ExprId id, ExprId t, Residue &r);
  void sums(ExprId id, std::vector<ExprId> &found, std::set<ExprId> &seen);
};

/// A recurrence, a constant, or a sum of bytes that does not wrap.
Residue ResidueEvaluator::leaf(ExprId id) {
  const Expr &e = g[id];
  Residue r;
  r.zeroOnly = true;
  if (e.op == Op::Const) {
    r.ok = true;
    r.sum.constant = r.most = e.value;
    return r;
  }
  if (e.op == Op::Rec) {
    r.ok = true;
    r.sum.terms[{Unit::Rec, uint32_t(e.value), 0}] = 1;
    r.most = std::min(most[e.value], maskOf(e.width));
    return r;
  }
  Linear form = linearOf(loop, id);
  if (!form.ok || !form.bounded || form.high > __int128(maskOf(e.width)))
    return Residue();
  for (auto &[unit, factor] : form.terms)
    if (unit.kind != Unit::Byte)
      return Residue();
  r.ok = true;
  r.sum = form;
  r.most = uint64_t(form.high);
  return r;
}

/// Multiplies by a constant, if the product does not wrap.
Residue ResidueEvaluator::scaled(ExprId id, uint64_t factor, unsigned width) {
  Residue r = of(id);
  if (!r.ok || !factor || r.most > maskOf(width) / factor)
    return Residue();
  for (auto &term : r.sum.terms)
    term.second *= factor;
  r.sum.constant *= factor;
  r.most *= factor;
  return r;
}

/// Operations that are those of the integers because nothing wraps. A mask, a
/// truncation or an extension by the sign counts where it changes no value.
Residue ResidueEvaluator::exact(const Expr &e) {
  Residue x, y;
  switch (e.op) {
  case Op::Add:
    x = of(e.a);
    if (x.ok)
      y = of(e.b);
    if (!x.ok || !y.ok || x.most > maskOf(e.width) - y.most)
      return Residue();
    for (auto &[unit, factor] : y.sum.terms)
      x.sum.terms[unit] += factor;
    x.sum.constant += y.sum.constant;
    x.most += y.most;
    x.zeroOnly &= y.zeroOnly;
    return x;
  case Op::Mul: return g.isConst(e.b) ? scaled(e.a, g[e.b].value, e.width) : Residue();
  case Op::Shl:
    return g.isConst(e.b) && g[e.b].value < e.width
               ? scaled(e.a, uint64_t(1) << g[e.b].value, e.width)
               : Residue();
  case Op::ZExt: return of(e.a);
  case Op::And: { // a mask of low bits that changes no value
    uint64_t mask = g.isConst(e.b) ? g[e.b].value : 0;
    x = mask && !(mask & (mask + 1)) ? of(e.a) : x;
    return x.ok && x.most <= mask ? x : Residue();
  }
  case Op::SExt: x = of(e.a); return x.ok && x.most <= maskOf(g.width(e.a)) >> 1 ? x : Residue();
  case Op::Trunc: x = of(e.a); return x.ok && x.most <= maskOf(e.width) ? x : Residue();
  default: return Residue();
  }
}

/// x % m, or x modulo a multiple of m. If x can reach the divisor, a sum that is not
/// 0 may become 0.
Residue ResidueEvaluator::remainder(const Expr &e) {
  if (e.op != Op::URem && e.op != Op::SRem)
    return Residue();
  Residue x = of(e.a);
  uint64_t by = g[e.b].value;
  bool negative = e.op == Op::SRem && x.most > maskOf(e.width) >> 1;
  if (!x.ok || by % m || negative)
    return Residue();
  // If the remainder changes nothing, 0 still means a sum of 0.
  x.zeroOnly &= x.most < by;
  x.most = std::min(x.most, by - 1);
  return x;
}

/// Matches x - by.
bool isDifference(const ExprGraph &g, ExprId id, ExprId x, uint64_t &by) {
  const Expr &e = g[id];
  if ((e.op != Op::Sub && e.op != Op::Add) || e.a != x || !g.isConst(e.b))
    return false;
  by = (e.op == Op::Sub ? g[e.b].value : 0 - g[e.b].value) & maskOf(e.width);
  return by != 0;
}

/// Matches a condition `x < limit`, or with `inverted` its negation. `less` is x -
/// by. The comparison x < x - by is one of these, too: it holds exactly if the
/// subtraction wrapped, x < by.
bool isLimit(const ExprGraph &g, ExprId cond, ExprId x, ExprId less, uint64_t by, uint64_t &limit,
             bool &inverted) {
  const Expr &e = g[cond];
  inverted = false;
  if (e.op == Op::Xor && g.isConst(e.b, 1) && e.width == 1) {
    bool found = isLimit(g, e.a, x, less, by, limit, inverted);
    inverted = !inverted;
    return found;
  }
  if (e.op != Op::ULt && e.op != Op::ULe)
    return false;
  inverted = e.b == x;
  if (!inverted && e.a != x)
    return false;
  ExprId other = inverted ? e.a : e.b;
  if (other == less) { // x < x - by: the subtraction wrapped, so x < by
    limit = by;
    return true;
  }
  if (!g.isConst(other) || g[other].value == maskOf(g.width(other)))
    return false;
  // x < C, x <= C; inverted: C < x, C <= x
  bool plusOne = inverted == (e.op == Op::ULt);
  limit = g[other].value + plusOne;
  return true;
}

/// Matches x < limit ? x : x - by. The class stays if by is a multiple of m, and
/// nothing wraps if limit >= by.
Residue ResidueEvaluator::subtracted(const Expr &e) {
  if (e.op != Op::Select)
    return Residue();
  for (bool swap : {false, true}) {
    ExprId x = swap ? e.c : e.b, less = swap ? e.b : e.c;
    uint64_t by, limit;
    bool inverted;
    if (!isDifference(g, less, x, by) || by % m || !isLimit(g, e.a, x, less, by, limit, inverted) ||
        inverted != swap)
      continue;
    Residue r = of(x);
    if (!r.ok || r.most < limit)
      return r;
    if (limit < by)
      return Residue();
    // With limit == by, x == by becomes 0.
    r.zeroOnly &= limit > by;
    r.most = std::max(limit - 1, r.most - by);
    return r;
  }
  return Residue();
}

/// Looks through extensions by zeros.
ExprId strip(const ExprGraph &g, ExprId id) {
  while (g[id].op == Op::ZExt)
    id = g[id].a;
  return id;
}

/// Matches (x & (2^k - 1)) + (x >> k) where m divides 2^k - 1. With x = hi * 2^k + lo
/// the result is hi + lo, which is x modulo 2^k - 1. It is 0 only for 0.
Residue ResidueEvaluator::folded(const Expr &e) {
  if (e.op != Op::Add)
    return Residue();
  for (bool swap : {false, true}) {
    ExprId low = strip(g, swap ? e.b : e.a), high = strip(g, swap ? e.a : e.b);
    const Expr &l = g[low], &h = g[high];
    if (h.op != Op::LShr || !g.isConst(h.b) || g[h.b].value >= h.width)
      continue;
    unsigned k = unsigned(g[h.b].value);
    bool mask = l.op == Op::And && g.isConst(l.b, maskOf(k));
    bool cut = l.op == Op::Trunc && l.width == k;
    if (!(mask || cut) || strip(g, l.a) != strip(g, h.a) || maskOf(k) % m)
      continue;
    Residue r = of(h.a);
    if (!r.ok || r.most <= maskOf(k))
      return r;
    // The largest result: the low part is all ones with the highest part less one, or
    // the fold of the largest value.
    uint64_t q = r.most >> k;
    r.most = std::max(maskOf(k) + (q - 1), (r.most & maskOf(k)) + q);
    return r.most <= maskOf(e.width) ? r : Residue();
  }
  return Residue();
}

/// Collects the sums that the value may depend on, the outermost ones first.
void ResidueEvaluator::sums(ExprId id, std::vector<ExprId> &found, std::set<ExprId> &seen) {
  if (id == NoExpr || --budget < 0 || !seen.insert(id).second)
    return;
  const Expr &e = g[id];
  if (e.op == Op::Add)
    found.push_back(id);
  for (ExprId operand : {e.a, e.b, e.c})
    sums(operand, found, seen);
}

/// Runs `id` on all values of t and checks that it keeps the class modulo m. The
/// first value that is run is the largest, where a wrong guess mostly shows.
bool ResidueEvaluator::tryOn(ExprId id, ExprId t, Residue &r) {
  OneInput run(g, id, t);
  if (!run.ok())
    return false;
  r = of(t);
  if (!r.ok || r.most > maxValues || run.at(r.most) % m != r.most % m)
    return false;
  steps += r.most * run.size();
  if (steps > maxSteps)
    return false;
  uint64_t top = 0;
  bool zeroOnly = true;
  for (uint64_t v = 0; v <= r.most; ++v) {
    uint64_t result = run.at(v);
    if (result % m != v % m)
      return false;
    top = std::max(top, result);
    zeroOnly &= (result == 0) == (v == 0);
  }
  r.most = top;
  r.zeroOnly &= zeroOnly;
  return true;
}

/// Tries the sums inside an expression, one after the other, as its only input t.
Residue ResidueEvaluator::tried(ExprId id) {
  std::vector<ExprId> found;
  std::set<ExprId> seen;
  sums(id, found, seen);
  Residue r;
  for (ExprId t : found)
    if (t != id && tryOn(id, t, r))
      return r;
  return Residue();
}

/// Tries the known forms, which are cheap, before the exhaustive run.
Residue ResidueEvaluator::compute(ExprId id) {
  const Expr e = g[id];
  if (e.width > 64 || g.isInvariant(id))
    return e.op == Op::Const ? leaf(id) : Residue();
  for (auto step : {&ResidueEvaluator::exact, &ResidueEvaluator::remainder,
                    &ResidueEvaluator::subtracted, &ResidueEvaluator::folded}) {
    Residue r = (this->*step)(e);
    if (r.ok)
      return r;
  }
  Residue r = leaf(id);
  return r.ok ? r : tried(id);
}

/// Evaluates an expression once.
Residue ResidueEvaluator::of(ExprId id) {
  auto it = known.find(id);
  if (it != known.end())
    return it->second;
  known[id] = Residue(); // a value that depends on itself is none
  if (--budget < 0)
    return Residue();
  return known[id] = compute(id);
}

struct Moduli {
  std::vector<uint64_t> divisors, others;
  std::set<ExprId> seen;
};

/// Collects constants that may be moduli. Divisors come first; masks, shifts, limits
/// and multipliers are guesses, which residueOf() then confirms or refutes.
void collect(const ExprGraph &g, ExprId id, Moduli &found) {
  if (id == NoExpr || found.seen.size() > 1000 || !found.seen.insert(id).second)
    return;
  const Expr &e = g[id];
  bool constant = e.b != NoExpr && g.isConst(e.b);
  uint64_t c = constant ? g[e.b].value : 0;
  if (constant && (e.op == Op::URem || e.op == Op::SRem))
    found.divisors.push_back(c);
  else if (constant && e.op == Op::LShr && c < 64)
    found.others.push_back(maskOf(unsigned(c)));
  else if (constant && e.op == Op::Sub)
    found.others.push_back(c);
  else if (constant && e.op == Op::Add)
    found.others.push_back((0 - c) & maskOf(e.width));
  for (ExprId operand : {e.a, e.b, e.c})
    collect(g, operand, found);
  if (e.op == Op::Select)
    for (ExprId arm : {e.b, e.c}) // x - (x < m ? 0 : m)
      if (g.isConst(arm) && !g.isConst(arm, 0)) {
        found.others.push_back(g[arm].value);
        found.others.push_back((0 - g[arm].value) & maskOf(e.width));
      }
  if (e.op == Op::And && constant)
    found.others.push_back(c);
  if (e.op == Op::Mul && constant) {
    found.others.push_back(c);
    found.others.push_back((0 - c) & maskOf(e.width));
  }
}

} // namespace

Residue residueOf(Loop &loop, ExprId id, uint64_t modulus, const std::vector<uint64_t> &most) {
  return ResidueEvaluator(loop, modulus, most).of(id);
}

/// A wrong candidate costs only the time to refute it. So at most 12 are returned,
/// the divisors of remainders before all others.
std::vector<uint64_t> moduliIn(const Loop &loop, ExprId id) {
  Moduli found;
  collect(loop.exprs, id, found);
  std::vector<uint64_t> all = found.divisors, result;
  all.insert(all.end(), found.others.begin(), found.others.end());
  for (uint64_t m : all)
    if (m >= 2 && m <= uint64_t(1) << 32 && result.size() < 12 &&
        std::find(result.begin(), result.end(), m) == result.end())
      result.push_back(m);
  return result;
}

} // namespace memlift
