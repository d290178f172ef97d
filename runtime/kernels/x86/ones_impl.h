/* ones_impl.h - ones' complement sum over vectors of V bytes; body of each ISA's variant
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A carry out of each lane would have to be found by a comparison. Instead the lanes are added
 * modulo 2^64, and their high halves once more, by themselves:
 *
 *     total = L + 2^32 H modulo 2^64     L, H: the sums of the low and of the high halves
 *
 * H is exact, and so is L = total - 2^32 H, as both stay below 2^64 for 2^32 words. Modulo 2^64 - 1
 * their sum is L + 2^32 (H mod 2^32) + H / 2^32, added with end-around carries. That takes three
 * operations a vector. The words after the last whole vectors are a masked load where there are
 * any; with SSE2 the generic kernel sums them.
 */

/* Sums of the words so far, modulo 2^64, and of their high halves. */
struct NAME(ones) {
  VECTOR total, high;
};

TARGET MEMLIFT_INLINE void NAME(ones_add)(struct NAME(ones) * s, VECTOR v) {
  ONCE(v);
  s->total = ADD64(s->total, v);
  s->high = ADD64(s->high, SRL64(v, 32));
}

TARGET MEMLIFT_INLINE uint64_t NAME(ones_all)(const struct NAME(ones) * s) {
  const uint64_t high = SUM64(s->high), low = SUM64(s->total) - (high << 32);
  return memlift_add_around(memlift_add_around(low, high << 32), high >> 32);
}

TARGET MEMLIFT_KERNEL uint64_t NAME(memlift_ones)(const void *from, size_t n) {
  const unsigned char *p = (const unsigned char *)from;
  struct NAME(ones) s = {SPLAT64(0), SPLAT64(0)};
  n &= ~(size_t)7;
#if defined(LOADN)
  if (MEMLIFT_LIKELY(n <= V)) { /* nothing to guess, of no words either */
    NAME(ones_add)(&s, LOADN(p, n));
    return NAME(ones_all)(&s);
  }
#elif defined(FEW_TWO)
  VECTOR second, first;
  if (n < 2 * V) {
    first = FEW_TWO(p, n, &second);
    NAME(ones_add)(&s, first), NAME(ones_add)(&s, second);
    return NAME(ones_all)(&s);
  }
#else
  if (n < V)
    return memlift_ones_generic(from, n);
#endif
  size_t left = n;
  for (; left >= 4 * V; p += 4 * V, left -= 4 * V)
    for (unsigned i = 0; i < 4; i++)
      NAME(ones_add)(&s, LOADU(p + i * V));
#if defined(FEW_TWO)
  if (left >= 2 * V)
    NAME(ones_add)(&s, LOADU(p)), NAME(ones_add)(&s, LOADU(p + V));
  first = FEW_LAST_TWO(p + left, left % (2 * V), &second);
  NAME(ones_add)(&s, first), NAME(ones_add)(&s, second);
  return NAME(ones_all)(&s);
#else
  for (; left >= V; p += V, left -= V)
    NAME(ones_add)(&s, LOADU(p));
#if defined(LOADN)
  if (left)
    NAME(ones_add)(&s, LOADN(p, left));
  return NAME(ones_all)(&s);
#else
  uint64_t sum = NAME(ones_all)(&s);
  return left ? memlift_add_around(sum, memlift_ones_generic(p, left)) : sum;
#endif
#endif
}
