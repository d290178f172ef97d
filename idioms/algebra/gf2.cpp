// gf2.cpp - evaluates expressions as matrices of bits over GF(2); gf2.h explains the idea
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gf2.h"
#include "../source_text.h"

#include <algorithm>
#include <set>

namespace memlift {

namespace {

/// Evaluates one expression; the form collects the bytes and factors that are met.
class Gf2Evaluator {
public:
  Gf2Evaluator(const Loop &loop, const Gf2State &state, Gf2Form &form)
      : loop(loop), g(loop.exprs), state(state), form(form) {}
  /// Sets v to the bits of `id`, or returns false with form.why set.
  bool of(ExprId id, Gf2Value &v);

private:
  const Loop &loop;
  const ExprGraph &g;
  const Gf2State &state;
  Gf2Form &form;
  std::map<ExprId, Gf2Value> known;
  std::set<ExprId> failed;

  bool no(const std::string &why) {
    if (form.why.empty())
      form.why = why;
    return false;
  }
  bool compute(ExprId id, Gf2Value &v);
  bool carried(const Expr &e, Gf2Value &v);
  bool ofOneBit(const Expr &e, Gf2Value &v);
  bool load(const Expr &e, Gf2Value &v);
  bool bitwise(const Expr &e, Gf2Value &v);
  bool shift(const Expr &e, Gf2Value &v);
  bool choose(const Expr &e, Gf2Value &v);
  bool multiple(const Expr &e, Gf2Value &v);
  bool timesBit(const Expr &e, Gf2Value &v);
  bool difference(const Expr &e, Gf2Value &v);
  bool compare(const Expr &e, Gf2Value &v);
  bool unequal(ExprId id, const Gf2Value &to, Gf2Bit &bit, unsigned depth = 0);
  bool chosen(const Gf2Bit &c, const Gf2Bit &x, const Gf2Bit &y, Gf2Bit &bit);
  bool lookUp(const Expr &e, Gf2Value &v);
  bool cast(const Expr &e, Gf2Value &v);
  bool invariant(ExprId id, Gf2Value &v);
  bool multiply(const Gf2Bit &a, const Gf2Bit &b, Gf2Bit &product) {
    return state.formal && gf2Product(a, b, form.factors, product);
  }
};

/// Gives each byte that is read eight columns, in order of first use.
bool Gf2Evaluator::load(const Expr &e, Gf2Value &v) {
  unsigned size = e.width / 8;
  v.assign(e.width, Gf2Bit());
  for (unsigned k = 0; k < size; ++k) {
    std::pair<uint32_t, unsigned> byte(uint32_t(e.value), loop.bigEndian ? size - 1 - k : k);
    auto it = std::find(form.bytes.begin(), form.bytes.end(), byte);
    unsigned index = unsigned(it - form.bytes.begin());
    if (it == form.bytes.end()) {
      if (form.bytes.size() == gf2MaxBytes)
        return no("more than " + std::to_string(gf2MaxBytes) + " bytes in one iteration");
      form.bytes.push_back(byte);
    }
    for (unsigned i = 0; i < 8; ++i)
      v[8 * k + i][64 + 8 * index + i] = true;
  }
  return true;
}

/// Xor is exact. And needs a constant, two equal bits or a formal product; Or and Add
/// need one of the two bits to be 0.
bool Gf2Evaluator::bitwise(const Expr &e, Gf2Value &v) {
  Gf2Value x, y;
  if (!of(e.a, x) || !of(e.b, y))
    return false;
  v.assign(e.width, Gf2Bit());
  for (unsigned i = 0; i < e.width; ++i) {
    switch (e.op) {
    case Op::Xor: v[i] = x[i] ^ y[i]; break;
    case Op::And:
      if (isConstant(y[i]))
        v[i] = y[i].any() ? x[i] : Gf2Bit();
      else if (isConstant(x[i]))
        v[i] = x[i].any() ? y[i] : Gf2Bit();
      else if (x[i] == y[i])
        v[i] = x[i];
      else if (!multiply(x[i], y[i], v[i]))
        return no("two values that change are and-ed");
      break;
    default: // Or, and Add without carries: one of the two bits must be 0
      if (x[i].any() && y[i].any())
        return no(e.op == Op::Or ? "two values that change are or-ed"
                                 : "an addition that may carry");
      v[i] = x[i] ^ y[i];
      break;
    }
  }
  return true;
}

/// Shifts by constants move bits; a signed right shift repeats the highest.
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
      v[i] = i + by < e.width ? x[i + by] : e.op == Op::AShr ? x[e.width - 1] : Gf2Bit();
  }
  return true;
}

