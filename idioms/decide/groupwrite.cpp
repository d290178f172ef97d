// groupwrite.cpp - the loops of grouped loads: groups of iterations, and what is left
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A group loads what its iterations load, each place once, then computes and stores, iteration by
// iteration. What is left goes on from there, one iteration after the other.
#include "group.h"

namespace memlift {

/// How a load names where it reads: in the region that is stored to, or another one.
unsigned GroupWriter::regionOf(size_t stream) const {
  size_t to = streams.stores.front().stream;
  if (stream == to)
    return InlineLoad::FromTo;
  return InlineLoad::FromMore + unsigned(stream - (stream > to));
}

/// Where the stream has come to when the iterations that are done are over.
ExprId GroupWriter::beginOf(const Stream &s) const {
  return done == NoExpr ? s.at : g.add(s.at, g.mul(done, loop.word(uint64_t(s.step))));
}

/// A loop over `count` iterations of the source's at a time, which does nothing yet.
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

/// The load of that place, which may be there already.
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

/// Not all loads of `count` iterations first, but those of a group.
void GroupWriter::inGroups(InlineLoop &l, unsigned count) const {
  if (count <= group)
    return;
  l.group = l.loads.size() / count * group;
  l.groupStores = l.stores.size() / count * group;
}

size_t GroupWriter::loadsOf(unsigned count) {
  InlineLoop several;
  for (unsigned u = 0; u < count; ++u)
    for (const Placed &p : streams.loads)
      load(several, p, u);
  return several.loads.size();
}

/// One iteration after the other, of what is left of so many at a time; `follows`: a loop over
/// these.
void GroupWriter::rest(ExprId trip, unsigned of, bool follows) {
  done = g.binary(Op::And, trip, loop.word(0 - uint64_t(of)));
  InlineLoop l = frame(g.binary(Op::And, trip, loop.word(of - 1)), 1);
  iterations(l, 1, done);
  l.toFollows = follows;
  if (!g.isConst(l.trip, 0))
    d.loops.push_back(std::move(l));
  done = NoExpr;
}

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
