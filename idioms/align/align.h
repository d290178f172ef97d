// align.h - the alignment that an address certainly has
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Powers of two form a chain under divisibility, so the lattice is a number; 1 means
// unknown. A sum is as aligned as its worst term; a product of an atom and a
// coefficient at least as aligned as the coefficient.
#ifndef MEMLIFT_IDIOMS_ALIGN_H
#define MEMLIFT_IDIOMS_ALIGN_H

#include "../loop.h"

namespace memlift {

/// Returns the largest power of two, at most `limit`, that divides every value of
/// `p`.
uint64_t alignmentOf(const Poly &p, uint64_t limit);

/// Returns the alignment of base + offset from what is proved of the base pointer
/// alone: it holds whether or not the loop runs.
uint64_t alignmentOf(const Loop &loop, uint32_t base, ExprId offset);

} // namespace memlift

#endif
