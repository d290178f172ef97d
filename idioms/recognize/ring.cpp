// ring.cpp - reads an index of a ring as a linear one, under the assumption that it does not wrap
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = 0; i < n; i++) { ring[h] = s[i]; h = (h + 1) & mask; }
//
// From h on, the index is h + i for as long as it does not come to the end of the ring: for the
// n - 1 steps between n places, if h <= mask and n - 1 <= mask - h. A test before the loop decides
// that. The step behind the last place may lead anywhere: only code after the loop sees it, and its
// value is computed as the source does.
//
//   next                                   last place   it is a ring if
//   (h + 1) & m                            m            m + 1 is a power of two
//   (h + 1) % n                            n - 1        n > 0 (signed)
//   h + 1 == n ? x : h + 1                 n - 1
//   h + 1 <  n ? h + 1 : x                 n - 1        n > 0
//   h + 1 <= n ? h + 1 : x                 n
//   h <  n     ? h + 1 : x                 n
//
// A loop  while (h != end)  ends after end - h steps, if h <= end and end is a place of the ring.
//
// A signed comparison is one of numbers that are not negative: the last place must not be, either.
#include "ring.h"

#include <algorithm>

namespace memlift {
namespace {

/// Places of a ring of constant size, at least: of fewer, no call is made.
constexpr uint64_t fewestPlaces = 16;

class RingReader {
public:
  RingReader(Loop &loop, ExprId at) : loop(loop), g(loop.exprs), at(at), width(g.width(at)) {}
  std::optional<Ring> masked(ExprId next);
  std::optional<Ring> divided(ExprId next);
  std::optional<Ring> chosen(ExprId next);
  std::optional<Ring> endsAt(ExprId next, ExprId last, ExprId exists = NoExpr);
  /// Returns whether x is k steps on from the index.
  bool isOn(ExprId x, int64_t k) {
    int64_t by;
    return x != NoExpr && g.width(x) == width && g.constantDifference(x, at, by) && by == k;
  }
  ExprId number(uint64_t v) { return g.constant(v, width); }

private:
  Loop &loop;
  ExprGraph &g;
  ExprId at;
  unsigned width;

