/* fill_impl.h - fills over vectors of V bytes; body of each ISA's variant
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A value of 8 bytes fits into every vector; a vector that starts k bytes into the fill holds it
 * rotated by k % 8. So there is one vector at the front, one at the back (rotated by n, since V is
 * a multiple of 8), and aligned ones between (rotated by the distance to the first aligned
 * address): two an iteration, and the last one again. Vectors of 32 and of 64 bytes take four an
 * iteration, so that fewer counts are to be predicted, and the last three again. Up to 512 bytes
 * they take no loop. Vectors of 64 bytes are rotated instead of words.
 *
 * Stores that lie across two lines take twice as long on a Sapphire Rapids, so two do at most, the
 * first and the last one. Ticks of a call there (glibc's memset), sizes at random: with AVX-512 257
 * to 512 bytes 10.3 (14.8), 288 to 2,048 30.2 (33.5), with AVX2 10.2 (18.1) and 29.9 (30.9); four
 * stores wherever the end lies took 15.0, 36.6, 17.7 and 36.1.
 */

#if V >= 32
/* n > 4 V. `first` and `last` are the vectors at the two ends, and `body` those at aligned
 * addresses. */
TARGET MEMLIFT_INLINE void NAME(fill_vectors)(unsigned char *d, VECTOR first, VECTOR body,
                                              VECTOR last, size_t n) {
  /* The aligned vectors are from `begin` on, and before `end`. */
  unsigned char *begin = (unsigned char *)(((uintptr_t)d | (V - 1)) + 1);
  unsigned char *end = (unsigned char *)((uintptr_t)(d + n - 1) & ~(uintptr_t)(V - 1));
  STOREU(d, first);
  if (MEMLIFT_LIKELY(n - 257 >= 256)) { /* more than 512, or up to 256 by vectors of 32 */
    for (; begin < end - 3 * V; begin += 4 * V)
      STOREA(begin, body), STOREA(begin + V, body), STOREA(begin + 2 * V, body),
          STOREA(begin + 3 * V, body);
    STOREA(end - 3 * V, body), STOREA(end - 2 * V, body), STOREA(end - V, body);
  } else { /* 256 / V - 1 to twice as many and one more: the one between may be the last one */
    unsigned char *between = begin + 256 - V;
    between = between < end ? between : end - V;
#pragma GCC unroll 8
    for (unsigned i = 0; i < 256 - V; i += V)
      STOREA(begin + i, body);
    STOREA(between, body);
#pragma GCC unroll 8
    for (unsigned i = 256 - V; i > 0; i -= V)
      STOREA(end - i, body);
  }
  STOREU(d + n - V, last);
}
#endif

/* n > 4 V */
TARGET MEMLIFT_INLINE void NAME(fill_large)(unsigned char *d, uint64_t pattern, size_t n) {
  const VECTOR first = SPLAT64(pattern);
#if V == 64 /* the counts of the rotations are taken modulo 64 */
  const VECTOR body = ROTL64(first, SPLAT64((uintptr_t)d * 8));
  NAME(fill_vectors)(d, first, body, ROTR64(first, SPLAT64(n * 8)), n);
#else
  const VECTOR last = SPLAT64(memlift_rotate_pattern(pattern, n));
  const size_t skip = V - ((uintptr_t)d & (V - 1));
  const VECTOR body = SPLAT64(memlift_rotate_pattern(pattern, skip));
#if V == 32
  NAME(fill_vectors)(d, first, body, last, n);
#else
  /* Distance to the last aligned vector, after which only the one at the end is left. */
  const size_t whole = (n - V - skip) & ~(size_t)(V - 1);
  STOREU(d, first), STOREU(d + n - V, last);
  d += skip;
  unsigned char *u = d + whole;
  for (; d < u; d += 2 * V)
    STOREA(d, body), STOREA(d + V, body);
  STOREA(u, body);
#endif
#endif
}

/* n <= 4 V */
TARGET MEMLIFT_INLINE void NAME(fill_small)(unsigned char *d, uint64_t pattern, size_t n) {
#if defined(STOREN)
  VECTOR a = SPLAT64(pattern);
  if (MEMLIFT_LIKELY(n <= V)) {
    STOREN(d, n, a); /* no branch on the size, as in copy_impl.h */
    return;
  }
#else
  if (MEMLIFT_LIKELY(n <= 32)) {
    fill_up_to_32(d, pattern, n);
    return;
  }
  VECTOR a = SPLAT64(pattern);
#endif
  VECTOR z = SPLAT64(memlift_rotate_pattern(pattern, n));
  STOREU(d, a), STOREU(d + n - V, z);
  if (n > 2 * V)
    STOREU(d + V, a), STOREU(d + n - 2 * V, z);
}

/* At least one of memlift_limits.fill_* bytes. */
TARGET __attribute__((noinline)) static void NAME(fill_huge)(unsigned char *d, uint64_t pattern,
                                                             size_t n) {
  if (fills_by_string(pattern, n)) {
    rep_fill(d, pattern, n);
  } else if (fills_by_repeating(n)) {
    const size_t beginning = repeat_beginning(d, 8);
    NAME(fill_large)(d, pattern, beginning);
    repeat(d, beginning, n);
  } else {
    NAME(fill_large)(d, pattern, n);
  }
}

TARGET MEMLIFT_KERNEL void NAME(memlift_fill)(void *dst, uint64_t pattern, size_t n) {
  unsigned char *d = (unsigned char *)dst;
  if (MEMLIFT_UNLIKELY(n <= 4 * V))
    NAME(fill_small)(d, pattern, n);
  else if (MEMLIFT_UNLIKELY(n > MEMLIFT_VECTORS_MOST) && fills_otherwise(n))
    NAME(fill_huge)(d, pattern, n);
  else
    NAME(fill_large)(d, pattern, n);
}
