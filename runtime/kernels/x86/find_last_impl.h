/* find_last_impl.h - the last byte that is looked for, by vectors of V bytes
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The mirror image of find_impl.h: `done` counts the bytes from the end. The first vector ends
 * where the region does unless it would begin in another page.
 */
#define FIND_AT(bits)                                                                              \
  do {                                                                                             \
    size_t found = done + BITS_ABOVE(bits);                                                        \
    return found < n ? found : n;                                                                  \
  } while (0)

MEMLIFT_READS_BESIDE TARGET MEMLIFT_KERNEL uint64_t FIND_LAST(const void *from, size_t n,
                                                              uint32_t what) {
  PREPARE;
  if (MEMLIFT_UNLIKELY(n == 0))
    return 0;
  const unsigned char *end = (const unsigned char *)from + n;
  const unsigned char *last = end - 1;
  size_t done = 0, skew = ((uintptr_t)last & (V - 1)) + 1; /* bytes of the aligned vector */
  BITS bits;
  const int whole = ((uintptr_t)last & (MEMLIFT_SMALLEST_PAGE - 1)) >= V - 1;
  if (MEMLIFT_LIKELY(whole))
    bits = MARK_BITS(STOPS(LOADU(end - V)));
  else
    bits = MARK_BITS(STOPS(LOADA(end - skew))) << (V - skew);
  bits &= ALL_BITS;
  if (bits)
    FIND_AT(bits);
  done = skew;
  if (n <= (whole ? (size_t)V : skew))
    return n;
  for (int i = 0; i < 4; i++) {
    bits = MARK_BITS(STOPS(LOADA(end - done - V)));
    if (bits)
      FIND_AT(bits);
    done += V;
    if (n <= done)
      return n;
  }
  /* Up to a multiple of four vectors; what is tested again stops nothing. */
  const unsigned char *at =
      (const unsigned char *)(((uintptr_t)(end - done) + 4 * V - 1) & -(uintptr_t)(4 * V));
  const uintptr_t first_byte = (uintptr_t)from;
  do {
    MARKS a = STOPS(LOADA(at - V)), b = STOPS(LOADA(at - 2 * V));
    MARKS c = STOPS(LOADA(at - 3 * V)), d = STOPS(LOADA(at - 4 * V));
    MARKS ab = MARKS_OR(a, b);
    if (MEMLIFT_UNLIKELY(MARK_BITS(MARKS_OR(ab, MARKS_OR(c, d))))) {
      done = (size_t)(end - at);
      if ((bits = MARK_BITS(a)))
        FIND_AT(bits);
      done += V;
      if ((bits = MARK_BITS(b)))
        FIND_AT(bits);
      done += V;
      if ((bits = MARK_BITS(c)))
        FIND_AT(bits);
      done += V;
      bits = MARK_BITS(d);
      FIND_AT(bits);
    }
    at -= 4 * V;
  } while ((uintptr_t)at > first_byte);
  return n;
}
#undef FIND_AT
