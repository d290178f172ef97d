/* direction.h - whether a copy between regions apart goes upwards or downwards
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_X86_DIRECTION_H
#define MEMLIFT_X86_DIRECTION_H

#include "../kernels.h"
#include "limits.h"

/* A load is taken to wait for a store before it if the last twelve bits of their addresses are the
 * same. So copies go downwards where the destination lies less than this above the source, whole
 * pages aside: copies of at most MEMLIFT_VECTORS_MOST bytes, and longer ones. 0: never, as where
 * whole addresses are compared (a Zen 3 and 4: copies take the same time at every distance). Read
 * and written relaxed, member by member. */
struct memlift_alias_window {
  uintptr_t few, many;
};
#define MEMLIFT_ALIAS_WINDOW {511, 2047}  /* a Zen 5 */
#define MEMLIFT_ALIAS_WINDOW_INTEL {0, 0} /* a Sapphire Rapids */
#pragma GCC visibility push(hidden)
extern struct memlift_alias_window memlift_alias_window;
#pragma GCC visibility pop

MEMLIFT_INLINE int lies_above(const unsigned char *d, const unsigned char *s, uintptr_t window) {
  return (((uintptr_t)d - (uintptr_t)s - 1) & 4095) < window;
}

/* Upwards, loads come to where stores have just been when the destination lies less than half a
 * page above the source. On a Zen 5 that takes 1.4 times as long as downwards; below the source it
 * is the reverse. Below 2 KiB the jump that chooses is guessed wrongly too often for what it saves
 * farther apart. On a Sapphire Rapids upwards is as fast at all distances, or faster: 1,500 bytes,
 * 64 above the source, take 29 ticks by AVX-512 (downwards 31) and 42 by AVX2 (49), 256 above it 22
 * (21) and 27 (34). Without such a cause it is always upwards: one after another, copies then read
 * as fetching ahead expects, 1.35 times as fast when packets of 1,500 bytes come from memory. */
MEMLIFT_INLINE int loads_follow_stores(const unsigned char *d, const unsigned char *s, size_t n) {
  return lies_above(d, s,
                    __atomic_load_n(n <= MEMLIFT_VECTORS_MOST ? &memlift_alias_window.few
                                                              : &memlift_alias_window.many,
                                    __ATOMIC_RELAXED));
}

#endif
