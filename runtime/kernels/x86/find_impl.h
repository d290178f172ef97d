/* find_impl.h - the first byte that is looked for, by vectors of V bytes
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The first vector is at p unless it would leave p's page; then it is the aligned one that p is in.
 * All others are aligned, so that each lies in a page with a byte that the loop reads. Four are
 * tested one by one, then four together. `done` counts bytes from p, as p + n may wrap.
 */

/* An aligned vector may be read whatever is around the region. Returns the index of what is looked
 * for in the one that is `done` bytes from p, or n if that is after the region. */
#define FIND_AT(bits)                                                                              \
  do {                                                                                             \
    size_t found = done + FIRST_BIT(bits);                                                         \
    return found < n ? found : n;                                                                  \
  } while (0)

MEMLIFT_READS_BESIDE TARGET MEMLIFT_KERNEL uint64_t FIND(const void *from, size_t n,
                                                         uint32_t what) {
  const unsigned char *p = (const unsigned char *)from;
  PREPARE;
  if (MEMLIFT_UNLIKELY(n == 0))
    return 0;
  size_t done = 0, skew = (uintptr_t)p & (V - 1);
  BITS bits;
  const int whole = ((uintptr_t)p & (MEMLIFT_SMALLEST_PAGE - 1)) <= MEMLIFT_SMALLEST_PAGE - V;
  if (MEMLIFT_LIKELY(whole))
    bits = MARK_BITS(STOPS(LOADU(p)));
  else
    bits = MARK_BITS(STOPS(LOADA(p - skew))) >> skew;
  if (bits)
    FIND_AT(bits);
  done = V - skew;
  if (MEMLIFT_LIKELY(n <= V)) { /* the page's end may have cut the vector short */
    if (MEMLIFT_LIKELY(whole) || n <= done)
      return n;
  }
  for (int i = 0; i < 4; i++) {
    bits = MARK_BITS(STOPS(LOADA(p + done)));
    if (bits)
      FIND_AT(bits);
    done += V;
    if (n <= done)
      return n;
  }
  /* Back to a multiple of four vectors; what is tested again stops nothing. */
  const unsigned char *at = (const unsigned char *)((uintptr_t)(p + done) & -(uintptr_t)(4 * V));
  /* The address of the last byte, or of all memory where n is too large: a string's length is. */
  const uintptr_t last =
      (uintptr_t)p + (n - 1) < (uintptr_t)p ? UINTPTR_MAX : (uintptr_t)p + (n - 1);
  do {
    MARKS a = STOPS(LOADA(at)), b = STOPS(LOADA(at + V));
    MARKS c = STOPS(LOADA(at + 2 * V)), d = STOPS(LOADA(at + 3 * V));
    MARKS ab = MARKS_OR(a, b);
    if (MEMLIFT_UNLIKELY(MARK_BITS(MARKS_OR(ab, MARKS_OR(c, d))))) {
      done = (size_t)(at - p);
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
    at += 4 * V;
  } while ((uintptr_t)at <= last);
  return n;
}
#undef FIND_AT
