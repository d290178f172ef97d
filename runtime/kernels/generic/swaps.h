/* swaps.h - one word from anywhere to anywhere with its bytes turned
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_GENERIC_SWAPS_H
#define MEMLIFT_GENERIC_SWAPS_H

#include "sums.h"

MEMLIFT_INLINE void swap_one(unsigned char *d, const unsigned char *s, unsigned bytes) {
  uint64_t x = load_packed(s, bytes);
  if (bytes == 2)
    ((struct sum_packed16 *)(void *)d)->v = __builtin_bswap16((uint16_t)x);
  else if (bytes == 4)
    ((struct sum_packed32 *)(void *)d)->v = __builtin_bswap32((uint32_t)x);
  else
    ((struct sum_packed64 *)(void *)d)->v = __builtin_bswap64(x);
}

#endif
