// linear.cpp - evaluates expressions as linear forms modulo 2^w; linear.h explains the idea
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "linear.h"
#include "bytes.h"

namespace memlift {

namespace {

/// Evaluates one expression within a budget.
class Evaluator {
public:
  explicit Evaluator(const Loop &loop) : loop(loop), g(loop.exprs) {}
  Linear of(ExprId id);

private:
  const Loop &loop;
  const ExprGraph &g;
  int traces = 1 << 15; // budget of steps that trace values back to their bytes
  int budget = 4096;    // budget of nodes: an expression is a graph, which is walked as a tree

  static Linear no(const std::string &why, bool wrap = false) {
    Linear l;
    l.why = why;
    l.mayWrap = wrap;
    return l;
  }
  Linear unit(Unit u, unsigned width, __int128 low, __int128 high);
  Linear bytes(ExprId id);
  Linear scale(Linear l, uint64_t factor, unsigned width);
  Linear sum(const Linear &x, const Linear &y, unsigned width);
  Linear widen(const Expr &e);
  Linear extendSigned(const Expr &e);
  Linear narrow(const Expr &e);
  void clip(Linear &l, unsigned width);
};

/// Reduces coefficients modulo 2^width. An interval that leaves the width no longer
/// describes the value.
void Evaluator::clip(Linear &l, unsigned width) {
  uint64_t mask = maskOf(width);
  l.constant &= mask;
  for (auto it = l.terms.begin(); it != l.terms.end();) {
    it->second &= mask;
    it = it->second ? std::next(it) : l.terms.erase(it);
  }
  if (l.low < 0 || l.high > __int128(mask))
    l.bounded = false;
}

/// A form of one unit, with the interval of its type.
Linear Evaluator::unit(Unit u, unsigned width, __int128 low, __int128 high) {
  Linear l;
  l.ok = true;
  l.terms[u] = 1;
  l.bounded = true;
  l.low = low;
  l.high = high;
  clip(l, width);
  return l;
}

/// A value whose every byte was loaded or is constant, however it was assembled, is
/// the sum of its bytes by significance. byteOf() looks through shifts, masks, byte
/// swaps and selections of whole bytes, which are not linear one by one.
Linear Evaluator::bytes(ExprId id) {
  unsigned width = g.width(id);
  Linear l;
  l.bounded = true;
  bool loaded = false;
  for (unsigned k = 0; k < width / 8; ++k) {
    ByteSource b = byteOf(loop, id, k, traces);
    uint64_t weight = uint64_t(1) << (8 * k);
    if (b.kind == ByteSource::Constant) {
      l.constant += b.value * weight;
      l.low += __int128(b.value) * weight;
      l.high += __int128(b.value) * weight;
    } else if (b.kind == ByteSource::Loaded) {
      l.terms[{Unit::Byte, b.access, b.index}] += weight;
      l.high += __int128(255) * weight;
      loaded = true;
    } else {
      return no("");
    }
  }
  l.ok = loaded;
  clip(l, width);
  return l;
}

/// Multiplies by a constant. A negative or large factor makes the form unbounded.
Linear Evaluator::scale(Linear l, uint64_t factor, unsigned width) {
  if (!l.ok)
    return l;
  for (auto &term : l.terms)
    term.second *= factor;
  l.constant *= factor;
  int64_t f = signExtend(factor, width);
  // Intervals are kept only where they cannot leave 128 bits.
  if (f < 0 || f > (int64_t(1) << 32))
    l.bounded = false;
  l.low = l.bounded ? l.low * f : 0;
  l.high = l.bounded ? l.high * f : 0;
  clip(l, width);
  return l;
}

/// Adds two forms, or returns the one that failed, with its reason.
Linear Evaluator::sum(const Linear &x, const Linear &y, unsigned width) {
  if (!x.ok || !y.ok)
    return x.ok ? y : x;
  Linear l = x;
  for (auto &[u, c] : y.terms)
    l.terms[u] += c;
  l.constant += y.constant;
  l.bounded = x.bounded && y.bounded;
  l.low += y.low;
  l.high += y.high;
  clip(l, width);
  return l;
}

/// Zero extension keeps a bounded form and refuses any other.
Linear Evaluator::widen(const Expr &e) {
  Linear l = of(e.a);
  if (!l.ok || l.bounded)
    return l;
  return no("a " + std::to_string(g.width(e.a)) + "-bit sum that may wrap is widened", true);
}

/// Sign extension keeps a form that is bounded below the sign bit. Of a loaded word
/// only the top byte changes: it counts as -128 .. 127.
Linear Evaluator::extendSigned(const Expr &e) {
  unsigned from = g.width(e.a);
  Linear l = of(e.a);
  if (!l.ok)
    return l;
  if (l.bounded && l.high < (__int128(1) << (from - 1)))
    return l; // never negative
  const Expr &a = g[e.a];
  bool direct = a.op == Op::Load || (a.op == Op::BSwap && g[a.a].op == Op::Load);
  if (!direct || l.constant)
    return no("a " + std::to_string(from) + "-bit sum that may wrap is widened", true);
  // In a loaded word only the top byte carries the sign.
  ByteSource top = byteOf(loop, e.a, from / 8 - 1);
  Unit plain{Unit::Byte, top.access, top.index};
  l.terms.erase(plain);
  l.terms[{Unit::SignedByte, top.access, top.index}] = uint64_t(1) << (from - 8);
  l.bounded = false;
  return l;
}

/// Truncation keeps the form modulo the smaller power of two.
Linear Evaluator::narrow(const Expr &e) {
  Linear l = of(e.a);
  if (l.ok)
    clip(l, e.width);
  return l;
}

/// Evaluates an expression. Invariants are units of their own, whatever they are made
/// of. Whole bytes are tried before the operation, since their trace succeeds for
/// words that are not linear operation by operation: (p[0] | p[1] << 8).
Linear Evaluator::of(ExprId id) {
  const Expr &e = g[id];
  if (e.width > 64 || --budget < 0)
    return no("an expression too large to follow");
  if (e.op == Op::Const) {
    Linear l;
    l.ok = l.bounded = true;
    l.constant = e.value;
    l.low = l.high = e.value;
    return l;
  }
  if (g.isInvariant(id))
    return unit({Unit::Invariant, id, 0}, e.width, 0, maskOf(e.width));
  if (e.op == Op::Rec)
    return unit({Unit::Rec, uint32_t(e.value), 0}, e.width, 0, maskOf(e.width));
  // Try the bytes first: a word assembled by shifts and ors is linear only as a
  // whole.
  if (e.width % 8 == 0) {
    Linear l = bytes(id);
    if (l.ok)
      return l;
  }
  switch (e.op) {
  case Op::Add: {
    Linear x = of(e.a); // if the first operand fails, the second one is not evaluated
    return x.ok ? sum(x, of(e.b), e.width) : x;
  }
  case Op::Sub: {
    Linear x = of(e.a);
    // Subtraction adds -1 times the operand, which is never bounded.
    return x.ok ? sum(x, scale(of(e.b), ~uint64_t(0), e.width), e.width) : x;
  }
  case Op::Mul:
    if (g.isConst(e.b))
      return scale(of(e.a), g[e.b].value, e.width);
    if (g.isConst(e.a))
      return scale(of(e.b), g[e.a].value, e.width);
    return no("a product of two values that change");
  case Op::Shl:
    if (g.isConst(e.b) && g[e.b].value < e.width)
      return scale(of(e.a), uint64_t(1) << g[e.b].value, e.width);
    return no("a shift by a value that changes");
  case Op::ZExt: return widen(e);
  case Op::SExt: return extendSigned(e);
  case Op::Trunc: return narrow(e);
  default: {
    Linear l = no("an operation that is no sum: ");
    l.culprit = id;
    return l;
  }
  }
}

} // namespace

Linear linearOf(const Loop &loop, ExprId id) { return Evaluator(loop).of(id); }

} // namespace memlift
