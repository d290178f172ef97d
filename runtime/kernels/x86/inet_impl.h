/* inet_impl.h - the Internet checksum over vectors of V bytes; body of each ISA's variant
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * 2^16 is 1 modulo 0xffff, so a 32-bit word is as good as its two halves: the words of a vector are
 * added in lanes of 64 bits, which hold 2^32 of them. REST gives the words after the last whole
 * vector, zeros around them, so that no second loop is needed: the lengths that a program checksums
 * are hard to predict, and a misprediction costs as much as a hundred bytes.
 */

TARGET MEMLIFT_INLINE VECTOR NAME(inet_words)(VECTOR v) {
  ONCE(v);
  return ADD64(AND(v, SPLAT64(LOW32)), SRL64(v, 32));
}

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