/// c ? x : y is y ^ (c & (x ^ y)). It is linear if x and y differ by a constant; and
/// if they differ by c or by its complement, since c & c is c and c & !c is 0.
bool Gf2Evaluator::chosen(const Gf2Bit &c, const Gf2Bit &x, const Gf2Bit &y, Gf2Bit &bit) {
  Gf2Bit differ = x ^ y, opposite = c, part;
  opposite.columns.flip(gf2One);
  if (isConstant(c))
    bit = c.any() ? x : y;
  else if (isConstant(differ) || differ == c)
    bit = differ.any() ? y ^ c : y;
  else if (differ == opposite)
    bit = y;
  else if (multiply(c, differ, part))
    bit = y ^ part;
  else
    return no("a choice between values that do not differ by a constant");
  return true;
}

bool Gf2Evaluator::choose(const Expr &e, Gf2Value &v) {
  Gf2Value c, x, y;
  if (!of(e.a, c) || !of(e.b, x) || !of(e.c, y))
    return false;
  v.assign(e.width, Gf2Bit());
  for (unsigned i = 0; i < e.width; ++i)
    if (!chosen(c[0], x[i], y[i], v[i]))
      return false;
  return true;
}

/// Applies any operation whose operands depend on one and the same bit: it is
/// computed for 0 and for 1, and every result bit is a constant or that bit or its
/// complement.
bool Gf2Evaluator::ofOneBit(const Expr &e, Gf2Value &v) {
  Gf2Value x, y;
  Gf2Bit bit;
  if (!of(e.a, x) || !of(e.b, y) || !dependsOn(x, bit) || !dependsOn(y, bit))
    return false;
  unsigned width = g.width(e.a);
  uint64_t low = foldBinary(e.op, valueAt(x, false), valueAt(y, false), width);
  uint64_t high = foldBinary(e.op, valueAt(x, true), valueAt(y, true), width);
  v = constantBits(low, e.width);
  for (unsigned i = 0; i < e.width; ++i)
    if ((low ^ high) >> i & 1)
      v[i] ^= bit;
  form.why.clear(); // discard the reason of the attempt before this one
  return true;
}

/// Multiplies a formal invariant by a value that is 0 or 1.
bool Gf2Evaluator::timesBit(const Expr &e, Gf2Value &v) {
  Gf2Value x, y;
  if (!state.formal || !of(e.a, x) || !of(e.b, y))
    return false;
  auto isBit = [](const Gf2Value &value) {
    return std::none_of(value.begin() + 1, value.end(), [](const Gf2Bit &b) { return b.any(); });
  };
  if (!isBit(x))
    std::swap(x, y);
  v.assign(e.width, Gf2Bit());
  bool good = isBit(x);
  for (unsigned i = 0; good && i < e.width; ++i)
    good = y[i].none() || multiply(x[0], y[i], v[i]);
  return good;
}

/// Multiplies by a constant, if the shifted copies of the value have no bit in
/// common.
bool Gf2Evaluator::multiple(const Expr &e, Gf2Value &v) {
  ExprId factor = g.isConst(e.a) ? e.a : e.b, other = g.isConst(e.a) ? e.b : e.a;
  Gf2Value x;
  if (!of(other, x))
    return false;
  if (!g.isConst(factor))
    return timesBit(e, v) || no("a product of two values that change");
  v.assign(e.width, Gf2Bit());
  for (unsigned by = 0; by < e.width; ++by)
    for (unsigned i = by; i < e.width && g[factor].value >> by & 1; ++i) {
      if (v[i].any() && x[i - by].any())
        return no("a multiplication that may carry");
      v[i] ^= x[i - by];
    }
  return true;
}

/// Subtracts without borrowing: each bit of y that is not 0 meets a 1, or itself, in
/// x.
bool Gf2Evaluator::difference(const Expr &e, Gf2Value &v) {
  Gf2Value x, y;
  if (!of(e.a, x) || !of(e.b, y))
    return false;
  v.assign(e.width, Gf2Bit());
  Gf2Bit one;
  one[gf2One] = true;
  for (unsigned i = 0; i < e.width; ++i) {
    if (y[i].any() && x[i] != one && x[i] != y[i])
      return no("a subtraction that may borrow");
    v[i] = x[i] ^ y[i];
  }
  return true;
}

/// Sets `bit` to 1 exactly if the value differs from the constant `to`. Also handles
/// a select whose two values are each a test of a bit: c ? bit != 0 : !bit.
bool Gf2Evaluator::unequal(ExprId id, const Gf2Value &to, Gf2Bit &bit, unsigned depth) {
  const Expr &e = g[id];
  Gf2Value v, c;
  Gf2Bit x, y;
  if (of(id, v)) {
    for (unsigned i = 0; i < v.size(); ++i)
      v[i] ^= to[i];
    if (oneBit(v, bit))
      return true;
  }
  return e.op == Op::Select && depth < 8 && of(e.a, c) && unequal(e.b, to, x, depth + 1) &&
         unequal(e.c, to, y, depth + 1) && chosen(c[0], x, y, bit);
}

