// expr.cpp - hash-consed expressions: folding, and the polynomial normal form
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "expr.h"
#include "knownzero.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace memlift {

uint64_t maskOf(unsigned width) { return width >= 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1; }

int64_t signExtend(uint64_t value, unsigned width) {
  if (width >= 64)
    return int64_t(value);
  uint64_t sign = uint64_t(1) << (width - 1);
  return int64_t(((value & maskOf(width)) ^ sign) - sign);
}

void clMul(uint64_t a, uint64_t b, uint64_t &low, uint64_t &high) {
  low = b & 1 ? a : 0;
  high = 0;
  for (unsigned i = 1; i < 64; ++i)
    if (b >> i & 1) {
      low ^= a << i;
      high ^= a >> (64 - i);
    }
}

uint64_t inverseOf(uint64_t odd) {
  uint64_t inverse = odd; // right in its lowest three bits; each step doubles their number
  for (unsigned bits = 3; bits < 64; bits *= 2)
    inverse *= 2 - odd * inverse;
  return inverse;
}

static uint64_t hashOf(const Expr &e) {
  uint64_t h = uint64_t(e.op) << 16 | e.width;
  for (uint64_t word : {e.value, uint64_t(e.a) << 32 | e.b, uint64_t(e.c)}) {
    h = (h ^ word) * 0x9e3779b97f4a7c15; // 2^64 by the golden ratio
    h ^= h >> 32;
  }
  return h;
}

static bool isSame(const Expr &x, const Expr &y) {
  return x.op == y.op && x.width == y.width && x.value == y.value && x.a == y.a && x.b == y.b &&
         x.c == y.c;
}

/// Returns the slot of an equal node, or the free slot where it belongs.
size_t ExprGraph::slotOf(const Expr &e) const {
  size_t at = size_t(hashOf(e)) & (slots.size() - 1);
  while (slots[at] != NoExpr && !isSame(nodes[slots[at]], e))
    at = (at + 1) & (slots.size() - 1);
  return at;
}

/// Doubles the slots, so that at most half of them are taken.
void ExprGraph::grow() {
  slots.assign(slots.empty() ? 64 : 2 * slots.size(), NoExpr);
  for (ExprId id = 0; id < nodes.size(); ++id)
    slots[slotOf(nodes[id])] = id;
}

ExprId ExprGraph::intern(const Expr &e) {
  if (2 * nodes.size() >= slots.size())
    grow();
  size_t slot = slotOf(e);
  if (slots[slot] != NoExpr)
    return slots[slot];
  slots[slot] = ExprId(nodes.size());
  Traits t;
  t.varies = e.op == Op::Load || e.op == Op::Iv || e.op == Op::Rec || e.op == Op::Opaque;
  t.late = e.op == Op::Memory || e.op == Op::Result;
  for (ExprId operand : {e.a, e.b, e.c}) {
    t.varies |= traitsOf(operand).varies;
    t.late |= traitsOf(operand).late;
  }
  nodes.push_back(e);
  traits.push_back(t);
  return slots[slot];
}

ExprId ExprGraph::constant(uint64_t value, unsigned width) {
  assert(width >= 1 && "a constant without bits");
  return intern({Op::Const, uint16_t(width), value & maskOf(width)});
}

ExprId ExprGraph::leaf(Op op, uint64_t value, unsigned width) {
  return intern({op, uint16_t(width), value});
}

ExprId ExprGraph::opaque(unsigned width) {
  return intern({Op::Opaque, uint16_t(width), nextOpaque++});
}

/// Repeats the low `from` bits of v up to `width` <= 64.
static uint64_t repeatBits(uint64_t v, unsigned from, unsigned width) {
  uint64_t r = 0;
  for (unsigned at = 0; at < width; at += from)
    r |= (v & maskOf(from)) << at;
  return r & maskOf(width);
}

ExprId ExprGraph::table(uint64_t which, ExprId entry, unsigned width) {
  return intern({Op::Table, uint16_t(width), which, entry});
}

ExprId ExprGraph::splat(ExprId a, unsigned width) {
  unsigned from = nodes[a].width;
  if (from == width)
    return a;
  if (isConst(a) && width <= 64)
    return constant(repeatBits(nodes[a].value, from, width), width);
  if (nodes[a].op == Op::Splat)
    a = nodes[a].a;
  return intern({Op::Splat, uint16_t(width), 0, a});
}

