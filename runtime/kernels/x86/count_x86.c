/* count_x86.c - counts of a byte for x86-64, one variant per vector width
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The method is in count_impl.h.
 */
#if defined(__x86_64__)
#include "../search.h"
#include "lanes.h"

/* The ones among 32 bits; the baseline has no instruction for it. */
MEMLIFT_INLINE uint64_t ones_in(uint32_t bits) {
  bits -= bits >> 1 & 0x55555555u;
  bits = (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
  bits = (bits + (bits >> 4)) & 0x0f0f0f0fu;
  return bits * 0x01010101u >> 24;
}

#define MARKED_IMPL "count_impl.h"
#include "marks_levels.h"
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