/// Comparisons that test one bit: x == 0, x != 0, x < 2^k, 2^k <= x.
bool Gf2Evaluator::compare(const Expr &e, Gf2Value &v) {
  Gf2Value x, y;
  bool order = e.op == Op::ULt || e.op == Op::ULe, negate = false;
  if (Gf2Bit bit;
      !order && g[e.a].op == Op::Select && g.isConst(e.b) && of(e.b, y) && unequal(e.a, y, bit)) {
    v.assign(1, bit);
    if (e.op == Op::Eq)
      v[0].columns.flip(gf2One);
    form.why.clear(); // discard the reason why the select is no value
    return true;
  }
  if (!of(e.a, x) || !of(e.b, y))
    return false;
  Gf2Value difference(x.size());
  if (order) {
    // Only x < 2^k is a test of one condition, "all high bits are 0".
    bool constantRight = g.isConst(e.b);
    uint64_t limit = g.isConst(e.b)   ? g[e.b].value + (e.op == Op::ULe)
                     : g.isConst(e.a) ? g[e.a].value + (e.op == Op::ULt)
                                      : 0;
    if (!limit || (limit & (limit - 1)))
      return no("a comparison that is no test of a bit");
    // x < 2^k asks whether the bits from k on are 0.
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
  v.assign(1, Gf2Bit());
  if (!oneBit(difference, v[0]))
    return no("a comparison that is no test of a bit");
  if (negate)
    v[0].columns.flip(gf2One);
  return true;
}

/// Number of entry `which` among those whose indices differ in the bits `varying`.
static size_t entryNumber(size_t base, const std::vector<unsigned> &varying, size_t which) {
  for (size_t j = 0; j < varying.size(); ++j)
    base |= (which >> j & 1) << varying[j];
  return base;
}

/// Evaluates a table look-up. A table is linear if every entry is the exclusive-or of
/// the entries of its index's bits, with entry 0 as the constant. Every entry is
/// checked: one wrong entry in 256 makes another function. Constant bits of the index
/// select a part of the table, and so does a constant that is added. Entries outside
/// the table are not checked, since reading them is undefined.
bool Gf2Evaluator::lookUp(const Expr &e, Gf2Value &v) {
  const Table &table = loop.tables[e.value];
  const std::vector<uint64_t> &t = table.entries;
  Gf2Value index;
  size_t first = 0;
  if (!of(withoutConstant(loop, e.a, first), index))
    return false;
  if (table.unknown) {
    form.unknownTable = table.name;
    v.assign(e.width, Gf2Bit());
    for (Gf2Bit &b : v)
      b[gf2Unknown] = true;
    return true;
  }
  size_t base = 0;
  std::vector<unsigned> varying;
  for (unsigned i = 0; i < index.size(); ++i)
    if (isConstant(index[i]))
      base |= size_t(index[i].any()) << i;
    else if (i < 16 && size_t(1) << i < t.size())
      varying.push_back(i);
  // Until the table is proved linear, a failure is a failure of the table.
  form.tableNotLinear = true;
  if (base + first >= t.size())
    return no("the index of table " + table.name + " lies outside");
  uint64_t none = t[base + first];
  auto place = [&](size_t which) { return entryNumber(base, varying, which) + first; };
  auto entry = [&](size_t which) { return place(which) < t.size() ? t[place(which)] ^ none : 0; };
  for (size_t i = 0; i < size_t(1) << varying.size(); ++i) {
    uint64_t sum = 0;
    for (size_t j = 0; j < varying.size(); ++j)
      if (i >> j & 1)
        sum ^= entry(size_t(1) << j);
    size_t at = place(i);
    if (at < t.size() && sum != entry(i))
      return no("entry " + std::to_string(at) + " of table " + table.name +
                " is no sum of the others");
  }
  form.tableNotLinear = false;
  // The value is the constant plus one column for each varying bit of the index.
  v = constantBits(none, e.width);
  for (size_t j = 0; j < varying.size(); ++j)
    for (unsigned i = 0; i < e.width; ++i)
      if (entry(size_t(1) << j) >> i & 1)
        v[i] ^= index[varying[j]];
  return true;
}

/// Byte swaps and extensions move or repeat bits.
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

/// The recurrence's bits at their places in the state; bits known to be 0 are 0.
bool Gf2Evaluator::carried(const Expr &e, Gf2Value &v) {
  unsigned at = 0;
  for (uint32_t rec : state.recs) {
    // Earlier recurrences of the state are in the bits below.
    if (rec != e.value) {
      at += loop.recs[rec].width;
      continue;
    }
    v.assign(e.width, Gf2Bit());
    for (unsigned i = 0; i < e.width; ++i)
      v[i][at + i] = !(state.zero >> (at + i) & 1);
    return true;
  }
  auto known = state.derived.find(uint32_t(e.value));
  if (known != state.derived.end())
    return of(known->second, v);
  form.mixedWith = int(e.value);
  return no("two values are carried along and mixed");
}

/// Takes a loop invariant for formal bits.
bool Gf2Evaluator::invariant(ExprId id, Gf2Value &v) {
  auto it = std::find(form.words.begin(), form.words.end(), id);
  unsigned word = unsigned(it - form.words.begin());
  if (it == form.words.end())
    form.words.push_back(id);
  v.assign(g.width(id), Gf2Bit());
  for (unsigned i = 0; i < v.size(); ++i)
    v[i].terms = {{0, word, i}};
  return true;
}

/// Evaluates one node. Arithmetic is tried bit by bit first, then as a function of
/// one bit. If both fail, the first reason is reported.
bool Gf2Evaluator::compute(ExprId id, Gf2Value &v) {
  const Expr &e = g[id];
  switch (e.op) {
  case Op::Const: v = constantBits(e.value, e.width); return true;
  case Op::Rec: return carried(e, v);
  case Op::Sym:
    if (state.formal)
      return invariant(id, v);
    if (!state.trial) {
      form.symbolic = true;
      return no("a value that is not known before the program runs");
    }
    v = constantBits(gf2Assumed(state, e.value), e.width);
    return true;
  case Op::Load: return load(e, v);
  case Op::Xor: return bitwise(e, v);
  case Op::And:
  case Op::Or:
  case Op::Add: return bitwise(e, v) || ofOneBit(e, v);
  case Op::Mul: return multiple(e, v) || ofOneBit(e, v);
  case Op::Sub: return difference(e, v) || ofOneBit(e, v);
  case Op::Shl:
  case Op::LShr:
  case Op::AShr: return shift(e, v) || ofOneBit(e, v);
  case Op::Select:
    // A select of invariants is one formal value: built from its arms, each bit would
    // be a sum.
    return state.formal && g.isInvariant(id) ? invariant(id, v) : choose(e, v);
  case Op::Eq:
  case Op::Ne:
  case Op::ULt:
  case Op::ULe: return compare(e, v) || ofOneBit(e, v);
  case Op::Table: return lookUp(e, v);
  case Op::ZExt:
  case Op::SExt:
  case Op::Trunc:
  case Op::BSwap: return cast(e, v);
  default: return no("a value that is not known: " + sourceText(loop, id));
  }
}

/// Evaluates an expression once. Failures are kept too, since a table look-up that is
/// not linear is expensive to refute. An invariant that no rule evaluates may still
/// be formal.
bool Gf2Evaluator::of(ExprId id, Gf2Value &v) {
  auto it = known.find(id);
  if (it == known.end()) {
    if (g.width(id) > 64)
      return no("a value of more than 64 bits");
    Gf2Value fresh;
    // An invariant that is not linear may still be a formal value of its own.
    bool good = !failed.count(id) &&
                (compute(id, fresh) || (state.formal && g.isInvariant(id) && invariant(id, fresh)));
    if (!good) {
      failed.insert(id);
      return false;
    }
    it = known.emplace(id, std::move(fresh)).first;
  }
  v = it->second;
  return true;
}

} // namespace

