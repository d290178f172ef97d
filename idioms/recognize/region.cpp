// region.cpp - decides whether the iterations of a nest tile one region
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dimensions are taken from the innermost outwards. Each must step by exactly the bytes that
// all inner ones cover, upwards or downwards; then the iterations neither overlap nor leave a
// gap, and the extent grows by the trip count. All comparisons are of polynomials, so rows of
// `4 * w` bytes fit a step of `w << 2`.
//
// A dimension that is known to run once needs no step. Directions of different dimensions may
// differ (Direction::Mixed): every byte is covered once, but in no order from end to end, which
// matters to copies that may overlap and to hashes.
#include "region.h"
#include "../source_text.h"

namespace memlift {

/// Requires that dimension k steps by the bytes that all inner dimensions cover.
static bool dimension(Loop &loop, const Access &walk, size_t k, ExprId extent, Region &r) {
  ExprGraph &g = loop.exprs;
  ExprId step = walk.step[k];
  const Dim &dim = loop.dims[k];
  Direction here = Direction::Mixed;
  if (g.equal(step, extent))
    here = Direction::Ascending;
  else if (g.equal(step, g.sub(loop.word(0), extent)))
    here = Direction::Descending;
  else if (g.isConst(dim.trip, 1))
    return true; // a single iteration needs no step
  if (here != Direction::Mixed) {
    if (r.direction == Direction::None)
      r.direction = here;
    else if (r.direction != here)
      r.direction = Direction::Mixed;
    if (here == Direction::Descending && dim.trip != NoExpr)
      // Downwards, the last iteration has the lowest address.
      r.low = g.sub(r.low, g.mul(g.sub(dim.trip, loop.word(1)), extent));
    return true;
  }
  r.inner = k + 1 == loop.dims.size();
  r.need = "step " + sourceText(loop, extent) + " bytes";
  r.have = "step " + sourceText(loop, step) + " bytes";
  int64_t diff;
  if (r.inner && g.isConst(extent) && g.constantDifference(step, loop.word(0), diff)) {
    uint64_t size = uint64_t(diff < 0 ? -diff : diff);
    if (size == 0)
      r.have = "the same bytes in every iteration";
    r.overlaps = size < g[extent].value;
  }
  return false;
}

/// Multiplies the extents from the innermost dimension outwards. An upper bound that
/// overflows counts as unknown.
Region regionOf(Loop &loop, const Access &walk, int64_t low, ExprId size, uint64_t most,
                size_t outer) {
  ExprGraph &g = loop.exprs;
  Region r;
  r.low = g.add(walk.offset, loop.word(uint64_t(low)));
  ExprId extent = size;
  for (size_t k = loop.dims.size(); k-- > outer;) {
    const Dim &dim = loop.dims[k];
    r.failed = k;
    if (!dimension(loop, walk, k, extent, r) || dim.trip == NoExpr)
      return r;
    extent = g.mul(extent, dim.trip);
    uint64_t iterations = g.isConst(dim.trip) ? g[dim.trip].value : dim.maxTrip;
    if (__builtin_mul_overflow(most, iterations, &most))
      most = 0;
  }
  r.ok = true;
  r.bytes = extent;
  r.maxBytes = most;
  return r;
}

} // namespace memlift