ExprId ExprGraph::memory(ExprId address, unsigned width, uint64_t align) {
  return intern({Op::Memory, uint16_t(width), align, address});
}

static bool isCommutative(Op op) {
  switch (op) {
  case Op::Add:
  case Op::Mul:
  case Op::And:
  case Op::Or:
  case Op::Xor:
  case Op::Eq:
  case Op::Ne:
  case Op::ClMul: return true;
  default: return false;
  }
}

uint64_t foldBinary(Op op, uint64_t x, uint64_t y, unsigned width) {
  switch (op) {
  case Op::Add: return x + y;
  case Op::Sub: return x - y;
  case Op::Mul: return x * y;
  case Op::URem: return y ? x % y : 0;
  case Op::SRem: return y ? uint64_t(signExtend(x, width) % int64_t(y)) : 0;
  case Op::And: return x & y;
  case Op::Or: return x | y;
  case Op::Xor: return x ^ y;
  case Op::Shl: return y < width ? x << y : 0;
  case Op::LShr: return y < width ? x >> y : 0;
  case Op::AShr: return uint64_t(signExtend(x, width) >> std::min<uint64_t>(y, width - 1));
  case Op::Eq: return x == y;
  case Op::Ne: return x != y;
  case Op::ULt: return x < y;
  case Op::ULe: return x <= y;
  default: assert(false && "not a binary operation"); return 0;
  }
}

ExprId ExprGraph::binary(Op op, ExprId a, ExprId b) {
  unsigned width = nodes[a].width;
  assert(width == nodes[b].width && "operands differ in width");
  bool compare = op == Op::Eq || op == Op::Ne || op == Op::ULt || op == Op::ULe;
  unsigned resultWidth = compare ? 1 : isDoubling(op) ? 2 * width : width;
  bool right = op == Op::LShr && isConst(b) && nodes[b].value < 128;
  if (right && nodes[a].op == Op::ZExt && nodes[b].value >= nodes[nodes[a].a].width)
    return constant(0, width);
  if (isConst(a) && right && width > 64) // zero above 64 bits, see constant()
    return constant(foldBinary(op, nodes[a].value, nodes[b].value, 64), width);
  if (isConst(a) && isConst(b) && resultWidth <= 64)
    return constant(foldBinary(op, nodes[a].value, nodes[b].value, width), resultWidth);
  if (isCommutative(op) && isConst(a))
    std::swap(a, b);
  bool zero = isConst(b, 0), one = isConst(b, 1);
  switch (op) {
  case Op::Add:
  case Op::Or:
  case Op::Xor:
  case Op::Shl:
  case Op::LShr:
  case Op::AShr:
    if (zero)
      return a;
    break;
  case Op::Sub:
    if (zero)
      return a;
    if (a == b)
      return constant(0, width);
    break;
  case Op::Mul:
    if (zero)
      return b;
    if (one)
      return a;
    break;
  case Op::URem:
  case Op::SRem:
    assert(isConst(b) && !zero && "a remainder is by a constant");
    if (one)
      return constant(0, width);
    break;
  case Op::And:
    if (zero)
      return b;
    if (isConst(b, maskOf(width)) && width <= 64)
      return a;
    break;
  case Op::Eq:
  case Op::ULe:
    if (a == b)
      return constant(1, 1);
    break;
  case Op::Ne:
  case Op::ULt:
    if (a == b)
      return constant(0, 1);
    break;
  default: break;
  }
  if (isCommutative(op) && !isConst(b) && a > b)
    std::swap(a, b);
  return intern({op, uint16_t(resultWidth), 0, a, b});
}

/// Divides by a constant: by a power of two with a shift; by an odd number that
/// divides without remainder with its inverse modulo 2^width.
ExprId ExprGraph::quotient(ExprId a, uint64_t by) {
  unsigned width = nodes[a].width, shift = unsigned(__builtin_ctzll(by));
  assert(width <= 64 && by && by <= maskOf(width));
  a = binary(Op::LShr, a, constant(shift, width));
  ExprId rest = binary(Op::URem, a, constant(by >> shift, width));
  return mul(sub(a, rest), constant(inverseOf(by >> shift), width));
}

