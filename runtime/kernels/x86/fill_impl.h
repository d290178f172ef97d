/* fill_impl.h - fills over vectors of V bytes; body of each ISA's variant
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A value of 8 bytes fits into every vector; a vector that starts k bytes into the fill holds it
 * rotated by k % 8. So there is one vector at the front, one at the back (rotated by n, since V is
 * a multiple of 8), and aligned ones between (rotated by the distance to the first aligned
 * address): two an iteration, and the last one again. Vectors of 32 bytes, and those of 64 where
 * the fill itself begins at a line, take four an iteration and four at the end, wherever these lie:
 * nothing is looked for, and fewer counts are to be predicted. 512 and 1,024 bytes that begin at a
 * line take 2.2 and 4.4 ns on a Sapphire Rapids instead of 3.0 and 4.7; elsewhere stores of 64
 * bytes at the end would be across lines, and take 4.9 and 6.1 ns instead of 3.1 and 5.0.
 */

#if V >= 32
/* n > 4 V; fills from the aligned address d + skip on by `body`, and to the end by `last`. */
TARGET MEMLIFT_INLINE void NAME(fill_fours)(unsigned char *d, size_t skip, VECTOR body, VECTOR last,
                                            size_t n) {
  unsigned char *u = d + n - 4 * V;
  for (d += skip; d < u; d += 4 * V)
    STOREA(d, body), STOREA(d + V, body), STOREA(d + 2 * V, body), STOREA(d + 3 * V, body);
  STOREU(u, last), STOREU(u + V, last), STOREU(u + 2 * V, last), STOREU(u + 3 * V, last);
}
#endif

/* n > 4 V */
TARGET MEMLIFT_INLINE void NAME(fill_large)(unsigned char *d, uint64_t pattern, size_t n) {
  const VECTOR last = SPLAT64(memlift_rotate_pattern(pattern, n));
#if V == 64
  if (((uintptr_t)d & (V - 1)) == 0) {
    NAME(fill_fours)(d, 0, SPLAT64(pattern), last, n);
    return;
  }
#endif
  const size_t skip = V - ((uintptr_t)d & (V - 1));
  VECTOR body = SPLAT64(memlift_rotate_pattern(pattern, skip));
  STOREU(d, SPLAT64(pattern));
#if V == 32
  NAME(fill_fours)(d, skip, body, last, n);
#else
  /* Distance to the last aligned vector, after which only the one at the end is left. */
  const size_t whole = (n - V - skip) & ~(size_t)(V - 1);
  STOREU(d + n - V, last);
  d += skip;
  unsigned char *u = d + whole;
  for (; d < u; d += 2 * V)
    STOREA(d, body), STOREA(d + V, body);
  STOREA(u, body);
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
