// group.h - does the loads of several iterations before their stores, in loops that are no idiom
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wantsGroups() is cheap and asks only for the core and the options. groupLoads() then proves the
// loop (Grouper in group.cpp) and writes it (GroupWriter in groupwrite.cpp, for lanes of words in
// groupwords.cpp). Both share the description of the loop as streams.
#ifndef MEMLIFT_IDIOMS_GROUP_H
#define MEMLIFT_IDIOMS_GROUP_H

#include "decide.h"

namespace memlift {

/// Returns true if elements may be done by words instead of one by one: the compiler makes no
/// vectors, or cannot, as pointers are read again in each iteration. And the core goes out of order
/// and loads words anywhere.
bool wantsWords(const Loop &loop, const Options &options);

/// Returns true if the loop may get its loads grouped: the core asks for it, and the function
/// calls nothing that could do better; or if wantsWords().
bool wantsGroups(const Loop &loop, const Options &options);

/// Leaves few iterations to the source's loop, which has no tests before it: the decision's guard
/// tests their number first.
void leaveFew(Loop &loop, Decision &d);

/// The result for a loop that is no idiom, or one that no routine may be called for.
struct Grouped {
  Match match;       // the steps that hold for every loop; no idiom
  Decision decision; // kept, with the reason among its facts, or loops in its place
};
/// Adds expressions to loop.exprs only.
Grouped groupLoads(Loop &loop, const Options &options);

/// Accesses that differ by constants and step alike.
struct Stream {
  uint32_t base;
  ExprId at;    // address of its first access in the first iteration
  int64_t step; // bytes
};

/// An access and its place in a stream.
struct Placed {
  uint32_t access;
  size_t stream;
  int64_t offset; // from the stream's address
  unsigned bytes;
};

/// The loop as streams, found by the proof and used to write it.
struct Streams {
  std::vector<Stream> all;
  std::vector<Placed> loads, stores; // in program order; all stores are in one stream
};

/// Returns true if all places that are read again are loads of constant size from one place, of a
/// value that the loop does not compute.
bool mayBeFixed(const Loop &loop);

/// Returns the bytes from one address up to another one, modulo the size of the address space.
ExprId distanceTo(Loop &loop, ExprId at, ExprId from);

/// Adds tests that nothing is stored to a place that is read again in each iteration: a pointer or
/// a length. `written` bytes from `to` are stored.
void testFixed(Loop &loop, const Streams &streams, ExprId to, ExprId written, Decision &d,
               std::vector<ExprId> &tests);

/// Writes the loops: groups of `unroll` iterations, and the remainder.
class GroupWriter {
public:
  GroupWriter(Loop &loop, const Streams &streams, const Core &core, Decision &d)
      : loop(loop), g(loop.exprs), streams(streams), core(core), d(d),
        anywhere(core.unaligned == Unaligned::Fast ||
                 (!core.inOrder && core.unaligned == Unaligned::Slow)) {}
  /// Returns how many iterations may be done as one word; 1 if they are not lanes of one.
  unsigned lanes();
  /// Returns the number of different places that so many iterations load.
  size_t loadsOf(unsigned iterations);
  /// Writes `unroll` iterations at a time, in groups of so many. If `lanes` is not 1, writes as
  /// many words where the regions are aligned.
  void write(unsigned unroll, unsigned group, unsigned lanes);
  std::string shape;

private:
  Loop &loop;
  ExprGraph &g;
  const Streams &streams;
  const Core &core;
  unsigned unroll = 1, group = 1;
  Decision &d;
  bool anywhere;             // words may be at any address
  ExprId done = NoExpr;      // iterations done before the loop that is being written
  unsigned elementBytes = 0; // bytes of the elements that are lanes of words

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