ExprId ExprGraph::exactQuotient(ExprId a, uint64_t by) {
  unsigned width = nodes[a].width, shift = unsigned(__builtin_ctzll(by));
  assert(width <= 64 && by && by <= maskOf(width));
  return mul(binary(Op::AShr, a, constant(shift, width)), constant(inverseOf(by >> shift), width));
}

ExprId ExprGraph::cast(Op op, ExprId a, unsigned width) {
  unsigned from = nodes[a].width;
  if (op == Op::BSwap) {
    assert(width == from && width % 16 == 0 && "bswap of an odd width");
    if (!isConst(a))
      return intern({op, uint16_t(width), 0, a});
    uint64_t r = 0;
    for (unsigned i = 0; i < width; i += 8)
      r = r << 8 | ((nodes[a].value >> i) & 0xff);
    return constant(r, width);
  }
  if (from == width)
    return a;
  assert((op == Op::Trunc ? width < from : width > from) && "cast direction");
  if (isConst(a) && (width <= 64 || (op == Op::ZExt && width == 128)))
    return constant(op == Op::SExt ? uint64_t(signExtend(nodes[a].value, from)) : nodes[a].value,
                    width);
  // trunc(zext x), trunc(sext x) and trunc(trunc x) lose the inner step.
  Op inner = nodes[a].op;
  if (op == Op::Trunc && (inner == Op::ZExt || inner == Op::SExt || inner == Op::Trunc)) {
    ExprId x = nodes[a].a;
    if (nodes[x].width == width)
      return x;
    return cast(nodes[x].width > width ? Op::Trunc : inner, x, width);
  }
  // b[1] << 8 is an int in C, and is never negative. Compilers differ in whether they say so.
  if (op == Op::SExt && from <= 64 && (knownZero(*this, a) >> (from - 1) & 1))
    return cast(Op::ZExt, a, width);
  if (op == Op::ZExt && inner == Op::ZExt)
    a = nodes[a].a;
  return intern({op, uint16_t(width), 0, a});
}

ExprId ExprGraph::select(ExprId a, ExprId b, ExprId c) {
  assert(nodes[a].width == 1 && nodes[b].width == nodes[c].width);
  if (isConst(a))
    return nodes[a].value ? b : c;
  if (b == c)
    return b;
  // x ^ K or x, in one form that has x once: a CRC has eight of them in sequence.
  auto flips = [&](ExprId with, ExprId without) {
    const Expr &e = nodes[with];
    return e.op == Op::Xor && e.a == without && isConst(e.b);
  };
  ExprId zero = constant(0, nodes[b].width);
  if (nodes[b].width <= 64 && flips(b, c))
    return binary(Op::Xor, c, select(a, nodes[b].b, zero));
  if (nodes[b].width <= 64 && flips(c, b))
    return binary(Op::Xor, b, select(a, zero, nodes[c].b));
  return intern({Op::Select, nodes[b].width, 0, a, b, c});
}

ExprId ExprGraph::half(ExprId a, unsigned which) {
  const Expr &e = nodes[a];
  if (e.op == Op::Pair)
    return which ? e.b : e.a;
  if (which)
    a = binary(Op::LShr, a, constant(64, 128));
  return cast(Op::Trunc, a, 64);
}

ExprId ExprGraph::crc(Op op, ExprId state, ExprId data) {
  assert(isCrcStep(op) && nodes[state].width == 32 && nodes[data].width % 8 == 0);
  return intern({op, 32, 0, state, data});
}

ExprId ExprGraph::zextOrTrunc(ExprId a, unsigned width) {
  unsigned from = nodes[a].width;
  if (from == width)
    return a;
  return cast(from < width ? Op::ZExt : Op::Trunc, a, width);
}

ExprId ExprGraph::substitute(ExprId id, std::map<ExprId, ExprId> &with) {
  auto known = with.find(id);
  if (id == NoExpr || known != with.end())
    return id == NoExpr ? id : known->second;
  const Expr e = nodes[id];
  ExprId r = id, a = substitute(e.a, with), b = substitute(e.b, with);
  ExprId c = substitute(e.c, with);
  if (a == e.a && b == e.b && c == e.c)
    r = id;
  else if (e.op == Op::Table)
    r = table(e.value, a, e.width);
  else if (e.op == Op::Splat)
    r = splat(a, e.width);
  else if (c != NoExpr)
    r = select(a, b, c);
  else if (isCrcStep(e.op))
    r = crc(e.op, a, b);
  else
    r = b != NoExpr ? binary(e.op, a, b) : cast(e.op, a, e.width);
  return with[id] = r;
}

