// gf2.cpp - GF(2): values as matrices of bits over the state and the bytes read
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gf2.h"

#include <algorithm>

namespace memlift {

namespace {

class Gf2Evaluator {
public:
  Gf2Evaluator(const Loop &loop, uint32_t rec, Gf2Form &form)
      : loop(loop), g(loop.exprs), rec(rec), form(form) {}
  /// False with form.why set, or the bits of `id`.
  bool of(ExprId id, Gf2Value &v);

private:
  const Loop &loop;
  const ExprGraph &g;
  uint32_t rec;
  Gf2Form &form;
  std::map<ExprId, Gf2Value> known;

  bool no(const std::string &why) {
    if (form.why.empty())
      form.why = why;
    return false;
  }
  bool compute(ExprId id, Gf2Value &v);
  bool load(const Expr &e, Gf2Value &v);
  bool bitwise(const Expr &e, Gf2Value &v);
  bool shift(const Expr &e, Gf2Value &v);
  bool choose(const Expr &e, Gf2Value &v);
  bool multiple(const Expr &e, Gf2Value &v);
  bool compare(const Expr &e, Gf2Value &v);
  bool lookUp(const Expr &e, Gf2Value &v);
  bool cast(const Expr &e, Gf2Value &v);
};

bool isConstant(const Gf2Bit &b) {
  return b.none() || (b.count() == 1 && b[gf2One]);
}

/// The one bit of v that is not constantly 0, if there is at most one.
bool singleBit(const Gf2Value &v, unsigned &at) {
  unsigned found = 0;
  for (unsigned i = 0; i < v.size(); ++i)
    if (v[i].any()) {
      at = i;
      ++found;
    }
  return found == 1;
}

Gf2Value constantBits(uint64_t value, unsigned width) {
  Gf2Value v(width);
  for (unsigned i = 0; i < width && i < 64; ++i)
    v[i][gf2One] = value >> i & 1;
  return v;
}

bool Gf2Evaluator::load(const Expr &e, Gf2Value &v) {
  unsigned size = e.width / 8;
  v.assign(e.width, Gf2Bit());
  for (unsigned k = 0; k < size; ++k) {
    std::pair<uint32_t, unsigned> byte(uint32_t(e.value),
                                       loop.bigEndian ? size - 1 - k : k);
    auto it = std::find(form.bytes.begin(), form.bytes.end(), byte);
    unsigned index = unsigned(it - form.bytes.begin());
    if (it == form.bytes.end()) {
      if (form.bytes.size() == gf2MaxBytes)
        return no("more than " + std::to_string(gf2MaxBytes) +
                  " bytes in one iteration");
      form.bytes.push_back(byte);
    }
    for (unsigned i = 0; i < 8; ++i)
      v[8 * k + i][64 + 8 * index + i] = true;
  }
  return true;
}

bool Gf2Evaluator::bitwise(const Expr &e, Gf2Value &v) {
  Gf2Value x, y;
  if (!of(e.a, x) || !of(e.b, y))
    return false;
  v.assign(e.width, Gf2Bit());
  for (unsigned i = 0; i < e.width; ++i) {
    switch (e.op) {
    case Op::Xor:
      v[i] = x[i] ^ y[i];
      break;
    case Op::And:
      if (isConstant(y[i]))
        v[i] = y[i].any() ? x[i] : Gf2Bit();
      else if (isConstant(x[i]))
        v[i] = x[i].any() ? y[i] : Gf2Bit();
      else if (x[i] == y[i])
        v[i] = x[i];
      else
        return no("two values that change are and-ed");
      break;
    default: // Or, and Add without carries: one of the two bits is 0
      if (x[i].any() && y[i].any())
        return no(e.op == Op::Or ? "two values that change are or-ed"
                                 : "an addition that may carry");
      v[i] = x[i] | y[i];
      break;
    }
  }
  return true;
}

bool Gf2Evaluator::shift(const Expr &e, Gf2Value &v) {
  Gf2Value x;
  if (!g.isConst(e.b) || g[e.b].value >= e.width)
    return no("a shift by a value that changes");
  if (!of(e.a, x))
    return false;
  unsigned by = unsigned(g[e.b].value);
  v.assign(e.width, Gf2Bit());
  for (unsigned i = 0; i < e.width; ++i) {
    if (e.op == Op::Shl && i >= by)
      v[i] = x[i - by];
    if (e.op != Op::Shl)
      v[i] = i + by < e.width ? x[i + by]
             : e.op == Op::AShr ? x[e.width - 1] : Gf2Bit();
  }
  return true;
}

/// c ? a : b is b ^ (c & (a ^ b)): linear where a and b differ by a constant.
bool Gf2Evaluator::choose(const Expr &e, Gf2Value &v) {
  Gf2Value c, x, y;
  if (!of(e.a, c) || !of(e.b, x) || !of(e.c, y))
    return false;
  v.assign(e.width, Gf2Bit());
  for (unsigned i = 0; i < e.width; ++i) {
    Gf2Bit differ = x[i] ^ y[i];
    if (isConstant(c[0]))
      v[i] = c[0].any() ? x[i] : y[i];
    else if (isConstant(differ))
      v[i] = differ.any() ? y[i] ^ c[0] : y[i];
    else
      return no("a choice between values that do not differ by a constant");
  }
  return true;
}

/// constant * bit, and 0 - bit: the bit in every place of the factor.
bool Gf2Evaluator::multiple(const Expr &e, Gf2Value &v) {
  bool minus = e.op == Op::Sub;
  ExprId factor = g.isConst(e.a) ? e.a : e.b, other = g.isConst(e.a) ? e.b : e.a;
  if (!g.isConst(factor) || (minus && !g.isConst(e.a, 0)))
    return no("an arithmetic operation that is not linear bit by bit");
  Gf2Value x;
  if (!of(other, x))
    return false;
  unsigned at = 0;
  if (!singleBit(x, at))
    return no("an arithmetic operation on more than one bit");
  uint64_t places = (minus ? ~uint64_t(0) : g[factor].value) << at;
  v.assign(e.width, Gf2Bit());
  for (unsigned i = 0; i < e.width; ++i)
    if (places >> i & 1)
      v[i] = x[at];
  return true;
}

/// Comparisons that ask for one bit: x == 0, x != 0, x < 2^k, 2^k <= x.
bool Gf2Evaluator::compare(const Expr &e, Gf2Value &v) {
  Gf2Value x, y;
  if (!of(e.a, x) || !of(e.b, y))
    return false;
  bool order = e.op == Op::ULt || e.op == Op::ULe, negate = false;
  Gf2Value difference(x.size());
  if (order) {
    bool constantRight = g.isConst(e.b);
    uint64_t limit = g.isConst(e.b)   ? g[e.b].value + (e.op == Op::ULe)
                     : g.isConst(e.a) ? g[e.a].value + (e.op == Op::ULt)
                                      : 0;
    if (!limit || (limit & (limit - 1)))
      return no("a comparison that is no test of a bit");
    // x < 2^k asks that the bits from k on are 0.
    const Gf2Value &value = constantRight ? x : y;
    for (unsigned i = 0; i < value.size(); ++i)
      if (i >= 64 || uint64_t(1) << i >= limit)
        difference[i] = value[i];
    negate = constantRight;
  } else {
    for (unsigned i = 0; i < x.size(); ++i)
      difference[i] = x[i] ^ y[i];
    negate = e.op == Op::Eq;
  }
  unsigned at = 0, live = 0;
  for (unsigned i = 0; i < difference.size(); ++i)
    if (difference[i].any()) {
      at = i;
      ++live;
    }
  if (live > 1)
    return no("a comparison that is no test of a bit");
  v.assign(1, live ? difference[at] : Gf2Bit());
  if (negate)
    v[0].flip(gf2One);
  return true;
}

/// A table is linear if every entry is the sum of the entries of its index's
/// bits, but for the constant in entry 0.
bool Gf2Evaluator::lookUp(const Expr &e, Gf2Value &v) {
  const Table &table = loop.tables[e.value];
  const std::vector<uint64_t> &t = table.entries;
  Gf2Value index;
  if (!of(e.a, index))
    return false;
  unsigned bits = 0;
  while (bits < 16 && (size_t(1) << bits) < t.size())
    ++bits;
  form.tableNotLinear = true;
  if (t.empty() || t.size() != size_t(1) << bits)
    return no("table " + table.name + " has no power of two of entries");
  for (size_t i = 0; i < t.size(); ++i) {
    uint64_t sum = t[0];
    for (unsigned j = 0; j < bits; ++j)
      if (i >> j & 1)
        sum ^= t[size_t(1) << j] ^ t[0];
    if (sum != t[i])
      return no("entry " + std::to_string(i) + " of table " + table.name +
                " is no sum of the others");
  }
  form.tableNotLinear = false;
  for (size_t i = bits; i < index.size(); ++i)
    if (index[i].any())
      return no("the index of table " + table.name + " may lie outside");
  v = constantBits(t[0], e.width);
  for (unsigned j = 0; j < bits && j < index.size(); ++j)
    for (unsigned i = 0; i < e.width; ++i)
      if ((t[size_t(1) << j] ^ t[0]) >> i & 1)
        v[i] ^= index[j];
  return true;
}

bool Gf2Evaluator::cast(const Expr &e, Gf2Value &v) {
  if (!of(e.a, v))
    return false;
  if (e.op == Op::BSwap) {
    Gf2Value r;
    for (size_t k = v.size() / 8; k-- > 0;)
      r.insert(r.end(), v.begin() + long(8 * k), v.begin() + long(8 * k + 8));
    v = r;
    return true;
  }
  v.resize(e.width, e.op == Op::SExt ? v.back() : Gf2Bit());
  return true;
}

bool Gf2Evaluator::compute(ExprId id, Gf2Value &v) {
  const Expr &e = g[id];
  switch (e.op) {
  case Op::Const:
    v = constantBits(e.value, e.width);
    return true;
  case Op::Rec:
    if (e.value != rec)
      return no("two values are carried along and mixed");
    v.assign(e.width, Gf2Bit());
    for (unsigned i = 0; i < e.width; ++i)
      v[i][i] = true;
    return true;
  case Op::Load: return load(e, v);
  case Op::Xor: case Op::And: case Op::Or: case Op::Add:
    return bitwise(e, v);
  case Op::Shl: case Op::LShr: case Op::AShr: return shift(e, v);
  case Op::Select: return choose(e, v);
  case Op::Mul: case Op::Sub: return multiple(e, v);
  case Op::Eq: case Op::Ne: case Op::ULt: case Op::ULe:
    return compare(e, v);
  case Op::Table: return lookUp(e, v);
  case Op::ZExt: case Op::SExt: case Op::Trunc: case Op::BSwap:
    return cast(e, v);
  default: return no("a value that is not known: " + printExpr(loop, id));
  }
}

bool Gf2Evaluator::of(ExprId id, Gf2Value &v) {
  auto it = known.find(id);
  if (it == known.end()) {
    if (g.width(id) > 64)
      return no("a value of more than 64 bits");
    Gf2Value fresh;
    if (!compute(id, fresh))
      return false;
    it = known.emplace(id, std::move(fresh)).first;
  }
  v = it->second;
  return true;
}

} // namespace

Gf2Form gf2Of(const Loop &loop, ExprId id, uint32_t rec) {
  Gf2Form form;
  Gf2Evaluator evaluator(loop, rec, form);
  form.ok = evaluator.of(id, form.value);
  return form;
}

} // namespace memlift
