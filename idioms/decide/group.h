// group.h - loads of several iterations in front of their stores, of loops that are no idiom
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_GROUP_H
#define MEMLIFT_IDIOMS_GROUP_H

#include "decide.h"

namespace memlift {

/// May the loop get its loads grouped at all: does the core ask for it, and is nothing called
/// in the function that could do better?
bool wantsGroups(const Loop &loop, const Options &options);

/// What becomes of the loop, which is no idiom, or one that no routine may be called for.
struct Grouped {
  Match match;       // the steps that hold for every loop; no idiom
  Decision decision; // kept, with the reason among its facts, or loops in its place
};
/// Adds expressions to loop.exprs only.
Grouped groupLoads(Loop &loop, const Options &options);

/// Where accesses begin that differ by constants and step alike.
struct Stream {
  uint32_t base;
  ExprId at;    // the address of its first access in the first iteration
  int64_t step; // bytes
};

/// An access, and where in its stream it lies.
struct Placed {
  uint32_t access;
  size_t stream;
  int64_t offset; // from where the stream is
  unsigned bytes;
};

/// The loop as streams: what the proof has found, and what is written of it.
struct Streams {
  std::vector<Stream> all;
  std::vector<Placed> loads, stores; // in program order; all stores are in one stream
};

/// Writes the loops: groups of `unroll` iterations, and what is left.
class GroupWriter {
public:
  GroupWriter(Loop &loop, const Streams &streams, const Core &core, Decision &d)
      : loop(loop), g(loop.exprs), streams(streams), core(core), d(d) {}
  /// Iterations that may be taken as one word: 1 if they are no lanes of one.
  unsigned lanes();
  /// Different places that so many iterations load.
  size_t loadsOf(unsigned iterations);
  /// `unroll` iterations at a time, in groups of so many; if `lanes` is not 1, as many words where
  /// these are aligned.
  void write(unsigned unroll, unsigned group, unsigned lanes);
  std::string shape;

private:
  Loop &loop;
  ExprGraph &g;
  const Streams &streams;
  const Core &core;
  unsigned unroll = 1, group = 1;
  Decision &d;
  ExprId done = NoExpr;      // iterations, in front of the loop that is made
  unsigned elementBytes = 0; // of what is taken in words

  const Stream &stored() const { return streams.all[streams.stores.front().stream]; }
  unsigned regionOf(size_t stream) const;
  ExprId beginOf(const Stream &s) const;
  InlineLoop frame(ExprId trip, unsigned count);
  void iterations(InlineLoop &l, unsigned count, ExprId first);
  unsigned load(InlineLoop &l, const Placed &p, unsigned iteration);
  void inGroups(InlineLoop &l, unsigned count) const;
  void rest(ExprId trip, unsigned of, bool follows);
  void elements(ExprId trip);

  // groupwords.cpp
  bool inLanes(ExprId value, unsigned &cost) const;
  ExprId lane(ExprId value, const std::map<uint32_t, ExprId> &words);
  ExprId sums(Op op, ExprId a, ExprId b);
  ExprId aligned();
  InlineLoop wordLoop(ExprId trip, unsigned count);
  void words(ExprId trip);
};

} // namespace memlift

#endif