bool ExprGraph::isDivisor(Op op, ExprId id) const {
  return isConst(id) && !isConst(id, 0) &&
         (op == Op::URem || signExtend(nodes[id].value, nodes[id].width) > 0);
}

static void accumulate(Poly &p, const Monomial &m, uint64_t coefficient, uint64_t mask) {
  uint64_t &slot = p[m];
  slot = (slot + coefficient) & mask;
  if (slot == 0)
    p.erase(m);
}

/// Limit on the terms of a product; larger ones are atoms. Nothing real needs them,
/// and hostile input must not make us expand (a + b)^n.
constexpr size_t maxTerms = 64;
/// Limit on the steps for sums of sums that share their operands.
constexpr unsigned maxPolySteps = 4096;

static Poly multiply(const Poly &x, const Poly &y, uint64_t mask) {
  Poly r;
  for (auto &[mx, cx] : x)
    for (auto &[my, cy] : y) {
      Monomial m;
      std::merge(mx.begin(), mx.end(), my.begin(), my.end(), std::back_inserter(m));
      accumulate(r, m, cx * cy, mask);
    }
  return r;
}

Poly ExprGraph::poly(ExprId id) const {
  unsigned steps = maxPolySteps;
  return polyOf(id, steps);
}

Poly ExprGraph::polyOf(ExprId id, unsigned &steps) const {
  const Expr &e = nodes[id];
  uint64_t mask = maskOf(e.width);
  Poly r;
  if (steps)
    --steps;
  switch (steps ? e.op : Op::Opaque) {
  case Op::Const:
    if (e.value)
      r[{}] = e.value;
    return r;
  case Op::Add:
  case Op::Sub: {
    r = polyOf(e.a, steps);
    uint64_t sign = e.op == Op::Add ? 1 : ~uint64_t(0);
    for (auto &[m, c] : polyOf(e.b, steps))
      accumulate(r, m, sign * c, mask);
    return r;
  }
  case Op::Mul: {
    Poly x = polyOf(e.a, steps), y = polyOf(e.b, steps);
    if (x.size() * y.size() > maxTerms)
      break;
    return multiply(x, y, mask);
  }
  case Op::Shl:
    if (isConst(e.b) && nodes[e.b].value < e.width) {
      Poly factor{{{}, uint64_t(1) << nodes[e.b].value}};
      return multiply(polyOf(e.a, steps), factor, mask);
    }
    break;
  default: break;
  }
  r[{id}] = 1;
  return r;
}

ExprId ExprGraph::fromPoly(const Poly &p, unsigned width) {
  ExprId sum = constant(0, width);
  // positive terms first, so that the negative ones can be subtracted from them
  for (bool negative : {false, true})
    for (auto &[m, c] : p) {
      if ((signExtend(c, width) < 0) != negative)
        continue;
      ExprId term = constant(negative ? (0 - c) & maskOf(width) : c, width);
      for (ExprId atom : m)
        term = mul(term, atom);
      sum = negative ? sub(sum, term) : add(sum, term);
    }
  return sum;
}

bool ExprGraph::constantDifference(ExprId a, ExprId b, int64_t &diff) const {
  unsigned w = nodes[a].width;
  if (w != nodes[b].width)
    return false;
  Poly d = poly(a);
  for (auto &[m, c] : poly(b))
    accumulate(d, m, 0 - c, maskOf(w));
  if (d.empty()) {
    diff = 0;
    return true;
  }
  if (d.size() != 1 || !d.begin()->first.empty())
    return false;
  diff = signExtend(d.begin()->second, w);
  return true;
}

bool ExprGraph::vanishesWith(ExprId a, ExprId zero) const {
  auto isZero = [&](ExprId atom) {
    const Expr &e = nodes[atom];
    return atom == zero || ((e.op == Op::ZExt || e.op == Op::SExt) && e.a == zero);
  };
  Poly p = poly(a);
  return std::all_of(p.begin(), p.end(), [&](const auto &term) {
    return std::any_of(term.first.begin(), term.first.end(), isZero);
  });
}

bool ExprGraph::equal(ExprId a, ExprId b) const {
  int64_t diff;
  return a == b || (constantDifference(a, b, diff) && diff == 0);
}

} // namespace memlift
