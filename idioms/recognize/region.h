// region.h - do the rounds of a nest tile one region, and which one?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One round of the body covers an interval of W bytes. The innermost step must be
// W or -W, the next one (W * inner trip), and so on, compared as polynomials.
#ifndef MEMLIFT_IDIOMS_REGION_H
#define MEMLIFT_IDIOMS_REGION_H

#include "../loop.h"

namespace memlift {

enum class Direction : uint8_t { None, Ascending, Descending, Mixed };

struct Region {
  bool ok = false;
  ExprId low = NoExpr;   // offset from the base of the lowest byte in all
  ExprId bytes = NoExpr; // in all
  uint64_t maxBytes = 0; // 0 if unknown
  Direction direction = Direction::None;
  // If not ok: the dimension that does not fit; all empty if a trip count is
  // unknown, which has a fact of its own.
  size_t failed = 0;
  bool inner = false;    // the innermost dimension
  bool overlaps = false; // its rounds overlap (else they leave gaps)
  std::string need, have;
};

/// `walk` gives base and steps; one round covers `size` bytes (at most `most`, 0
/// if unknown) from `low` above walk.offset. The `outer` outermost dimensions are
/// left out: what one round of them covers.
Region regionOf(Loop &loop, const Access &walk, int64_t low, ExprId size, uint64_t most,
                size_t outer = 0);

} // namespace memlift

#endif
