// streamer.h - the proof in progress that a loop may be cut into blocks
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// stream.cpp has the order of the steps, and those about single accesses; streamapart.cpp those
// about windows and regions.
#ifndef MEMLIFT_IDIOMS_STREAMER_H
#define MEMLIFT_IDIOMS_STREAMER_H

#include "../recognize/steps.h"
#include "decide.h"

#include <cstdlib>

namespace memlift {

/// Bytes between the windows of two iterations from which they are rows: not worth moving.
constexpr int64_t streamRowGap = 4096;

/// An access in a stream, and its place: bytes from the address of the stream's first access.
struct Part {
  uint32_t access;
  int64_t offset;
  int64_t bytes;
};

/// Accesses of one array that step alike.
struct Walk {
  uint32_t base;
  ExprId at; // address of the first access in the first iteration
  std::vector<ExprId> step;
  std::vector<Part> parts;
  int64_t low = 0, high = 0; // of one iteration of the innermost loop
  bool written = false;
  ExprId window = NoExpr, bytes = NoExpr; // of iteration 0; bytes of each
  ExprId pitch = NoExpr;                  // of step[0], not negative
  bool down = false, rows = false;
};

/// The region of memory that is touched in all iterations.
struct Reach {
  ExprId low, bytes;
};

class Streamer {
public:
  Streamer(Loop &loop, const Options &options, Proof &proof, Decision &d)
      : loop(loop), g(loop.exprs), options(options), p(proof), d(d) {}
  void run();

private:
  Loop &loop;
  ExprGraph &g;
  const Options &options;
  Proof &p;
  Decision &d;
  std::vector<Walk> streams;
  std::vector<uint32_t> others; // accesses that are not moved
  unsigned tests = 0;

  bool callable();
  bool resumable();
  bool plain();
  bool walks();
  bool walk(uint32_t index, bool &known);
  void join(uint32_t index, const std::vector<ExprId> &step);
  bool unconditional();
  bool dense();
  bool holes(const Walk &s);
  bool window(Walk &s);
  bool rowsFit(Walk &s);
  bool written(const Walk &s, std::string &why) const;
  bool apart();
  bool provedApart(const Walk &a, const Walk &b) const;
  bool otherApart(uint32_t other, const Walk &s);
  bool compare(const Reach &a, const Reach &b, const std::string &names);
  Reach reachOf(const Walk &s);
  Reach reachOf(const Access &still);
  ExprId span(ExprId bytes, size_t dim, ExprId step);
  bool count();
  bool ownWindows();
  bool onlyReads();
  bool isExtremum(const Expr &e, Carry::Kind kind);
  bool joins(ExprId next, uint32_t rec, Carry::Kind kind, unsigned depth);
  bool independent();
  bool movable();
  void planSpread();
  uint64_t unitOfBlocks() const;
  std::string shapeSpread() const;
  bool store();
  bool worthIt();
  void plan();
  uint64_t cyclesOfIteration() const;
  ExprId cyclesOfOuterIteration();
  std::string limit(uint64_t bytes) const;
  std::string shape() const;

  int64_t constant(ExprId id) const { return signExtend(g[id].value, g.width(id)); }
  const std::string &nameOf(const Walk &s) const { return loop.bases[s.base].name; }
};

} // namespace memlift

#endif
