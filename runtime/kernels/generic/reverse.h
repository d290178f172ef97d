/* reverse.h - few words in reverse order, for the kernels of all machines
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_REVERSE_H
#define MEMLIFT_REVERSE_H

#include "swaps.h"

/* Reverses the order of the words of 1, 2 or 4 bytes in v. */
MEMLIFT_INLINE uint64_t reverse_words_of(uint64_t v, unsigned bytes) {
  if (bytes == 1)
    return __builtin_bswap64(v);
  v = v << 32 | v >> 32;
  return bytes == 4 ? v : (v & 0x0000ffff0000ffffu) << 16 | (v >> 16 & 0x0000ffff0000ffffu);
}

/* Fewer than 16 bytes of whole words, two accesses that meet or overlap: disjoint regions. */
MEMLIFT_INLINE void reverse_below_16(unsigned char *d, const unsigned char *s, unsigned bytes,
                                     size_t n) {
  if (n >= 8) {
    uint64_t a = load_packed(s, 8), z = load_packed(s + n - 8, 8);
    ((struct sum_packed64 *)(void *)d)->v = bytes == 8 ? z : reverse_words_of(z, bytes);
    ((struct sum_packed64 *)(void *)(d + n - 8))->v = bytes == 8 ? a : reverse_words_of(a, bytes);
    return;
  }
  for (size_t i = 0; i < n; i += bytes)
    for (unsigned k = 0; k < bytes; k++)
      d[i + k] = s[n - bytes - i + k];
}

#endif
