// bytes.cpp - traces each byte of a value to its source
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bytes.h"

#include <algorithm>

namespace memlift {

/// Budget of steps per byte. An expression is a graph; walking a hostile one as a
/// tree would take exponential time. Real ones take fewer than a hundred.
constexpr int traceBudget = 4096;

/// Traces byte k of a value. A byte that no rule explains but that belongs to an
/// invariant expression is a byte of that expression.
static ByteSource trace(const Loop &loop, ExprId id, unsigned k, int &budget);

/// Returns the source of a byte with a known value.
static ByteSource constantByte(uint64_t v) {
  ByteSource b;
  b.kind = ByteSource::Constant;
  b.value = uint8_t(v);
  return b;
}

static bool isZero(const ByteSource &b) { return b.kind == ByteSource::Constant && b.value == 0; }

/// x | y, x ^ y and x + y equal the other operand in each byte where one is zero. For
/// an addition this must hold in all lower bytes too, or a carry could come in.
static ByteSource merged(const Loop &loop, const Expr &e, unsigned k, int &budget) {
  unsigned from = e.op == Op::Add ? 0 : k;
  ByteSource result;
  for (unsigned i = from; i <= k; ++i) {
    ByteSource x = trace(loop, e.a, i, budget);
    ByteSource y = trace(loop, e.b, i, budget);
    if (!isZero(x) && !isZero(y))
      return ByteSource();
    result = isZero(x) ? y : x;
  }
  return result;
}

/// Shifts by whole bytes move bytes and bring in zeros, or what depends on the sign.
static ByteSource shifted(const Loop &loop, const Expr &e, unsigned k, int &budget) {
  const ExprGraph &g = loop.exprs;
  if (!g.isConst(e.b) || g[e.b].value % 8 || g[e.b].value >= e.width)
    return ByteSource();
  unsigned by = unsigned(g[e.b].value / 8), bytes = e.width / 8;
  if (e.op == Op::Shl)
    return k < by ? constantByte(0) : trace(loop, e.a, k - by, budget);
  if (k + by >= bytes)
    return e.op == Op::LShr ? constantByte(0) : ByteSource();
  return trace(loop, e.a, k + by, budget);
}

/// A mask keeps or clears whole bytes.
static ByteSource masked(const Loop &loop, const Expr &e, unsigned k, int &budget) {
  const ExprGraph &g = loop.exprs;
  for (auto [mask, other] : {std::pair(e.a, e.b), std::pair(e.b, e.a)}) {
    if (!g.isConst(mask))
      continue;
    uint8_t bits = uint8_t(k < 8 ? g[mask].value >> (8 * k) : 0);
    if (bits == 0)
      return constantByte(0);
    if (bits == 0xff)
      return trace(loop, other, k, budget);
  }
  return ByteSource();
}

/// Looks through operations that move whole bytes; Varies for any other.
static ByteSource throughMoves(const Loop &loop, const Expr &e, unsigned k, int &budget) {
  unsigned from = e.a == NoExpr ? 0 : loop.exprs.width(e.a);
  switch (e.op) {
  case Op::Trunc: return trace(loop, e.a, k, budget);
  case Op::ZExt:
    if (from % 8)
      return ByteSource();
    return k < from / 8 ? trace(loop, e.a, k, budget) : constantByte(0);
  case Op::Splat: return from % 8 ? ByteSource() : trace(loop, e.a, k % (from / 8), budget);
  case Op::BSwap: return trace(loop, e.a, e.width / 8 - 1 - k, budget);
  case Op::SExt: return from % 8 || k >= from / 8 ? ByteSource() : trace(loop, e.a, k, budget);
  case Op::Shl:
  case Op::LShr:
  case Op::AShr: return shifted(loop, e, k, budget);
  case Op::Or:
  case Op::Xor:
  case Op::Add: return merged(loop, e, k, budget);
  case Op::And: return masked(loop, e, k, budget);
  default: return ByteSource();
  }
}

static ByteSource trace(const Loop &loop, ExprId id, unsigned k, int &budget) {
  if (--budget < 0)
    return ByteSource();
  const Expr &e = loop.exprs[id];
  if (e.width % 8 || k >= e.width / 8u)
    return ByteSource();
  if (e.op == Op::Const)
    return constantByte(k < 8 ? e.value >> (8 * k) : 0);
  if (e.op == Op::Load) {
    ByteSource b;
    b.kind = ByteSource::Loaded;
    b.access = uint32_t(e.value);
    b.index = loop.bigEndian ? e.width / 8 - 1 - k : k;
    return b;
  }
  ByteSource b = throughMoves(loop, e, k, budget);
  // The counter's upper bytes are 0, too, as in table[i] ^ i >> 8.
  if (b.kind == ByteSource::Varies && k < 8 && !(possibleBits(loop, id) >> (8 * k) & 0xff))
    return constantByte(0);
  if (b.kind == ByteSource::Varies && loop.exprs.isInvariant(id)) {
    b.kind = ByteSource::Invariant;
    b.expr = id;
    b.index = k;
  }
  return b;
}

ByteSource byteOf(const Loop &loop, ExprId id, unsigned k) {
  int budget = traceBudget;
  return trace(loop, id, k, budget);
}

/// The shared budget keeps a body of many words from taking the full budget for each
/// byte.
ByteSource byteOf(const Loop &loop, ExprId id, unsigned k, int &left) {
  int budget = std::min(traceBudget, left), before = budget;
  ByteSource b = trace(loop, id, k, budget);
  left -= before - std::max(budget, 0);
  return b;
}

ByteSource storedByte(const Loop &loop, ExprId id, unsigned k) {
  unsigned bytes = loop.exprs.width(id) / 8;
  return byteOf(loop, id, loop.bigEndian ? bytes - 1 - k : k);
}

/// Counts the leading bytes that are consecutive bytes of one invariant value, going
/// up (step 1) or down. Such a run needs one shift in place of one for each byte.
static unsigned runOf(const std::vector<ByteSource> &bytes, int step) {
  const ByteSource &b = bytes[0];
  unsigned run = 1;
  while (run < bytes.size() && bytes[run].kind == ByteSource::Invariant &&
         bytes[run].expr == b.expr &&
         int64_t(bytes[run].index) == int64_t(b.index) + step * int64_t(run))
    ++run;
  return run;
}

/// Returns the leading bytes as one piece of `run` bytes, the lowest first.
static ExprId pieceOf(ExprGraph &g, const std::vector<ByteSource> &bytes, unsigned &run) {
  const ByteSource &b = bytes[0];
  run = 1;
  if (b.kind == ByteSource::Constant)
    return g.constant(b.value, 8);
  // A descending run of 2, 4 or 8 bytes is one byte swap.
  unsigned down = runOf(bytes, -1);
  bool reversed = down == 2 || down == 4 || down == 8;
  run = reversed ? down : runOf(bytes, 1);
  unsigned low = reversed ? b.index - (run - 1) : b.index;
  ExprId part = b.expr;
  if (low)
    part = g.binary(Op::LShr, part, g.constant(8 * low, g.width(part)));
  if (g.width(part) > 8 * run)
    part = g.cast(Op::Trunc, part, 8 * run);
  return reversed ? g.cast(Op::BSwap, part, 8 * run) : part;
}

/// Composes runs of bytes, not single ones: a pattern that is one 32-bit value is
/// emitted as that value, and not as four shifts.
ExprId composeBytes(Loop &loop, const ByteSource *bytes, unsigned count, unsigned width,
                    bool bigEndian) {
  ExprGraph &g = loop.exprs;
  std::vector<ByteSource> left(bytes, bytes + count);
  if (bigEndian)
    std::reverse(left.begin(), left.end());
  ExprId sum = g.constant(0, 8 * width);
  for (unsigned j = 0, run; !left.empty(); j += run) {
    ExprId part = g.zextOrTrunc(pieceOf(g, left, run), 8 * width);
    ExprId amount = g.constant(8 * j, 8 * width);
    sum = g.binary(Op::Or, sum, g.binary(Op::Shl, part, amount));
    left.erase(left.begin(), left.begin() + run);
  }
  return sum;
}

} // namespace memlift
