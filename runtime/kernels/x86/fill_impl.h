/* fill_impl.h - fills over vectors of V bytes; body of each ISA's variant
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A value of 8 bytes fits into every vector; a vector that starts k bytes into the fill holds it
 * rotated by k % 8. So there is one vector at the front, one at the back (rotated by n, since V is
 * a multiple of 8), and aligned ones between (rotated by the distance to the first aligned
 * address): two an iteration, and the last one again.
 */

/* n > 4 V */
TARGET MEMLIFT_INLINE void NAME(fill_large)(unsigned char *d, uint64_t pattern, size_t n) {
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
  if (n <= 4 * V)
    NAME(fill_small)(d, pattern, n);
  else if (MEMLIFT_UNLIKELY(n >= __atomic_load_n(&memlift_limits.fill_string, __ATOMIC_RELAXED) ||
                            n >= __atomic_load_n(&memlift_limits.fill_repeat, __ATOMIC_RELAXED)))
    NAME(fill_huge)(d, pattern, n);
  else
    NAME(fill_large)(d, pattern, n);
}
