/* fill_impl.h - fills over vectors of V bytes; body of each ISA's variant
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A value of 8 bytes fits into every vector; a vector that starts k bytes into the fill holds it
 * rotated by k % 8. So there is one vector at the front, one at the back (rotated by n, since V is
 * a multiple of 8), and aligned ones between (rotated by the distance to the first aligned
 * address): two an iteration, and the last one again. Where the fill itself begins at a line, it
 * is four an iteration and four at the end, wherever these lie, so that nothing is looked for: of
 * 512 and 1,024 bytes on a Sapphire Rapids 2.2 and 4.4 ns instead of 3.0 and 4.7; elsewhere the
 * stores at the end would be across lines, and take 4.9 and 6.1 ns instead of 3.1 and 5.0.
 */

#if V == 64
/* n > 4 V; d is aligned. */
TARGET MEMLIFT_INLINE void NAME(fill_aligned)(unsigned char *d, uint64_t pattern, size_t n) {
  const VECTOR a = SPLAT64(pattern), z = SPLAT64(memlift_rotate_pattern(pattern, n));
  unsigned char *u = d + n - 4 * V;
  do {
    STOREA(d, a), STOREA(d + V, a), STOREA(d + 2 * V, a), STOREA(d + 3 * V, a);
    d += 4 * V;
  } while (d < u);
  STOREU(u, z), STOREU(u + V, z), STOREU(u + 2 * V, z), STOREU(u + 3 * V, z);
}
#endif

/* n > 4 V */
TARGET MEMLIFT_INLINE void NAME(fill_large)(unsigned char *d, uint64_t pattern, size_t n) {
#if V == 64
  if (((uintptr_t)d & (V - 1)) == 0) {
    NAME(fill_aligned)(d, pattern, n);
    return;
  }
#endif
  const size_t skip = V - ((uintptr_t)d & (V - 1));
  /* Distance to the last aligned vector, after which only the one at the end is left. */
  const size_t whole = (n - V - skip) & ~(size_t)(V - 1);
  VECTOR body = SPLAT64(memlift_rotate_pattern(pattern, skip));
  STOREU(d, SPLAT64(pattern));
  STOREU(d + n - V, SPLAT64(memlift_rotate_pattern(pattern, n)));
  d += skip;
  unsigned char *u = d + whole;
  for (; d < u; d += 2 * V)
    STOREA(d, body), STOREA(d + V, body);
  STOREA(u, body);
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
