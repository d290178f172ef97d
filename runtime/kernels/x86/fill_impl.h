/* fill_impl.h - fills over vectors of V bytes; body of each ISA's variant
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A value of 8 bytes fits into every vector; a vector that starts k bytes into the fill holds it
 * rotated by k % 8. So there is one vector at the front, one at the back (rotated by n, since V is
 * a multiple of 8), and aligned ones between (rotated by the distance to the first aligned
 * address): two an iteration, and the last one again. Vectors of 32 and of 64 bytes take four an
 * iteration and four at the end, wherever these lie: nothing is looked for, and fewer counts are to
 * be predicted. Up to 512 bytes they take no loop. Vectors of 64 bytes are rotated instead of
 * words, and it is not asked whether the fill begins at an aligned address.
 *
 * On a Zen 5, ticks of a call (glibc's memset). With AVX-512, sizes at random: 257 to 512 bytes 8.0
 * (7.4), 288 to 2,048 bytes 26.1 (24.5); 700 and 1,500 bytes each time 8.7, 15.9 (8.0, 19.2). With
 * AVX2 the same: 8.0 (17.4, with a loop 19.1), 29.7 (27.6), 10.1, 17.7 (9.2, 16.6). A Sapphire
 * Rapids takes longer for 64 bytes across lines: 512 and 1,024 bytes each time took 4.9 and 6.1 ns
 * by four, 3.1 and 5.0 by two.
 */

#if V >= 32
/* n > 4 V; fills from the aligned address d on by `body`, and to the end, u + 4 V, by `last`. */
TARGET MEMLIFT_INLINE void NAME(fill_fours)(unsigned char *d, unsigned char *u, VECTOR body,
                                            VECTOR last) {
  for (; d < u; d += 4 * V)
    STOREA(d, body), STOREA(d + V, body), STOREA(d + 2 * V, body), STOREA(d + 3 * V, body);
  STOREU(u, last), STOREU(u + V, last), STOREU(u + 2 * V, last), STOREU(u + 3 * V, last);
}

/* n > 4 V; `last` is the vector at the end, and `body` those at aligned addresses. */
TARGET MEMLIFT_INLINE void NAME(fill_vectors)(unsigned char *d, VECTOR first, VECTOR body,
                                              VECTOR last, size_t n) {
  STOREU(d, first);
  const size_t above = n - 257;
  if (MEMLIFT_LIKELY(above >= 256)) { /* or no more than 256 bytes, by vectors of 32 */
    unsigned char *aligned = (unsigned char *)(((uintptr_t)d | (V - 1)) + 1);
    NAME(fill_fours)(aligned, d + n - 4 * V, body, last);
    return;
  }
#pragma GCC unroll 8
  for (unsigned i = V; i < 256; i += V)
    STOREU(d + i, first);
#pragma GCC unroll 8
  for (unsigned i = 0; i < 256; i += V)
    STOREU(d + n - 256 + i, last);
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
