/* inet_impl.h - the Internet checksum over vectors of V bytes; body of each ISA's variant
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * 2^16 is 1 modulo 0xffff, so a 32-bit word is as good as its two halves: the words of a vector are
 * added in lanes of 64 bits, which hold 2^32 of them. REST, or FEW_LAST_TWO, gives the words after
 * the last whole vectors, zeros around them, so that no second loop is needed: the lengths that a
 * program checksums are hard to predict, and a misprediction costs as much as a hundred bytes.
 */

TARGET MEMLIFT_INLINE VECTOR NAME(inet_words)(VECTOR v) {
  ONCE(v);
  return ADD64(AND(v, SPLAT64(LOW32)), SRL64(v, 32));
}

#if defined(FEW_TWO)
TARGET MEMLIFT_INLINE VECTOR NAME(inet_two)(VECTOR a, VECTOR b) {
  return ADD64(NAME(inet_words)(a), NAME(inet_words)(b));
}

/* By twos, as nothing is to be guessed of fewer than two vectors. */
TARGET MEMLIFT_KERNEL uint32_t NAME(memlift_inet)(const void *from, size_t n, uint32_t init) {
  const unsigned char *p = (const unsigned char *)from;
  VECTOR first, second, a = SPLAT64(0), b = SPLAT64(0);
  if (n < 2 * V) {
    first = FEW_TWO(p, n, &second);
    return memlift_inet_fold(SUM64(NAME(inet_two)(first, second)), init);
  }
  size_t left = n & ~(size_t)1;
  for (; left >= 4 * V; p += 4 * V, left -= 4 * V) {
    a = ADD64(a, NAME(inet_two)(LOADU(p), LOADU(p + V)));
    b = ADD64(b, NAME(inet_two)(LOADU(p + 2 * V), LOADU(p + 3 * V)));
  }
  if (left >= 2 * V)
    a = ADD64(a, NAME(inet_two)(LOADU(p), LOADU(p + V)));
  first = FEW_LAST_TWO(p + left, left % (2 * V), &second);
  b = ADD64(b, NAME(inet_two)(first, second));
  return memlift_inet_fold(ODD(p + left + (n & 1), n) + SUM64(ADD64(a, b)), init);
}
#else
TARGET MEMLIFT_KERNEL uint32_t NAME(memlift_inet)(const void *from, size_t n, uint32_t init) {
  const unsigned char *p = (const unsigned char *)from, *end = p + n;
  if (n < V)
    return memlift_inet_fold(NAME(inet_short)(p, n), init);
  VECTOR a = NAME(inet_words)(LOADU(p)), b = SPLAT64(0);
  p += V;
  for (; (size_t)(end - p) >= 4 * V; p += 4 * V) {
    a = ADD64(a, ADD64(NAME(inet_words)(LOADU(p)), NAME(inet_words)(LOADU(p + V))));
    b = ADD64(b, ADD64(NAME(inet_words)(LOADU(p + 2 * V)), NAME(inet_words)(LOADU(p + 3 * V))));
  }
  for (; (size_t)(end - p) >= V; p += V)
    a = ADD64(a, NAME(inet_words)(LOADU(p)));
  b = ADD64(b, NAME(inet_words)(REST(p, (size_t)(end - p))));
  return memlift_inet_fold(ODD(end, n) + SUM64(ADD64(a, b)), init);
}
#endif
