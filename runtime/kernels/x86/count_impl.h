/* count_impl.h - how many bytes are the one that is looked for, by vectors of V bytes
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Without masked loads the last vector of a region that has one ends where the region does, and the
 * bytes that were counted before are taken out of its bits. Fewer bytes than a vector are the
 * generic kernel's. Bytes count at most 63 times four vectors before they are added up.
 */
#if defined(LOADN)
TARGET MEMLIFT_KERNEL uint64_t NAME(memlift_count)(const void *from, size_t n, uint32_t what) {
  const unsigned char *p = (const unsigned char *)from;
  const VECTOR first = SPLAT8(what);
  uint64_t sum = 0;
  for (; n > 2 * V; p += 2 * V, n -= 2 * V)
    sum += POPCOUNT(EQUAL8(LOADU(p), first)) + POPCOUNT(EQUAL8(LOADU(p + V), first));
  const size_t more = n > V ? n - V : 0;
  return sum + POPCOUNT(EQUAL8_OF_FIRST(n, LOADN(p, n), first)) +
         POPCOUNT(EQUAL8_OF_FIRST(more, LOADN(p + V, more), first));
}
#else
TARGET MEMLIFT_KERNEL uint64_t NAME(memlift_count)(const void *from, size_t n, uint32_t what) {
  const unsigned char *p = (const unsigned char *)from;
  if (n < V)
    return memlift_count_generic(from, n, what);
  const VECTOR first = SPLAT8(what), none = SPLAT64(0);
  VECTOR sums = none;
  while (n >= 4 * V) {
    size_t rounds = n / (4 * V) < 63 ? n / (4 * V) : 63;
    n -= rounds * 4 * V;
    VECTOR bytes = none;
    for (; rounds; rounds--, p += 4 * V) { /* a mark is -1 */
      VECTOR two = ADD8(EQUAL8(LOADU(p), first), EQUAL8(LOADU(p + V), first));
      VECTOR more = ADD8(EQUAL8(LOADU(p + 2 * V), first), EQUAL8(LOADU(p + 3 * V), first));
      bytes = SUB8(bytes, ADD8(two, more));
    }
    sums = ADD64(sums, SAD8(bytes));
  }
  VECTOR bytes = none;
  for (; n >= V; n -= V, p += V)
    bytes = SUB8(bytes, EQUAL8(LOADU(p), first));
  if (n) { /* the bits of those not yet counted are the upper ones */
    BITS bits = MARK_BITS(EQUAL8(LOADU(p + n - V), first)) >> (V - n);
    return SUM64(ADD64(sums, SAD8(bytes))) + ones_in(bits);
  }
  return SUM64(ADD64(sums, SAD8(bytes)));
}
#endif
