// simplify.cpp - simplifies expressions under assumptions; simplify.h explains the idea
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simplify.h"

#include <algorithm>

namespace memlift {

/// Matches x ^ sign bit, the form in which signed comparisons are unsigned ones, and
/// constants, which have no such form of their own.
bool AssumptionSimplifier::stripSign(ExprId x, ExprId &value) const {
  const Expr e = g[x];
  uint64_t sign = uint64_t(1) << (e.width - 1);
  if (e.op == Op::Const) {
    value = g.constant(e.value ^ sign, e.width);
    return true;
  }
  value = e.a;
  return e.op == Op::Xor && g.isConst(e.b, sign);
}

/// Lower bound of the expression.
uint64_t AssumptionSimplifier::smallest(ExprId x) const {
  auto known = least.find(x);
  uint64_t limit = known == least.end() ? 0 : known->second;
  const Expr &e = g[x];
  ExprId whole;
  unsigned bits;
  if (e.op == Op::Mul && multiple(x, whole, bits))
    limit = std::max(limit, smallest(whole) >> bits << bits);
  return e.op == Op::ZExt ? std::max(limit, smallest(e.a)) : e.op == Op::Const ? e.value : limit;
}

/// Upper bound of the expression; the mask of its width if nothing is known.
uint64_t AssumptionSimplifier::largest(ExprId x, unsigned budget) const {
  uint64_t all = maskOf(g.width(x)), limit = all;
  auto known = most.find(x);
  if (known != most.end())
    limit = known->second;
  const Expr e = g[x];
  if (!budget)
    return limit;
  switch (e.op) {
  case Op::Add:
    return std::min(limit, saturated(largest(e.a, budget - 1), largest(e.b, budget - 1), false));
  case Op::Mul:
    return std::min(limit, saturated(largest(e.a, budget - 1), largest(e.b, budget - 1), true));
  case Op::ZExt: return std::min(limit, largest(e.a, budget - 1));
  case Op::LShr:
    return g.isConst(e.b) && g[e.b].value < e.width
               ? std::min(limit, largest(e.a, budget - 1) >> g[e.b].value)
               : limit;
  case Op::Sub: { // x - 2^k * (x >> k)
    ExprId whole;
    unsigned bits;
    return remainder(x, whole, bits) ? std::min(limit, maskOf(bits)) : limit;
  }
  default: return std::min(limit, upperBound(loop, x));
  }
}

/// Matches whole - 2^bits * (whole >> bits), the remainder of a division by 2^bits.
bool AssumptionSimplifier::remainder(ExprId x, ExprId &whole, unsigned &bits) const {
  Poly p = g.poly(x);
  uint64_t mask = maskOf(g.width(x));
  for (auto &[m, c] : p) {
    unsigned log;
    if (m.size() != 1 || !powerOfTwo((0 - c) & mask, log))
      continue;
    const Expr e = g[m[0]];
    if (e.op != Op::LShr || !g.isConst(e.b, log) || log == 0)
      continue;
    Poly rest = p;
    rest.erase(m);
    if (rest != g.poly(e.a))
      continue;
    whole = e.a;
    bits = log;
    return true;
  }
  return false;
}

/// Matches 2^bits * (whole >> bits), `whole` rounded down to a multiple of 2^bits.
bool AssumptionSimplifier::multiple(ExprId x, ExprId &whole, unsigned &bits) const {
  Poly p = g.poly(x);
  if (p.size() != 1 || p.begin()->first.size() != 1 || !powerOfTwo(p.begin()->second, bits) ||
      bits == 0)
    return false;
  const Expr e = g[p.begin()->first[0]];
  whole = e.a;
  return e.op == Op::LShr && g.isConst(e.b, bits);
}

/// Computes x >> by. A multiple of 2^by is taken out of x before the shift if the
/// other terms are known not to be smaller: (rest - 2^by * times) >> by is (rest >>
/// by) - times, as no borrow crosses the cut.
ExprId AssumptionSimplifier::shifted(ExprId x, unsigned by) {
  unsigned width = g.width(x), bits;
  if (by == 0)
    return x;
  if (by >= width)
    return g.constant(0, width);
  // Equal bounds decide the value, whatever its form.
  if (largest(x) >> by == smallest(x) >> by)
    return g.constant(smallest(x) >> by, width);
  ExprId whole;
  ExprId amount = g.constant(by, width);
  // (w - 2^k * (w >> k)) >> by
  if (remainder(x, whole, bits)) {
    if (bits <= by)
      return g.constant(0, width);
    ExprId high = g.mul(shifted(whole, bits), g.constant(uint64_t(1) << (bits - by), width));
    return tidy(g.sub(shifted(whole, by), high));
  }
  // 2^k * (w >> k) >> by
  if (multiple(x, whole, bits)) {
    if (bits <= by)
      return shifted(whole, by);
    return tidy(g.mul(shifted(whole, bits), g.constant(uint64_t(1) << (bits - by), width)));
  }
  Poly p = g.poly(x);
  auto constant = p.find({});
  if (constant != p.end() && p.size() > 1) {
    uint64_t less = (0 - constant->second) & maskOf(width);
    Poly rest = p;
    rest.erase(Monomial());
    ExprId from = g.fromPoly(rest, width);
    uint64_t part = less & ~maskOf(by);
    // The constant is a multiple of 2^by and no borrow occurs: it leaves the shift.
    if (part && part == less && atLeast(from, less))
      return tidy(g.sub(shifted(from, by), g.constant(less >> by, width)));
    // 2^k * (w >> k) - less, rounded up to whole multiples
    uint64_t multiples = (less >> by) + ((less & maskOf(by)) != 0);
    if (multiple(from, whole, bits) && bits >= by && atLeast(from, less))
      return tidy(g.sub(shifted(from, by), g.constant(multiples, width)));
  }
  const Expr e = g[x];
  if (e.op == Op::LShr && g.isConst(e.b) && g[e.b].value + by < width)
    return g.binary(Op::LShr, e.a, g.constant(g[e.b].value + by, width));
  return g.binary(Op::LShr, x, amount);
}

/// Writes a mask by shifts: bits low .. high - 1 of x are 2^low * (x >> low) - 2^high
/// * (x >> high). Shifts combine with the terms of a sum, masks do not.
ExprId AssumptionSimplifier::masked(ExprId x, uint64_t mask) {
  unsigned width = g.width(x), bits;
  uint64_t all = maskOf(width);
  auto high = [&](unsigned k) { return g.mul(shifted(x, k), g.constant(uint64_t(1) << k, width)); };
  // a run of set bits from `lowest` to below `end`
  uint64_t lowest = mask & (0 - mask), end = (mask + lowest) & all;
  if (mask == 0 || (end & (end - 1)))
    return g.binary(Op::And, x, g.constant(mask, width));
  ExprId part = powerOfTwo(lowest, bits) && bits ? high(bits) : x;
  return powerOfTwo(end, bits) ? tidy(g.sub(part, high(bits))) : tidy(part);
}

/// Extends x to `width` bits. The extension moves to the leaves where the narrow
/// operations lose nothing, so that sums of different widths become comparable.
ExprId AssumptionSimplifier::extended(ExprId x, unsigned width, bool isSigned) {
  unsigned from = g.width(x), bits;
  if (isSigned && largest(x) > maskOf(from) >> 1)
    return g.cast(Op::SExt, x, width);
  const Expr e = g[x];
  ExprId whole;
  auto wide = [&](ExprId v) {
    return ++depth > 4096 ? g.cast(Op::ZExt, v, width) : extended(v, width, false);
  };
  if (e.op == Op::Const)
    return g.constant(e.value, width);
  if (e.op == Op::Trunc && g.width(e.a) == width && largest(e.a) <= maskOf(from))
    return e.a;
  if (e.op == Op::LShr && g.isConst(e.b))
    return shifted(wide(e.a), unsigned(g[e.b].value));
  if (remainder(x, whole, bits))
    return masked(wide(whole), maskOf(bits));
  if (multiple(x, whole, bits))
    return tidy(g.mul(shifted(wide(whole), bits), g.constant(uint64_t(1) << bits, width)));
  // A difference known not to wrap is extended operand by operand.
  for (auto &[less, more] : ordered)
    if (!g.isConst(less) && g.width(more) == from && g.equal(x, g.sub(more, less)))
      return tidy(g.sub(wide(more), wide(less)));
  ExprId r = extendedPart(x, width);
  return r != NoExpr ? r : extendedSum(x, width);
}

/// Extends x = (w >> j) - 2^(k - j) * (w >> k), which is a part of the bits of w.
ExprId AssumptionSimplifier::extendedPart(ExprId x, unsigned width) {
  Poly p = g.poly(x);
  for (auto &[m, c] : p) {
    if (p.size() != 2 || m.size() != 1 || c != 1 || g[m[0]].op != Op::LShr || !g.isConst(g[m[0]].b))
      continue;
    ExprId of = g[m[0]].a;
    unsigned j = unsigned(g[g[m[0]].b].value), k;
    Poly q = g.poly(g.sub(m[0], x));
    if (q.size() != 1 || q.begin()->first.size() != 1 || !powerOfTwo(q.begin()->second, k))
      continue;
    ExprId high = q.begin()->first[0];
    const Expr h = g[high];
    if (h.op == Op::LShr && h.a == of && g.isConst(h.b, j + k))
      return tidy(g.sub(extended(m[0], width, false),
                        g.mul(extended(high, width, false), g.constant(uint64_t(1) << k, width))));
  }
  return NoExpr;
}

/// Extends a sum with a constant, or a product with one, if it does not wrap.
ExprId AssumptionSimplifier::extendedSum(ExprId x, unsigned width) {
  unsigned from = g.width(x);
  auto wide = [&](ExprId v) {
    return ++depth > 4096 ? g.cast(Op::ZExt, v, width) : extended(v, width, false);
  };
  Poly p = g.poly(x);
  auto constant = p.find({});
  if (constant != p.end() && p.size() > 1) {
    uint64_t add = constant->second, less = (0 - add) & maskOf(from);
    Poly rest = p;
    rest.erase(Monomial());
    ExprId part = g.fromPoly(rest, from);
    if (atLeast(part, less))
      return tidy(g.sub(wide(part), g.constant(less, width)));
    if (saturated(largest(part), add, false) <= maskOf(from))
      return tidy(g.add(wide(part), g.constant(add, width)));
  }
  if (p.size() == 1 && p.begin()->first.size() == 1 && p.begin()->second != 1) {
    ExprId atom = p.begin()->first[0];
    uint64_t factor = p.begin()->second;
    if (saturated(largest(atom), factor, true) <= maskOf(from))
      return tidy(g.mul(wide(atom), g.constant(factor, width)));
  }
  return g.cast(Op::ZExt, x, width);
}

/// Truncates x. Sums and products commute with truncation.
ExprId AssumptionSimplifier::truncated(ExprId x, unsigned width) {
  Poly p = g.poly(x), r;
  if (p.size() > 16)
    return g.cast(Op::Trunc, x, width);
  ExprId sum = g.constant(0, width);
  for (auto &[m, c] : p) {
    ExprId term = g.constant(c, width);
    for (ExprId atom : m) {
      const Expr e = g[atom];
      bool shift = e.op == Op::LShr && g.isConst(e.b) && largest(e.a) <= maskOf(width);
      term = g.mul(term, shift ? shifted(truncated(e.a, width), unsigned(g[e.b].value))
                               : g.cast(Op::Trunc, atom, width));
    }
    sum = g.add(sum, term);
  }
  return tidy(sum);
}

/// Writes every comparison as a < b or a == b, perhaps negated, so that equal
/// conditions are equal expressions. Signed comparisons of nonnegative values become
/// unsigned.
ExprId AssumptionSimplifier::compared(Op op, ExprId a, ExprId b) {
  ExprId one = g.constant(1, 1), zero = g.constant(0, g.width(a));
  auto inverse = [&](ExprId c) {
    bool twice = g[c].op == Op::Xor && g.isConst(g[c].b, 1);
    return twice ? g[c].a : g.binary(Op::Xor, c, one);
  };
  if (op == Op::Ne)
    return inverse(compared(Op::Eq, a, b));
  if (op == Op::ULe)
    return inverse(compared(Op::ULt, b, a));
  int64_t apart;
  if (op == Op::Eq) {
    if (g.constantDifference(a, b, apart))
      return g.constant(apart == 0, 1);
    if (g.isConst(a, 0) || g.isConst(b, 0))
      return inverse(compared(Op::ULt, zero, g.isConst(a, 0) ? b : a));
    return g.binary(Op::Eq, a, b);
  }
  if (a == b || g.isConst(b, 0))
    return g.constant(0, 1);
  ExprId x, y;
  uint64_t half = maskOf(g.width(a)) >> 1;
  bool isSigned = (g[a].op == Op::Xor || g[b].op == Op::Xor) && stripSign(a, x) && stripSign(b, y);
  // Both are nonnegative, so the signed comparison is the unsigned one.
  if (isSigned && largest(x) <= half && largest(y) <= half)
    return compared(Op::ULt, x, y);
  if (g.isConst(a) && atLeast(b, g[a].value + 1) && g[a].value + 1)
    return one;
  if (g.isConst(a) && largest(b) <= g[a].value)
    return g.constant(0, 1);
  if (g.isConst(b) && largest(a) < g[b].value)
    return one;
  if (g.isConst(b))
    return inverse(compared(Op::ULt, g.constant(g[b].value - 1, g.width(b)), a));
  return g.binary(Op::ULt, a, b);
}

/// Simplifies the operands, then applies the rule of the operation.
ExprId AssumptionSimplifier::rebuilt(ExprId id) {
  const Expr e = g[id];
  if (e.op == Op::Select) {
    ExprId c = simple(e.a);
    if (g.isConst(c))
      return simple(g[c].value ? e.b : e.c);
    bool inverted = g[c].op == Op::Xor && g.isConst(g[c].b, 1);
    ExprId yes = simple(e.b), no = simple(e.c);
    return inverted ? g.select(g[c].a, no, yes) : g.select(c, yes, no);
  }
  if (e.a == NoExpr || e.op == Op::Memory || e.width > 64 || g.width(e.a) > 64)
    return id;
  ExprId a = simple(e.a), b = e.b == NoExpr ? NoExpr : simple(e.b);
  unsigned log;
  switch (e.op) {
  case Op::Add:
  case Op::Sub:
  case Op::Mul: return tidy(g.binary(e.op, a, b));
  case Op::Shl: return tidy(g.binary(e.op, a, b));
  case Op::LShr:
    return g.isConst(b) ? shifted(a, unsigned(std::min<uint64_t>(g[b].value, e.width)))
                        : g.binary(e.op, a, b);
  case Op::And:
    if (g.isConst(a))
      std::swap(a, b);
    return g.isConst(b) ? masked(a, g[b].value) : g.binary(e.op, a, b);
  case Op::Or:
    for (ExprId side : {a, b})
      if (g.isConst(side, maskOf(e.width)))
        return side;
    return g.binary(e.op, a, b);
  case Op::URem:
    return powerOfTwo(g[b].value, log) ? masked(a, g[b].value - 1) : g.binary(e.op, a, b);
  case Op::Xor: // ~x is -x - 1
    if (g.isConst(b, maskOf(e.width)) && e.width > 1)
      return tidy(g.sub(g.sub(g.constant(0, e.width), a), g.constant(1, e.width)));
    if (g.isConst(b, 1) && e.width == 1 && g[a].op == Op::Xor && g.isConst(g[a].b, 1))
      return g[a].a;
    return g.binary(e.op, a, b);
  case Op::ZExt:
  case Op::SExt: return extended(a, e.width, e.op == Op::SExt);
  case Op::Trunc: return truncated(a, e.width);
  case Op::Eq:
  case Op::Ne:
  case Op::ULt:
  case Op::ULe: return compared(e.op, a, b);
  default: {
    std::map<ExprId, ExprId> with = {{e.a, a}};
    if (b != NoExpr)
      with[e.b] = b;
    return g.substitute(id, with);
  }
  }
}

/// Simplifies an expression once; the results are kept until an assumption is added.
ExprId AssumptionSimplifier::simple(ExprId id) {
  auto known = memo.find(id);
  if (known != memo.end())
    return known->second;
  memo[id] = id; // stops at a cycle of bindings
  auto it = bound.find(id);
  ExprId r = it != bound.end() ? simple(it->second) : rebuilt(id);
  // The simplified condition itself may have been assumed.
  auto truth = decided.find(r);
  if (truth != decided.end())
    r = g.constant(truth->second, 1);
  return memo[id] = r;
}

void AssumptionSimplifier::bind(ExprId symbol, ExprId value) {
  bound[symbol] = value;
  memo.clear();
}

/// Compares two values: their difference must vanish in normal form, or by the values
/// known to be 0. Each of those eliminates one term of the difference.
bool AssumptionSimplifier::same(ExprId a, ExprId b) {
  if (a == b)
    return true;
  if (g.width(a) != g.width(b))
    return false;
  ExprId apart = simple(g.sub(simple(a), simple(b)));
  if (g.isConst(apart))
    return g[apart].value == 0;
  Poly p = g.poly(apart);
  for (size_t i = 0; i < zeros.size(); ++i) {
    ExprId zero = simple(zeros[i]);
    // A value that is 0 stays 0 when it is extended or multiplied.
    if (g.vanishesWith(apart, zero))
      return true;
    if (g.isConst(zero) || g.width(zero) != g.width(a))
      continue;
    // Any multiple of a value that is 0 may be subtracted.
    Poly z = g.poly(zero);
    for (auto &[m, c] : z) {
      auto in = p.find(m);
      int64_t have = in == p.end() ? 0 : signExtend(in->second, g.width(a));
      int64_t by = signExtend(c, g.width(a));
      if (by == 0 || have == 0 || by == -1 || have % by)
        if (by != -1 || have == 0)
          continue;
      ExprId times = g.constant(by == -1 ? 0 - uint64_t(have) : uint64_t(have / by), g.width(a));
      p = g.poly(g.sub(g.fromPoly(p, g.width(a)), g.mul(times, zero)));
      break;
    }
    if (p.empty())
      return true;
  }
  return false;
}

/// One pass over the values known to be 0; each is kept if it cancels a term.
ExprId AssumptionSimplifier::shortest(ExprId id) {
  ExprId best = simple(id);
  for (ExprId zero : zeros)
    for (bool add : {true, false}) {
      if (g.width(zero) != g.width(best))
        continue;
      ExprId z = simple(zero);
      ExprId other = tidy(add ? g.add(best, z) : g.sub(best, z));
      if (g.poly(other).size() < g.poly(best).size())
        best = other;
    }
  return best;
}

/// Returns the condition of an outer select before those in its arms, since the outer
/// one decides whether they matter. A condition inside that condition comes first.
ExprId AssumptionSimplifier::undecided(ExprId id) const {
  if (id == NoExpr)
    return NoExpr;
  const Expr e = g[id];
  ExprId inner = undecided(e.a);
  if (inner == NoExpr && e.op == Op::Select)
    return e.a; // the outermost condition first: the others may only matter under it
  for (ExprId operand : {e.b, e.c})
    if (inner == NoExpr)
      inner = undecided(operand);
  return inner;
}

} // namespace memlift
