// region.h - decides whether the iterations of a nest tile one region, and which one
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One iteration of the body covers an interval of W bytes. The innermost step must be
// W or -W, the next one plus or minus (W * inner trip), and so on, compared as
// polynomials.
//
// Example: for (y..h) for (x..w) with elements of 4 bytes. W is 4. The step of x must
// be 4 or -4, and the region of one row has 4 * w bytes. The step of y must be 4 * w
// or -4 * w. Comparing polynomials makes 4 * w and w << 2 equal, whatever the
// compiler has made of the index expression.
#ifndef MEMLIFT_IDIOMS_REGION_H
#define MEMLIFT_IDIOMS_REGION_H

#include "../loop.h"

namespace memlift {

enum class Direction : uint8_t { None, Ascending, Descending, Mixed };

struct Region {
  bool ok = false;
  ExprId low = NoExpr;   // offset from the base of the lowest byte of all
  ExprId bytes = NoExpr; // number of bytes in all
  uint64_t maxBytes = 0; // 0 if unknown
  Direction direction = Direction::None;
  // If not ok: the dimension that does not fit. All are empty if a trip count is
  // unknown, which is a fact of its own.
  size_t failed = 0;
  bool inner = false;    // the innermost dimension fails
  bool overlaps = false; // its iterations overlap (else they leave gaps)
  std::string need, have;
};

/// `walk` gives base and steps. One iteration covers `size` bytes (at most `most`, 0
/// if unknown) from `low` above walk.offset. The `outer` outermost dimensions are
/// left out: the region is the one that a single iteration of them covers.
Region regionOf(Loop &loop, const Access &walk, int64_t low, ExprId size, uint64_t most,
                size_t outer = 0);

} // namespace memlift

#endif
