/* direction.h - whether a copy between regions apart goes upwards or downwards
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_X86_DIRECTION_H
#define MEMLIFT_X86_DIRECTION_H

#include "../kernels.h"

/* Bits of addresses by which a load takes a store before it for the one that it has to wait for:
 * the last twelve, or none where whole addresses are compared (a Zen 4: copies take the same time
 * at every distance). Read and written relaxed. */
#define MEMLIFT_ALIAS_BITS ((uintptr_t)4095)
#pragma GCC visibility push(hidden)
extern uintptr_t memlift_alias_bits;
#pragma GCC visibility pop

/* Upwards, loads come to where stores have just been when the destination lies less than half a
 * page above the source, whole pages aside. That takes 1.4 times as long as downwards; below the
 * source it is the reverse. Below 2 KiB the jump that chooses is guessed wrongly too often for what
 * it saves farther apart. Without such a cause it is always upwards: one after the other, copies
 * then read as fetching ahead expects, 1.35 times as fast when packets of 1,500 bytes come from
 * memory. */
MEMLIFT_INLINE int loads_follow_stores(const unsigned char *d, const unsigned char *s, size_t n) {
  const uintptr_t bits = __atomic_load_n(&memlift_alias_bits, __ATOMIC_RELAXED);
  return (((uintptr_t)d - (uintptr_t)s) & bits) - 1 < (n < 2048 ? (uintptr_t)511 : (uintptr_t)2047);
}

#endif
