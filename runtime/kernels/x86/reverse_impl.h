/* reverse_impl.h - copies of words in reverse order; body of each x86 variant
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Vectors are read downwards and stored upwards. The last vector of the destination overlaps those
 * before it, so there are no single words to do: what they share becomes the same in both.
 */

/* n is whole words and at least V; bytes is a constant in each of the calls below. */
TARGET MEMLIFT_INLINE void NAME(reverse_long)(unsigned char *d, const unsigned char *s,
                                              unsigned bytes, size_t n) {
  const unsigned char *from = s + n - V;
  size_t i = 0;
  for (; n - i > 4 * V; i += 4 * V) {
    VECTOR a = LOADU(from - i), b = LOADU(from - i - V);
    VECTOR c = LOADU(from - i - 2 * V), e = LOADU(from - i - 3 * V);
    STOREU(d + i, NAME(reverse_vector)(a, bytes));
    STOREU(d + i + V, NAME(reverse_vector)(b, bytes));
    STOREU(d + i + 2 * V, NAME(reverse_vector)(c, bytes));
    STOREU(d + i + 3 * V, NAME(reverse_vector)(e, bytes));
  }
  for (; n - i > V; i += V)
    STOREU(d + i, NAME(reverse_vector)(LOADU(from - i), bytes));
  STOREU(d + n - V, NAME(reverse_vector)(LOADU(s), bytes));
}

TARGET MEMLIFT_INLINE void NAME(reverse_words)(unsigned char *d, const unsigned char *s,
                                               unsigned bytes, size_t n) {
  if (n >= V)
    NAME(reverse_long)(d, s, bytes, n);
#if V >= 64
  else if (n >= 32)
    reverse_long_x86_avx2(d, s, bytes, n);
#endif
#if V >= 32
  else if (n >= 16)
    reverse_long_x86_sse2(d, s, bytes, n);
#endif
  else
    reverse_below_16(d, s, bytes, n);
}

TARGET MEMLIFT_KERNEL void NAME(memlift_reverse)(void *dst, const void *src, unsigned bytes,
                                                 size_t n) {
  unsigned char *d = (unsigned char *)dst;
  const unsigned char *s = (const unsigned char *)src;
  if (bytes == 1)
    NAME(reverse_words)(d, s, 1, n);
  else if (bytes == 2)
    NAME(reverse_words)(d, s, 2, n);
  else if (bytes == 4)
    NAME(reverse_words)(d, s, 4, n);
  else
    NAME(reverse_words)(d, s, 8, n);
}
