/* reverse_generic.c - copies of words in reverse order, for any machine
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Eight bytes at a time: the words of a register are reversed together. Packed accesses are never
 * wrong, whatever the alignment. The last eight bytes of the destination overlap those before them.
 */
#include "reverse.h"

/* bytes is a constant in each of the calls below. */
MEMLIFT_INLINE void reverse_words(unsigned char *d, const unsigned char *s, unsigned bytes,
                                  size_t n) {
  if (n < 16) {
    reverse_below_16(d, s, bytes, n);
    return;
  }
  for (size_t i = 0; n - i > 8; i += 8) {
    uint64_t v = load_packed(s + n - 8 - i, 8);
    ((struct sum_packed64 *)(void *)(d + i))->v = bytes == 8 ? v : reverse_words_of(v, bytes);
  }
  uint64_t first = load_packed(s, 8);
  ((struct sum_packed64 *)(void *)(d + n - 8))->v =
      bytes == 8 ? first : reverse_words_of(first, bytes);
}

MEMLIFT_KERNEL void memlift_reverse_generic(void *dst, const void *src, unsigned bytes, size_t n) {
  unsigned char *d = (unsigned char *)dst;
  const unsigned char *s = (const unsigned char *)src;
  if (bytes == 1)
    reverse_words(d, s, 1, n);
  else if (bytes == 2)
    reverse_words(d, s, 2, n);
  else if (bytes == 4)
    reverse_words(d, s, 4, n);
  else
    reverse_words(d, s, 8, n);
}
