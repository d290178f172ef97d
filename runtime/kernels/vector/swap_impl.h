/* swap_impl.h - copies that swap the bytes of each word; body of each ISA's variant
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One instruction swaps the bytes of all words of a vector: a shuffle, or one of its own. SSE2 has
 * neither: there, halves change places by shifts, first the bytes of each 16-bit word, then those
 * in 32 and in 64 bits.
 *
 * The destination may lie anywhere at or below the source. The last vector is therefore loaded
 * first and stored last: it ends where the words end, so there are no single words to do, and what
 * it shares with the vectors before it becomes the same in both.
 */

#if defined(SWAP_BYTES16)
MEMLIFT_INLINE VECTOR NAME(swap_vector)(VECTOR v, unsigned bytes) {
  return bytes == 2 ? SWAP_BYTES16(v) : bytes == 4 ? SWAP_BYTES32(v) : SWAP_BYTES64(v);
}
#else
TARGET MEMLIFT_INLINE VECTOR NAME(swap_vector)(VECTOR v, unsigned bytes) {
#if defined(SHUFFLE8)
  return SHUFFLE8(v, SPLAT128(_mm_loadu_si128((const __m128i *)(const void *)swap_numbers(bytes))));
#else
  v = OR(SLL16(v, 8), SRL16(v, 8));
  if (bytes >= 4)
    v = OR(SLL32(v, 16), SRL32(v, 16));
  if (bytes == 8)
    v = OR(SLL64(v, 32), SRL64(v, 32));
  return v;
#endif
}
#endif

/* n is whole words and at least V; bytes is a constant in each of the calls below. */
TARGET MEMLIFT_INLINE void NAME(swap_long)(unsigned char *d, const unsigned char *s, unsigned bytes,
                                           size_t n) {
  VECTOR last = NAME(swap_vector)(LOADU(s + n - V), bytes);
  size_t i = 0;
  for (; n - i >= 4 * V; i += 4 * V) {
    VECTOR a = LOADU(s + i), b = LOADU(s + i + V);
    VECTOR c = LOADU(s + i + 2 * V), e = LOADU(s + i + 3 * V);
    STOREU(d + i, NAME(swap_vector)(a, bytes)), STOREU(d + i + V, NAME(swap_vector)(b, bytes));
    STOREU(d + i + 2 * V, NAME(swap_vector)(c, bytes));
    STOREU(d + i + 3 * V, NAME(swap_vector)(e, bytes));
  }
  for (; n - i > V; i += V)
    STOREU(d + i, NAME(swap_vector)(LOADU(s + i), bytes));
  STOREU(d + n - V, last);
}

TARGET MEMLIFT_INLINE void NAME(swap_words)(unsigned char *d, const unsigned char *s,
                                            unsigned bytes, size_t n) {
  n -= n % bytes;
  if (n >= V)
    NAME(swap_long)(d, s, bytes, n);
#if V >= 64 /* only x86 has these widths, and the narrower ones below them */
  else if (n >= 32)
    swap_long_x86_avx2(d, s, bytes, n);
#endif
#if V >= 32
  else if (n >= 16)
    swap_long_x86_sse2(d, s, bytes, n);
#endif
  else
    swap_below_16(d, s, bytes, n);
}

TARGET MEMLIFT_KERNEL void NAME(memlift_swap)(void *dst, const void *src, unsigned bytes,
                                              size_t n) {
  unsigned char *d = (unsigned char *)dst;
  const unsigned char *s = (const unsigned char *)src;
  if (bytes == 2)
    NAME(swap_words)(d, s, 2, n);
  else if (bytes == 4)
    NAME(swap_words)(d, s, 4, n);
  else
    NAME(swap_words)(d, s, 8, n);
}
