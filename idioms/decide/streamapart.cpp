// streamapart.cpp - the windows of a loop's streams, and that none meets another
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "streamer.h"

namespace memlift {
namespace {

constexpr unsigned mostTests = 12;       // comparisons of regions before the loop
constexpr uint64_t mostPitch = 1u << 31; // of rows, and their number: the same

} // namespace

/// Returns `bytes` and all that the other iterations of a dimension reach.
ExprId Streamer::span(ExprId bytes, size_t dim, ExprId step) {
  ExprId trip = loop.dims[dim].trip, zero = loop.word(0);
  if (!loop.dims[dim].nonzero && !(g.isConst(trip) && g[trip].value))
    p.require(g.binary(Op::Ne, trip, zero));
  ExprId by = loop.word(uint64_t(std::abs(constant(step))));
  return p.tidy(g.add(bytes, g.mul(g.sub(trip, loop.word(1)), by)));
}

/// Compares the windows with the distance between them, if neither is constant.
bool Streamer::rowsFit(Walk &s) {
  bool known = g.isConst(s.bytes) && g.isConst(s.pitch);
  if (g.equal(s.bytes, s.pitch) || known) {
    int64_t bytes = known ? constant(s.bytes) : 0, pitch = known ? constant(s.pitch) : 0;
    if (s.written && bytes > pitch)
      return p.fail("stream: written densely", Diag::StreamHoles,
                    "every byte of an iteration, once", "rows of " + nameOf(s) + " overlap");
    s.rows = s.written ? bytes < pitch : pitch - bytes >= streamRowGap;
  } else {
    p.require(g.binary(Op::ULe, s.bytes, s.pitch), "stream: rows", Diag::Overlap,
              "rows of " + nameOf(s) + " apart", p.text(s.pitch));
    s.rows = true;
  }
  if (!g.isConst(s.pitch)) { // so it is not negative, and no region wraps around
    p.require(g.binary(Op::ULe, s.pitch, loop.word(mostPitch)));
    p.require(g.binary(Op::ULe, loop.dims[0].trip, loop.word(mostPitch)));
  }
  return true;
}

/// Finds the window of iteration 0, and whether iterations are rows.
bool Streamer::window(Walk &s) {
  s.window = g.add(s.at, loop.word(uint64_t(s.low)));
  s.bytes = loop.word(uint64_t(s.high - s.low));
  for (size_t k = s.step.size() - 1; k > 0; --k) {
    if (g.isConst(s.step[k], 0))
      continue;
    ExprId before = s.bytes;
    s.bytes = span(s.bytes, k, s.step[k]);
    if (constant(s.step[k]) < 0)
      s.window = g.sub(s.window, g.sub(s.bytes, before));
  }
  s.window = p.tidy(s.window);
  s.down = g.isConst(s.step[0]) && constant(s.step[0]) < 0;
  s.pitch = s.down ? loop.word(uint64_t(-constant(s.step[0]))) : s.step[0];
  if (s.step.size() > 1)
    return rowsFit(s);
  s.rows = !s.written && constant(s.pitch) - constant(s.bytes) >= streamRowGap;
  return true;
}

/// A condition before an access may be false in all iterations, and then the memory that bounds
/// their number is not there.
Reach Streamer::reachOf(const Walk &s) {
  bool bounded = !g.isConst(s.pitch) || constant(s.pitch) <= streamRowGap;
  for (const Part &part : s.parts)
    bounded = bounded && !loop.accesses[part.access].conditional;
  if (!bounded)
    p.require(g.binary(Op::ULe, loop.dims[0].trip, loop.word(mostPitch)));
  ExprId way = g.mul(g.sub(loop.dims[0].trip, loop.word(1)), s.pitch);
  return {p.tidy(s.down ? g.sub(s.window, way) : s.window), p.tidy(g.add(way, s.bytes))};
}

/// Returns the region of an access that starts at the same place in every iteration.
Reach Streamer::reachOf(const Access &still) {
  Reach r = {p.address(still.base, still.offset), still.bytes};
  for (size_t k = 1; k < still.step.size(); ++k) {
    ExprId step = p.tidy(still.step[k]), before = r.bytes;
    if (g.isConst(step, 0))
      continue;
    r.bytes = span(r.bytes, k, step);
    if (constant(step) < 0)
      r.low = g.sub(r.low, g.sub(r.bytes, before));
  }
  return {p.tidy(r.low), r.bytes};
}

/// Returns true if the compiler knows that no access of `a` meets one of `b`.
bool Streamer::provedApart(const Walk &a, const Walk &b) const {
  for (const Part &x : a.parts)
    for (const Part &y : b.parts)
      if ((loop.accesses[x.access].store || loop.accesses[y.access].store) &&
          (a.base == b.base || loop.alias(x.access, y.access) != AliasKind::None))
        return false;
  return true;
}

/// Has two regions compared before the loop. Returns false if they always meet.
bool Streamer::compare(const Reach &a, const Reach &b, const std::string &names) {
  ExprId test = p.disjoint(a.low, a.bytes, b.low, b.bytes);
  if (g.isConst(test, 0))
    return p.fail("stream: apart", Diag::StreamReadsWritten,
                  "no byte that another iteration writes", names + " overlap");
  if (g.isConst(test, 1))
    return true;
  if (++tests > mostTests)
    return p.fail("stream: apart", Diag::GuardTooCostly,
                  "at most " + std::to_string(mostTests) + " comparisons before the loop", "more");
  p.require(test, "stream: apart", Diag::Overlap, names + " apart", "the compiler cannot tell");
  return true;
}

/// Requires that an access that is not moved meets no stream that it must not meet.
bool Streamer::otherApart(uint32_t other, const Walk &s) {
  const Access &a = loop.accesses[other];
  bool proved = a.base != s.base;
  for (const Part &part : s.parts)
    proved = proved && ((!a.store && !loop.accesses[part.access].store) ||
                        loop.alias(other, part.access) == AliasKind::None);
  if (proved || (!a.store && !s.written))
    return true;
  bool still = a.affine;
  for (size_t k = 1; still && k < a.step.size(); ++k)
    still = g.isConst(p.tidy(a.step[k]));
  if (!still)
    return p.fail("stream: accesses not moved", Diag::StreamScattered, "apart from what is moved",
                  p.describe(a) + " may touch " + nameOf(s), p.where(a.loc));
  return compare(reachOf(a), reachOf(s), loop.bases[a.base].name + " and " + nameOf(s));
}

/// Requires that a stream that is written meets nothing else.
bool Streamer::apart() {
  bool all = true;
  for (size_t i = 0; i < streams.size(); ++i)
    for (size_t k = i + 1; k < streams.size(); ++k)
      if ((streams[i].written || streams[k].written) && !provedApart(streams[i], streams[k]))
        all &= compare(reachOf(streams[i]), reachOf(streams[k]),
                       nameOf(streams[i]) + " and " + nameOf(streams[k]));
  for (uint32_t other : others)
    for (const Walk &s : streams)
      all &= otherApart(other, s);
  if (all && !tests)
    p.prove("stream: apart", "no byte that another iteration writes", "holds");
  return all;
}

} // namespace memlift
