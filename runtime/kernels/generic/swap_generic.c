/* swap_generic.c - copies that swap the bytes of each word, for any machine
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Eight bytes at a time: two or four words of a register are swapped together, by masks. Where the
 * regions are not both aligned to 8 bytes, word by word; packed accesses are never wrong.
 */
#include "swaps.h"

MEMLIFT_INLINE uint64_t swap_bytes(uint64_t x, unsigned bytes) {
  if (bytes == 2)
    return (x & BYTES_EVEN) << 8 | ((x >> 8) & BYTES_EVEN);
  x = __builtin_bswap64(x);
  return bytes == 8 ? x : x << 32 | x >> 32;
}

MEMLIFT_INLINE size_t by_registers(unsigned char *d, const unsigned char *s, unsigned bytes,
                                   size_t n) {
  size_t i = 0;
  for (; n - i >= 8; i += 8)
    *(sum_u64 *)(void *)(d + i) = swap_bytes(load_u64(s + i, 1), bytes);
  return i;
}

/* bytes is a constant in each of the calls below. */
MEMLIFT_INLINE void swap_words(unsigned char *d, const unsigned char *s, unsigned bytes, size_t n) {
  size_t i = 0;
  if ((((uintptr_t)d | (uintptr_t)s) & 7) == 0)
    i = by_registers(d, s, bytes, n);
  for (; n - i >= bytes; i += bytes)
    swap_one(d + i, s + i, bytes);
}

MEMLIFT_KERNEL void memlift_swap_generic(void *dst, const void *src, unsigned bytes, size_t n) {
  unsigned char *d = (unsigned char *)dst;
  const unsigned char *s = (const unsigned char *)src;
  if (bytes == 2)
    swap_words(d, s, 2, n);
  else if (bytes == 4)
    swap_words(d, s, 4, n);
  else
    swap_words(d, s, 8, n);
}

MEMLIFT_INLINE void swap_words_down(unsigned char *d, const unsigned char *s, unsigned bytes,
                                    size_t n) {
  for (size_t i = n - n % bytes; i; i -= bytes)
    swap_one(d + i - bytes, s + i - bytes, bytes);
}

MEMLIFT_KERNEL void memlift_swap_down_generic(void *dst, const void *src, unsigned bytes,
                                              size_t n) {
  unsigned char *d = (unsigned char *)dst;
  const unsigned char *s = (const unsigned char *)src;
  if (bytes == 2)
    swap_words_down(d, s, 2, n);
  else if (bytes == 4)
    swap_words_down(d, s, 4, n);
  else
    swap_words_down(d, s, 8, n);
}
