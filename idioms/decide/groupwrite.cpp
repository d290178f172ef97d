// groupwrite.cpp - writes the loops of grouped loads: groups of iterations, and the remainder
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A group does the loads of its iterations, each place once, then computes and stores, iteration
// by iteration. The remaining iterations follow one by one.
//
//   d[i] = f(s[i], s[i + 1])    a group of two iterations loads s[i], s[i + 1], s[i + 2] once each,
//                               computes and stores d[i], then d[i + 1]
//
// Loads that two iterations share are done once, as the proof has shown that no store of the group
// changes them. The remainder has fewer iterations than a group, and there is none if the trip
// count is a multiple. Neither loop is to be unrolled again (InlineLoop::few).
#include "group.h"

namespace memlift {

/// Returns how a load names its region: the one that is stored to, or another one.
unsigned GroupWriter::regionOf(size_t stream) const {
  size_t to = streams.stores.front().stream;
  if (stream == to)
    return InlineLoad::FromTo;
  return InlineLoad::FromMore + unsigned(stream - (stream > to));
}

/// Returns the stream's address after the iterations done so far.
ExprId GroupWriter::beginOf(const Stream &s) const {
  return done == NoExpr ? s.at : g.add(s.at, g.mul(done, loop.word(uint64_t(s.step))));
}

/// Returns an empty loop over `count` iterations of the source at a time.
InlineLoop GroupWriter::frame(ExprId trip, unsigned count) {
  InlineLoop l;
  l.trip = trip;
  l.few = true;
  l.to = beginOf(stored());
  l.step = uint64_t(stored().step) * count;
  for (size_t i = 0; i < streams.all.size(); ++i)
    if (i != streams.stores.front().stream)
      l.more.push_back(
          {beginOf(streams.all[i]), streams.all[i].base, uint64_t(streams.all[i].step) * count});
  return l;
}

/// Returns the load of that place; an equal load is not made twice.
unsigned GroupWriter::load(InlineLoop &l, const Placed &p, unsigned iteration) {
  uint64_t offset = uint64_t(p.offset + int64_t(iteration) * streams.all[p.stream].step);
  unsigned from = regionOf(p.stream);
  for (size_t i = 0; i < l.loads.size(); ++i)
    if (l.loads[i].from == from && l.loads[i].offset == offset && l.loads[i].bytes == p.bytes)
      return unsigned(i);
  l.loads.push_back({offset, p.bytes, loop.accesses[p.access].align, from});
  return unsigned(l.loads.size() - 1);
}

/// Fills the frame; its first iteration is number `first` of the source's.
void GroupWriter::iterations(InlineLoop &l, unsigned count, ExprId first) {
  ExprId iv = g.leaf(Op::Iv, 0, loop.ptrBits);
  for (unsigned u = 0; u < count; ++u) {
    std::map<ExprId, ExprId> with;
    with[iv] = g.add(g.add(g.mul(iv, loop.word(count)), first), loop.word(u));
    for (const Placed &p : streams.loads)
      with[g.leaf(Op::Load, p.access, 8 * p.bytes)] = g.leaf(Op::Load, load(l, p, u), 8 * p.bytes);
    for (const Placed &p : streams.stores) {
      const Access &a = loop.accesses[p.access];
      uint64_t offset = uint64_t(p.offset + int64_t(u) * stored().step);
      l.stores.push_back({offset, p.bytes, a.align, g.substitute(a.value, with)});
    }
  }
}

/// Splits a loop of `count` iterations into groups of loads and stores.
void GroupWriter::inGroups(InlineLoop &l, unsigned count) const {
  if (count <= group)
    return;
  l.group = l.loads.size() / count * group;
  l.groupStores = l.stores.size() / count * group;
}

/// Counts by writing the loads to a loop that is thrown away, so that shared ones count once.
size_t GroupWriter::loadsOf(unsigned count) {
  InlineLoop several;
  for (unsigned u = 0; u < count; ++u)
    for (const Placed &p : streams.loads)
      load(several, p, u);
  return several.loads.size();
}

/// Writes the remaining iterations one by one: fewer than `of`. `follows`: after a loop over the
/// others.
void GroupWriter::rest(ExprId trip, unsigned of, bool follows) {
  done = g.binary(Op::And, trip, loop.word(0 - uint64_t(of)));
  InlineLoop l = frame(g.binary(Op::And, trip, loop.word(of - 1)), 1);
  iterations(l, 1, done);
  l.toFollows = follows;
  if (!g.isConst(l.trip, 0))
    d.loops.push_back(std::move(l));
  done = NoExpr;
}

/// Writes groups of elements and the remainder. If the trip count is known to be too small for a
/// group, only the remainder is written.
void GroupWriter::elements(ExprId trip) {
  unsigned log = 0;
  while (1u << log < unroll)
    ++log;
  InlineLoop groups = frame(g.binary(Op::LShr, trip, loop.word(log)), unroll);
  iterations(groups, unroll, loop.word(0));
  inGroups(groups, unroll);
  bool any = !g.isConst(groups.trip, 0) && upperBound(loop, trip) >= unroll;
  if (any)
    d.loops.push_back(std::move(groups));
  rest(trip, unroll, any);
}

/// Writes the loops by words if that was chosen, else by elements.
void GroupWriter::write(unsigned iterations, unsigned ofGroup, unsigned lanes) {
  unroll = iterations;
  group = ofGroup;
  ExprId trip = g.fromPoly(g.poly(loop.dims[0].trip), loop.ptrBits);
  shape = "the loads of " + std::to_string(group) + " iterations, then their stores";
  if (lanes > 1)
    words(trip);
  else
    elements(trip);
}

} // namespace memlift