  std::optional<Ring> below(ExprId next, ExprId x, ExprId y, bool orEqual);
  ExprId withoutSign(ExprId x, bool &flipped);
};

std::optional<Ring> RingReader::endsAt(ExprId next, ExprId last, ExprId exists) {
  if (!g.isInvariant(last) || (exists != NoExpr && g.isConst(exists, 0)) ||
      (g.isConst(last) && g[last].value < fewestPlaces - 1))
    return std::nullopt;
  return Ring{at, next, NoExpr, last, exists};
}

std::optional<Ring> RingReader::masked(ExprId next) {
  const Expr e = g[next];
  if (e.op == Op::ZExt) { // (unsigned char)(h + 1)
    const Expr cut = g[e.a];
    if (cut.op == Op::Trunc && isOn(cut.a, 1))
      return endsAt(next, number(maskOf(cut.width)));
    int64_t by;
    bool narrow = g.constantDifference(e.a, g.zextOrTrunc(at, cut.width), by) && by == 1;
    return narrow ? endsAt(next, number(maskOf(cut.width))) : std::nullopt;
  }
  if (e.op != Op::And)
    return std::nullopt;
  for (auto [sum, last] : {std::pair(e.a, e.b), std::pair(e.b, e.a)})
    if (isOn(sum, 1) && g.isInvariant(last)) {
      ExprId size = g.add(last, number(1));
      return endsAt(next, last, g.binary(Op::Eq, g.binary(Op::And, last, size), number(0)));
    }
  return std::nullopt;
}

/// Reads a remainder by a constant.
std::optional<Ring> RingReader::divided(ExprId next) {
  const Expr e = g[next];
  bool isRemainder = e.op == Op::URem || e.op == Op::SRem;
  return isRemainder && isOn(e.a, 1) ? ringByRemainder(loop, at, e.a, e.b, e.op == Op::SRem)
                                     : std::nullopt;
}

/// Removes the flip of the sign bit by which signed numbers are compared.
ExprId RingReader::withoutSign(ExprId x, bool &flipped) {
  ExprId sign = number(uint64_t(1) << (width - 1));
  const Expr e = g[x];
  flipped = e.op == Op::Xor && e.b == sign;
  return flipped ? e.a : x;
}

/// Reads an index that steps on while x < y, or x <= y, where x is the index or one more.
std::optional<Ring> RingReader::below(ExprId next, ExprId x, ExprId y, bool orEqual) {
  bool isSigned, other;
  x = withoutSign(x, isSigned);
  y = withoutSign(y, other);
  bool now = isOn(x, 0), then = isOn(x, 1);
  if (isSigned != other) { // a constant, or 0 - n
    if (!isSigned || !g.isConst(y))
      return std::nullopt;
    y = number(g[y].value ^ uint64_t(1) << (width - 1));
  }
  if (!now && !then)
    return std::nullopt;
  ExprId top = number(isSigned ? maskOf(width) >> 1 : maskOf(width));
  if (then && !orEqual) {
    ExprId last = g.sub(y, number(1));
    return endsAt(next, last, g.binary(Op::ULt, last, top));
  }
  // h <= n ? h + 1 : x  would have n + 1 as its last place.
  return now == orEqual ? std::nullopt
                        : endsAt(next, y, isSigned ? g.binary(Op::ULe, y, top) : NoExpr);
}

std::optional<Ring> RingReader::chosen(ExprId next) {
  const Expr e = g[next];
  if (e.op != Op::Select)
    return std::nullopt;
  bool onIfTrue = isOn(e.b, 1);
  if (!onIfTrue && !isOn(e.c, 1))
    return std::nullopt;
  const Expr test = g[e.a];
  const bool compares =
      test.op == Op::Eq || test.op == Op::Ne || test.op == Op::ULt || test.op == Op::ULe;
  if (!compares || g.width(test.a) != width)
    return std::nullopt;
  if (test.op == (onIfTrue ? Op::Ne : Op::Eq)) {
    for (auto [x, end] : {std::pair(test.a, test.b), std::pair(test.b, test.a)})
      for (int64_t k : {0, 1})
        if (isOn(x, k) && g.isInvariant(end))
          return endsAt(next, g.sub(end, number(uint64_t(k))));
    return std::nullopt;
  }
  bool orEqual = test.op == Op::ULe;
  if (!orEqual && test.op != Op::ULt)
    return std::nullopt;
  return onIfTrue ? below(next, test.a, test.b, orEqual) : below(next, test.b, test.a, !orEqual);
}

} // namespace

std::optional<Ring> ringOf(Loop &loop, ExprId at, ExprId next) {
  RingReader reader(loop, at);
  if (next == NoExpr || loop.exprs.width(next) != loop.exprs.width(at) ||
      loop.exprs.width(at) > loop.ptrBits)
    return std::nullopt;
  if (auto ring = reader.masked(next))
    return ring;
  if (auto ring = reader.divided(next))
    return ring;
  return reader.chosen(next);
}

std::optional<Ring> ringByRemainder(Loop &loop, ExprId at, ExprId sum, ExprId size, bool isSigned) {
  ExprGraph &g = loop.exprs;
  RingReader reader(loop, at);
  if (g.width(at) > loop.ptrBits || !reader.isOn(sum, 1) || g.width(size) != g.width(at) ||
      !g.isInvariant(size))
    return std::nullopt;
  ExprId last = g.sub(size, reader.number(1));
  ExprId next = g.select(g.binary(Op::Eq, sum, size), reader.number(0), sum);
  ExprId top = reader.number(maskOf(g.width(at)) >> 1);
  return reader.endsAt(next, last, isSigned ? g.binary(Op::ULt, last, top) : NoExpr);
}

std::optional<Ring> cutByMask(Loop &loop, ExprId start, ExprId last) {
  ExprGraph &g = loop.exprs;
  ExprId at = g.opaque(g.width(start));
  auto ring = ringOf(loop, at, g.binary(Op::And, g.add(at, g.constant(1, g.width(at))), last));
  if (ring)
    ring->first = g.binary(Op::And, start, last);
  return ring;
}

std::optional<Ring> cutByRemainder(Loop &loop, ExprId start, ExprId size, bool isSigned) {
  ExprGraph &g = loop.exprs;
  ExprId at = g.opaque(g.width(start));
  auto ring = ringByRemainder(loop, at, g.add(at, g.constant(1, g.width(at))), size, isSigned);
  if (ring)
    ring->first = start;
  return ring;
}

ExprId stepOn(Loop &loop, const Ring &ring, ExprId from) {
  std::map<ExprId, ExprId> with = {{ring.at, from}};
  return loop.exprs.substitute(ring.next, with);
}

ExprId atEnd(Loop &loop, const Ring &ring, ExprId taken, ExprId value) {
  ExprGraph &g = loop.exprs;
  std::map<ExprId, ExprId> with = {
      {ring.at, g.add(ring.first, g.zextOrTrunc(taken, g.width(ring.first)))}};
  return g.substitute(value, with);
}

ExprId inIteration(Loop &loop, const Ring &ring, ExprId value) {
  return atEnd(loop, ring, loop.exprs.leaf(Op::Iv, 0, loop.ptrBits), value);
}

/// Returns true if the first index is in the ring without a test.
static bool beginsInside(Loop &loop, const Ring &ring) {
  const ExprGraph &g = loop.exprs;
  const Expr first = g[ring.first];
  bool cut = first.op == Op::And && (first.a == ring.last || first.b == ring.last);
  return cut || (g.isConst(ring.last) && upperBound(loop, ring.first) <= g[ring.last].value);
}

bool stepsInside(Loop &loop, ExprId now, ExprId next) {
  ExprGraph &g = loop.exprs;
  auto ring = ringOf(loop, now, next);
  if (!ring)
    return false;
  const ExprId iv = g.leaf(Op::Iv, 0, loop.ptrBits);
  std::map<ExprId, ExprId> atFirst = {{iv, loop.word(0)}};
  const ExprId first = g.substitute(now, atFirst);
  const ExprId counted = g.add(first, g.zextOrTrunc(iv, g.width(now)));
  int64_t by;
  if (!g.isInvariant(first) || !g.constantDifference(now, counted, by) || by != 0)
    return false;
  const ExprId room = g.zextOrTrunc(g.sub(ring->last, first), loop.ptrBits);
  ring->first = first;
  bool exists = ring->exists == NoExpr || g.isConst(ring->exists, 1);
  bool begins = beginsInside(loop, *ring), inside = false;
  for (const Assumption &a : loop.assumptions) {
    const Expr e = g[a.condition];
    exists |= a.condition == ring->exists;
    begins |= e.op == Op::ULe && e.a == first && e.b == ring->last;
    inside |= a.code == Diag::RingWraps && e.op == Op::ULe && e.b == room;
  }
  return exists && begins && inside;
}

static void assumeOfRing(Loop &loop, ExprId condition, const char *what) {
  bool known = std::any_of(loop.assumptions.begin(), loop.assumptions.end(),
                           [&](const Assumption &a) { return a.condition == condition; });
  if (!known && !loop.exprs.isConst(condition, 1))
    loop.assumptions.push_back({Diag::RingWraps, condition, what});
}

ExprId stepsTo(Loop &loop, const RingEnd &end) {
  ExprGraph &g = loop.exprs;
  ExprId steps = g.sub(end.place, end.ring.first);
  if (end.next)
    steps = g.sub(steps, g.constant(1, g.width(steps)));
  return g.zextOrTrunc(steps, loop.ptrBits);
}

void assumeReached(Loop &loop, const RingEnd &end) {
  ExprGraph &g = loop.exprs;
  if (end.ring.exists != NoExpr)
    assumeOfRing(loop, end.ring.exists, "the ring has a size that its index can have");
  assumeOfRing(loop, g.binary(Op::ULe, end.place, end.ring.last),
               "the loop ends at a place of the ring");
  assumeOfRing(loop, g.binary(end.next ? Op::ULt : Op::ULe, end.ring.first, end.place),
               "the loop ends before the index starts again at the ring's beginning");
}

void assumeInside(Loop &loop, const Ring &ring, ExprId taken, bool isSigned) {
  ExprGraph &g = loop.exprs;
  unsigned width = g.width(ring.last);
  const bool inside = beginsInside(loop, ring);
  if (ring.exists != NoExpr)
    assumeOfRing(loop, ring.exists, "the ring has a size that its index can have");
  ExprId top = g.constant(maskOf(width) >> 1, width);
  bool positive = ring.exists == g.binary(Op::ULt, ring.last, top) ||
                  (g.isConst(ring.last) && g[ring.last].value <= g[top].value);
  if (isSigned && !positive)
    assumeOfRing(loop, g.binary(Op::ULe, ring.last, top), "the ring's last index is not negative");
  if (!inside)
    assumeOfRing(loop, g.binary(Op::ULe, ring.first, ring.last), "the first index is in the ring");
  ExprId room = g.zextOrTrunc(g.sub(ring.last, ring.first), loop.ptrBits);
  assumeOfRing(loop, g.binary(Op::ULe, g.zextOrTrunc(taken, loop.ptrBits), room),
               "the index does not start again at the ring's beginning");
  if (loop.dims.size() != 1 || !g.isConst(ring.last) || g[ring.last].value >= uint64_t(1) << 62)
    return;
  uint64_t places = g[ring.last].value + 1 - (g.isConst(ring.first) ? g[ring.first].value : 0);
  Dim &dim = loop.dims[0];
  if (!dim.maxTrip || places < dim.maxTrip)
    dim.maxTrip = places;
}

} // namespace memlift