/// Tables for characters are often indexed by c + offset.
ExprId withoutConstant(const Loop &loop, ExprId id, size_t &added) {
  const ExprGraph &g = loop.exprs;
  const Expr &e = g[id];
  bool widened = e.op == Op::ZExt || e.op == Op::SExt;
  const Expr &sum = widened ? g[e.a] : e;
  if ((sum.op != Op::Add && sum.op != Op::Or) || !g.isConst(sum.b))
    return id;
  uint64_t by = g[sum.b].value, limit = maskOf(sum.width) >> 1;
  if (sum.op == Op::Or && upperBound(loop, sum.a) >= (by & (0 - by)))
    return id; // bits in common; otherwise it is a sum
  if (widened && (by > limit || upperBound(loop, sum.a) > limit - by))
    return id;
  added = by;
  return sum.a;
}

uint64_t gf2Assumed(const Gf2State &state, uint64_t symbol) {
  uint64_t z = (state.trial * 64 + symbol + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  return z ^ (z >> 31);
}

/// Evaluates with the columns and factors of `earlier`, so that column k means the
/// same byte in all forms of one state.
Gf2Form gf2Of(const Loop &loop, ExprId id, const Gf2State &state, const Gf2Form &earlier) {
  Gf2Form form;
  form.bytes = earlier.bytes;
  form.factors = earlier.factors;
  form.words = earlier.words;
  Gf2Evaluator evaluator(loop, state, form);
  form.ok = evaluator.of(id, form.value);
  return form;
}

} // namespace memlift
