// cases.cpp - evaluates expressions as exact integers and splits cases where they branch
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cases.h"
#include "linear.h"

#include <algorithm>

namespace memlift {

/// Budget of visited nodes in one case; real loops take a few hundred.
constexpr int caseBudget = 20000;
/// Bound of every term of a form, so that sums of terms fit 128 bits.
constexpr Int maxTerm = Int(1) << 110;

/// Width above which 2^width is not represented as an Int; see modulo().
constexpr unsigned maxBits = 100;

static Int power(unsigned bits) { return Int(1) << bits; }
static Int floorDiv(Int x, Int y) { return x / y - (x % y < 0); } // y > 0

/// Adds x * times. Terms that cancel are erased, so equal forms have equal terms.
void Exact::add(const Exact &x, Int times) {
  constant += x.constant * times;
  for (auto &[u, c] : x.terms) {
    Int &slot = terms[u];
    slot += c * times;
    if (slot == 0)
      terms.erase(u);
  }
}

/// A name stands for a value whose parts do not matter, such as a sum so far.
Exact Cases::name(Int limit) {
  most.push_back(limit);
  Exact e;
  e.terms[{Unknown::Named, uint32_t(most.size() - 1), 0}] = 1;
  return e;
}

Bounds Cases::ofUnknown(const Unknown &u) const {
  return {0, u.kind == Unknown::Byte ? 255 : most[u.index]};
}

/// Checked before a form is reduced or multiplied, so that a sum of as many terms as
/// a body has does not overflow 128 bits.
bool Cases::isSmall(const Exact &form) const {
  return std::all_of(form.terms.begin(), form.terms.end(), [&](auto &t) {
    Int limit = maxTerm / (ofUnknown(t.first).high + 1);
    return limit > t.second && -limit < (t.second);
  });
}

/// A byte or a name is never negative. So a positive coefficient moves only the upper
/// bound, and a negative one only the lower bound.
Bounds Cases::loose(const Exact &form) const {
  Bounds r{form.constant, form.constant};
  for (auto &[u, c] : form.terms) {
    Int far = c * ofUnknown(u).high;
    (c < 0 ? r.low : r.high) += far;
  }
  return r;
}

/// Bounds of x + times * y from those of the unknowns. It is computed without
/// building the sum, since bounds() needs two of these for every assumption.
Bounds Cases::looseSum(const Exact &x, const Exact &y, Int times) const {
  Int constant = x.constant + times * y.constant;
  Bounds r{constant, constant};
  auto count = [&](const Unknown &u, Int c) { (c < 0 ? r.low : r.high) += c * ofUnknown(u).high; };
  auto a = x.terms.begin(), b = y.terms.begin();
  while (a != x.terms.end() || b != y.terms.end())
    if (b == y.terms.end() || (a != x.terms.end() && a->first < b->first)) {
      count(a->first, a->second);
      ++a;
    } else if (a == x.terms.end() || b->first < a->first) {
      count(b->first, times * b->second);
      ++b;
    } else {
      count(a->first, a->second + times * b->second);
      ++a, ++b;
    }
  return r;
}

/// Splits a form into form.constant + times * primitive, with times > 0 as large as
/// possible. Two multiples of one form then share the bounds known of it: an
/// assumption about s + w also bounds 256 * (s + w).
static Exact primitive(const Exact &form, Int &times) {
  times = 0;
  for (auto &[u, c] : form.terms)
    for (Int x = c < 0 ? -c : c; x;) // Euclid
      std::swap(times, x), x = times ? x % times : 0;
  Exact r;
  for (auto &[u, c] : form.terms)
    r.terms[u] = c / times;
  return r;
}

/// Bounds of the form in this case. Let c be the form of an assumption with known
/// bounds. Then form = (form - c) + c, so bounds of form - c give bounds of form;
/// likewise with form + c. This is weaker than linear programming, but exact where
/// the form itself was compared before, and that is the usual case: a carry is tested
/// on the very sum that wraps.
Bounds Cases::bounds(const Exact &form) const {
  Int times;
  Exact unit = primitive(form, times);
  Bounds all = loose(unit), r = all;
  for (const auto *list : {&given, &supposed})
    for (const Constraint &c : *list) {
      // form = c.form + (form - c.form) and form = (form + c.form) - c.form
      Bounds l = looseSum(unit, c.form, -1), m = looseSum(unit, c.form, 1);
      r.low = std::max({r.low, l.low + c.b.low, m.low - c.b.high});
      r.high = std::min({r.high, l.high + c.b.high, m.high - c.b.low});
    }
  // In a contradictory case the two bounds may cross.
  r = {std::min(r.low, all.high), std::max(r.high, all.low)};
  return {form.constant + times * r.low, form.constant + times * r.high};
}

/// Decides form <= limit in this case. If the bounds allow both outcomes, the next
/// recorded choice decides, and the assumption it stands for narrows the bounds.
bool Cases::atMost(const Exact &form, Int limit) {
  Bounds b = bounds(form);
  if (b.high <= limit)
    return true;
  if (b.low > limit)
    return false;
  if (taken == choices.size())
    choices.push_back(false);
  bool yes = choices[taken++];
  Int times;
  Exact unit = primitive(form, times);
  Bounds whole = bounds(unit);
  Int most = floorDiv(limit - form.constant, times);
  // Enter the assumption about the primitive form, so that it bounds multiples too.
  supposed.push_back({unit, yes ? Bounds{whole.low, most} : Bounds{most + 1, whole.high}});
  return yes;
}

/// Enumerates the cases depth first, as a binary counter over the recorded choices:
/// the last choice that was false becomes true, and all choices after it are
/// forgotten. The check is run from the start in every case, so no state has to be
/// copied or undone.
bool Cases::all(const std::function<bool()> &check, unsigned limit) {
  choices.clear();
  for (unsigned count = 0; count < limit; ++count) {
    taken = 0;
    budget = caseBudget;
    supposed.clear();
    known.clear();
    if (!check())
      return false;
    // Both outcomes of these splits have been seen.
    while (!choices.empty() && choices.back())
      choices.pop_back();
    if (choices.empty())
      return true;
    choices.back() = true;
  }
  return false;
}

bool Cases::supposedAll(const std::function<bool(const Exact &)> &like) const {
  return std::all_of(supposed.begin(), supposed.end(),
                     [&](const Constraint &c) { return like(c.form); });
}

/// Reduces the form modulo 2^width and sets the exact quotient.
///
/// Coefficients are first reduced to the nearest multiple of 2^width. That needs no
/// bounds: c * u = (c - k * 2^width) * u + k * u * 2^width for every u, and the
/// second term belongs to the quotient. The remainder's bounds then say which
/// multiples of 2^width it can lie between. If there are several, the case is split
/// at one of them, and the loop looks again with the narrower bounds. More than 64 of
/// them are refused.
bool Cases::modulo(Exact &form, unsigned width, Exact *quotient) {
  Exact high, low;
  if (!isSmall(form))
    return false;
  // 2^width does not fit an Int; a form that stays below 2^maxBits needs no reduction.
  if (width > maxBits) {
    Bounds b = bounds(form);
    if (quotient)
      *quotient = Exact();
    return b.low >= 0 && b.high < power(maxBits);
  }
  Int unit = power(width);
  for (auto &[u, c] : form.terms) {
    // The nearest multiple of 2^width, so that the remaining coefficient is small.
    Int times = c < unit && c > -unit ? 0 : floorDiv(2 * c + unit, 2 * unit);
    if (times)
      high.terms[u] = times;
    if (c != times * unit)
      low.terms[u] = c - times * unit;
  }
  low.constant = form.constant;
  for (;;) {
    Bounds b = bounds(low);
    Int first = floorDiv(b.low, unit), last = floorDiv(b.high, unit);
    if (last - first > 64 || --budget < 0)
      return false;
    if (first == last) {
      low.constant -= first * unit;
      high.constant = first;
      break;
    }
    atMost(low, (first + 1) * unit - 1);
  }
  form = low;
  if (quotient)
    *quotient = high;
  return true;
}

/// Computes x & mask for a mask of one run of ones: the value modulo 2^to, minus the
/// same value modulo 2^from.
bool Cases::masked(const Exact &x, uint64_t mask, unsigned width, Exact &out) {
  unsigned from = 0, to = std::min(width, 64u);
  out = Exact();
  if (!mask)
    return true;
  while (!(mask >> from & 1))
    ++from;
  while (!(mask >> (to - 1) & 1))
    --to;
  // A mask with several runs of ones has no linear form.
  if (mask != (maskOf(to) & ~maskOf(from)) && mask != maskOf(to))
    return false;
  Exact below = x;
  out = x;
  if (!modulo(out, to, nullptr))
    return false;
  if (from == 0)
    return true;
  below = out;
  if (!modulo(below, from, nullptr))
    return false;
  out.add(below, -1);
  return true;
}

/// Computes x | y and x ^ y where no bit can be set in both, so that both are x + y.
/// Disjointness is proved if one operand is a multiple of 2^bits and the other lies
/// below 2^bits.
bool Cases::merged(Op op, const Exact &x, const Exact &y, unsigned width, Exact &out) {
  for (auto [small, large] : {std::pair(&x, &y), std::pair(&y, &x)}) {
    if (op == Op::Xor && small->terms.empty() && !large->terms.empty())
      return width <= 64 && flipped(*large, uint64_t(small->constant), width, out);
    for (unsigned bits = 0; bits <= width && bits <= maxBits; ++bits) {
      Int unit = power(bits);
      bool multiple = large->constant % unit == 0;
      for (auto &[u, c] : large->terms)
        multiple &= c % unit == 0;
      Bounds b = bounds(*small);
      if (!multiple || b.low < 0 || b.high >= unit)
        continue;
      out = x;
      out.add(y);
      return true;
    }
  }
  return false;
}

/// Computes x ^ mask for two masks: all ones, where it is mask - x; and the sign bit
/// alone, where it is x + 2^(width - 1) modulo 2^width.
bool Cases::flipped(const Exact &x, uint64_t mask, unsigned width, Exact &out) {
  out = Exact();
  if (mask == maskOf(width)) {
    out.constant = Int(mask);
    out.add(x, -1);
    return true;
  }
  if (mask != uint64_t(1) << (width - 1))
    return false;
  out = x;
  out.constant += Int(mask);
  return modulo(out, width, nullptr);
}

/// Computes x * factor modulo 2^width. Factors above 2^32 and coefficients above 2^66
/// are refused, so that no product leaves 128 bits.
bool Cases::scaled(const Exact &x, uint64_t factor, unsigned width, Exact &out) {
  if (factor > uint64_t(1) << 32 || !isSmall(x))
    return false;
  for (auto &[u, c] : x.terms)
    if (c > power(66) || c < -power(66))
      return false;
  out = Exact();
  out.add(x, Int(factor));
  return modulo(out, width, nullptr);
}

/// Computes a comparison as the number 0 or 1 by deciding the sign of x - y. Equality
/// takes two decisions: not x - y <= -1, and x - y <= 0.
bool Cases::compared(Op op, const Exact &x, const Exact &y, Exact &out) {
  Exact d = x;
  d.add(y, -1);
  out = Exact();
  switch (op) {
  case Op::ULt: out.constant = atMost(d, -1); return true;
  case Op::ULe: out.constant = atMost(d, 0); return true;
  default: break;
  }
  // The second split happens only if x >= y.
  bool equal = !atMost(d, -1) && atMost(d, 0);
  out.constant = equal == (op == Op::Eq);
  return true;
}

/// Computes a value that is congruent to the expression modulo 2^width, without
/// reducing it. A sum of many terms is reduced once as a whole. So cases are not
/// split by partial sums, whose order is the compiler's choice and does not change
/// the result.
bool Cases::unreduced(ExprId id, Exact &out) {
  const Expr &e = g[id];
  if ((e.op != Op::Add && e.op != Op::Sub) || bound.count(id))
    return value(id, out);
  Exact y;
  if (--budget < 0 || !unreduced(e.a, out) || !unreduced(e.b, y))
    return false;
  out.add(y, e.op == Op::Add ? 1 : -1);
  return isSmall(out);
}

/// Computes a binary operation. Sums are collected unreduced and reduced at the end;
/// all other operations need operands in 0 .. 2^width - 1.
bool Cases::binary(const Expr &e, Exact &out) {
  if (e.op == Op::Add || e.op == Op::Sub) {
    Exact x, y;
    if (!unreduced(e.a, x) || !unreduced(e.b, y))
      return false;
    out = x;
    out.add(y, e.op == Op::Add ? 1 : -1);
    return modulo(out, e.width, nullptr);
  }
  Exact x, y;
  if (!value(e.a, x) || !value(e.b, y))
    return false;
  unsigned width = g.width(e.a);
  // The helpers take factors and masks as numbers of 64 bits.
  for (const Exact *operand : {&x, &y})
    if (operand->terms.empty() && operand->constant > Int(maskOf(64)))
      return false;
  switch (e.op) {
  case Op::Mul:
    return y.terms.empty()   ? scaled(x, uint64_t(y.constant), width, out)
           : x.terms.empty() ? scaled(y, uint64_t(x.constant), width, out)
                             : false;
  case Op::Shl:
    return g.isConst(e.b) && g[e.b].value <= 32 &&
           scaled(x, uint64_t(1) << g[e.b].value, width, out);
  case Op::LShr:
    return g.isConst(e.b) && g[e.b].value < width && modulo(x, unsigned(g[e.b].value), &out);
  case Op::AShr:
    return width <= 64 && g.isConst(e.b) && g[e.b].value < width &&
           bounds(x).high < power(width - 1) && modulo(x, unsigned(g[e.b].value), &out);
  case Op::And:
    return y.terms.empty()   ? masked(x, uint64_t(y.constant), width, out)
           : x.terms.empty() ? masked(y, uint64_t(x.constant), width, out)
                             : false;
  case Op::Or:
  case Op::Xor: return merged(e.op, x, y, width, out);
  case Op::Eq:
  case Op::Ne:
  case Op::ULt:
  case Op::ULe: return compared(e.op, x, y, out);
  default: return false;
  }
}

/// Extension by zeros keeps the number. Extension by the sign splits the case at
/// 2^(from - 1): above it, 2^width - 2^from is added.
bool Cases::cast(const Expr &e, Exact &out) {
  if (!value(e.a, out))
    return false;
  if (e.op == Op::Trunc)
    return modulo(out, e.width, nullptr);
  if (e.op == Op::SExt && e.width > 64)
    return false;
  if (e.op == Op::SExt) {
    unsigned from = g.width(e.a);
    if (!atMost(out, power(from - 1) - 1))
      out.constant += power(e.width) - power(from);
  }
  return true;
}

/// Computes a value that is made of loaded bytes alone. linearOf() traces bytes
/// through shifts, masks and byte swaps, which this class would have to split into
/// cases.
bool Cases::loadedBytes(ExprId id, Exact &out) {
  Linear l = linearOf(loop, id);
  if (!l.ok || !l.bounded)
    return false;
  out = Exact();
  for (auto &[u, factor] : l.terms) {
    if (u.kind != Unit::Byte)
      return false;
    out.terms[{Unknown::Byte, u.index, u.offset}] = Int(factor);
  }
  out.constant = Int(l.constant);
  return true;
}

/// Computes one node. A condition decides its select, so only the arm that is taken
/// in this case is evaluated.
bool Cases::evaluate(ExprId id, Exact &out) {
  const Expr &e = g[id];
  if (--budget < 0 || e.width > 128)
    return false;
  if (e.op == Op::Const) {
    out = Exact();
    out.constant = Int(e.value);
    return true;
  }
  if (e.op == Op::Load || e.op == Op::BSwap)
    return loadedBytes(id, out);
  if (e.op == Op::ZExt || e.op == Op::Trunc || e.op == Op::SExt)
    return cast(e, out);
  if (e.op == Op::Select) {
    Exact c;
    return value(e.a, c) && value(atMost(c, 0) ? e.c : e.b, out);
  }
  return e.b != NoExpr && e.c == NoExpr && binary(e, out);
}

/// Looks the value up among bound ones first, which hide the operands of an
/// expression, then among those computed in this case.
bool Cases::value(ExprId id, Exact &out) {
  auto it = bound.find(id);
  if (it != bound.end()) {
    out = it->second;
    return true;
  }
  it = known.find(id);
  if (it != known.end()) {
    out = it->second;
    return true;
  }
  if (!evaluate(id, out))
    return false;
  known[id] = out;
  return true;
}

/// Values computed so far are set aside as well, since they may depend on bindings
/// that are replaced.
bool Cases::valueWith(ExprId id, const std::map<ExprId, Exact> &more, Exact &out) {
  std::map<ExprId, Exact> oldBound, oldKnown;
  oldBound.swap(bound);
  oldKnown.swap(known);
  bound = more;
  bool ok = value(id, out);
  bound.swap(oldBound);
  known.swap(oldKnown);
  return ok;
}

/// Returns the sum, or `all` if it is larger: then it wraps.
static uint64_t boundOfSum(uint64_t a, uint64_t b, uint64_t all) {
  return a <= all - b ? a + b : all;
}

/// Shared nodes are visited once for each use, so the depth is limited.
uint64_t largestOf(const Loop &loop, ExprId id, unsigned depth) {
  const ExprGraph &g = loop.exprs;
  const Expr &e = g[id];
  uint64_t all = maskOf(e.width);
  if (e.op == Op::LShr && e.width > 64)
    return all;
  if (!depth)
    return all;
  auto of = [&](ExprId operand) { return largestOf(loop, operand, depth - 1); };
  switch (e.op) {
  case Op::Const: return e.value;
  case Op::ZExt: return of(e.a);
  case Op::Trunc: return std::min(all, of(e.a));
  case Op::And: return std::min(of(e.a), of(e.b));
  case Op::LShr: return g.isConst(e.b) && g[e.b].value < e.width ? of(e.a) >> g[e.b].value : all;
  case Op::Select: return std::max(of(e.b), of(e.c));
  case Op::Add: return boundOfSum(of(e.a), of(e.b), all);
  case Op::Eq:
  case Op::Ne: return 1;
  case Op::ULt: return !g.isConst(e.a) || g.width(e.a) > 64 || of(e.b) > g[e.a].value;
  case Op::ULe: return !g.isConst(e.a) || g.width(e.a) > 64 || of(e.b) >= g[e.a].value;
  default: return all;
  }
}

} // namespace memlift
