/* swaps.h - one word from anywhere to anywhere with its bytes swapped
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

/* Swaps the bytes of each word of 2, 4 or 8 bytes in v. */
MEMLIFT_INLINE uint64_t swap_words_of(uint64_t v, unsigned bytes) {
  if (bytes == 8)
    return __builtin_bswap64(v);
  v = (v & 0x00ff00ff00ff00ffu) << 8 | (v >> 8 & 0x00ff00ff00ff00ffu);
  return bytes == 2 ? v : (v & 0x0000ffff0000ffffu) << 16 | (v >> 16 & 0x0000ffff0000ffffu);
}

/* Fewer than 16 bytes of whole words, two accesses that meet or overlap. All loads come before all
 * stores. Either byte order: the low half of a word is swapped as the high one is. */
MEMLIFT_INLINE void swap_below_16(unsigned char *d, const unsigned char *s, unsigned bytes,
                                  size_t n) {
  if (n >= 8) {
    uint64_t a = swap_words_of(load_packed(s, 8), bytes);
    uint64_t z = swap_words_of(load_packed(s + n - 8, 8), bytes);
    ((struct sum_packed64 *)(void *)d)->v = a;
    ((struct sum_packed64 *)(void *)(d + n - 8))->v = z;
  } else if (n >= 4) {
    uint64_t a = swap_words_of(load_packed(s, 4), bytes);
    uint64_t z = swap_words_of(load_packed(s + n - 4, 4), bytes);
    ((struct sum_packed32 *)(void *)d)->v = (uint32_t)a;
    ((struct sum_packed32 *)(void *)(d + n - 4))->v = (uint32_t)z;
  } else if (n >= 2) {
    swap_one(d, s, 2);
  }
}

#endif
