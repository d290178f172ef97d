/* compare_impl.h - the first difference of two regions, by vectors of V bytes
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The first four vectors are compared where they are, and then the next four, unless they leave a
 * page; then p is aligned, and q is where it is. A vector of q may lie in two pages. Its bytes in
 * the second one are read only after those in the first one are known to be equal: the loop then
 * goes on to that page. KEEPS marks each byte where the comparison goes on. With ENDS_EARLY the
 * loop does not read the byte of q beside a byte of p that ends it, so a page of q is entered only
 * if its first byte is beside one that does not.
 */
#ifndef ENDS_EARLY
#define ENDS_EARLY 0
#endif

#define IN_PAGE(p) ((uintptr_t)(p) & (MEMLIFT_SMALLEST_PAGE - 1))

/* Bytes from b to the end of its page; 0 if b is first in it. */
#define ROOM(b) (MEMLIFT_SMALLEST_PAGE - 1 - IN_PAGE((b) - 1))

#define STOPPED(a, b) (MARK_BITS(KEEPS(a, b)) ^ ALL_BITS)

#define FOUND_AT(bits)                                                                             \
  do {                                                                                             \
    size_t found = done + FIRST_BIT(bits);                                                         \
    return found < n ? found : n;                                                                  \
  } while (0)

/* Compares four vectors, the first of them `at` bytes from p and q. */
#define FOUR(a, b, load, at)                                                                       \
  do {                                                                                             \
    VECTOR a0 = load(a), a1 = load((a) + V), a2 = load((a) + 2 * V), a3 = load((a) + 3 * V);       \
    MARKS k0 = KEEPS(a0, LOADU(b)), k1 = KEEPS(a1, LOADU((b) + V));                                \
    MARKS k2 = KEEPS(a2, LOADU((b) + 2 * V)), k3 = KEEPS(a3, LOADU((b) + 3 * V));                  \
    MARKS k01 = MARKS_AND(k0, k1);                                                                 \
    if (MEMLIFT_UNLIKELY(MARK_BITS(MARKS_AND(k01, MARKS_AND(k2, k3))) != ALL_BITS)) {              \
      done = (at);                                                                                 \
      if ((bits = MARK_BITS(k0) ^ ALL_BITS))                                                       \
        FOUND_AT(bits);                                                                            \
      done += V;                                                                                   \
      if ((bits = MARK_BITS(k1) ^ ALL_BITS))                                                       \
        FOUND_AT(bits);                                                                            \
      done += V;                                                                                   \
      if ((bits = MARK_BITS(k2) ^ ALL_BITS))                                                       \
        FOUND_AT(bits);                                                                            \
      done += V;                                                                                   \
      bits = MARK_BITS(k3) ^ ALL_BITS;                                                             \
      FOUND_AT(bits);                                                                              \
    }                                                                                              \
  } while (0)

/* From `done` up to `end`, byte by byte; the index of what stops it, or `end`. */
MEMLIFT_READS_BESIDE static size_t SCALAR(const unsigned char *p, const unsigned char *q,
                                          size_t done, size_t end, uint32_t what) {
  for (; done < end; done++)
    if ((ENDS_EARLY && p[done] == (unsigned char)what) || p[done] != q[done])
      break;
  return done;
}

/* The bytes before the page of q that begins within V bytes of q + done, then a whole vector. */
MEMLIFT_READS_BESIDE TARGET MEMLIFT_KERNEL __attribute__((noinline)) static size_t
TURN(const unsigned char *p, const unsigned char *q, size_t done, size_t n, uint32_t what) {
  PREPARE;
  size_t room = -(uintptr_t)(q + done) & (MEMLIFT_SMALLEST_PAGE - 1);
  size_t next = done + room;
  BITS bits;
  if (done < V - room) {
    size_t end = n < next ? n : next;
    done = SCALAR(p, q, done, end, what);
    if (done < end)
      return done;
  } else if (room) {
    size_t back = next - V;
    bits = STOPPED(LOADU(p + back), LOADU(q + back));
    if (bits) {
      done = back;
      FOUND_AT(bits);
    }
  }
  if (n <= next)
    return n;
  done = next - room;
  if (ENDS_EARLY && p[next] == (unsigned char)what)
    return next;
  bits = STOPPED(LOADU(p + done), LOADU(q + done));
  if (bits)
    FOUND_AT(bits);
  done += V;
  return done < n ? done : n;
}

MEMLIFT_READS_BESIDE TARGET MEMLIFT_KERNEL uint64_t MISMATCH(const void *from, const void *with,
                                                             size_t n, uint32_t what) {
  const unsigned char *p = (const unsigned char *)from, *q = (const unsigned char *)with;
  PREPARE;
  if (MEMLIFT_UNLIKELY(n == 0))
    return 0;
  if (ENDS_EARLY && *p == (unsigned char)what)
    return 0;
  size_t done = 0, skew = (uintptr_t)p & (V - 1);
  BITS bits;
  if (MEMLIFT_LIKELY(IN_PAGE(p) <= MEMLIFT_SMALLEST_PAGE - V &&
                     IN_PAGE(q) <= MEMLIFT_SMALLEST_PAGE - V)) {
    bits = STOPPED(LOADU(p), LOADU(q));
    if (bits)
      FOUND_AT(bits);
    if (n <= V)
      return n;
    done = V - skew;
    if (MEMLIFT_LIKELY(IN_PAGE(p) <= MEMLIFT_SMALLEST_PAGE - 4 * V &&
                       IN_PAGE(q) <= MEMLIFT_SMALLEST_PAGE - 4 * V)) {
      bits = STOPPED(LOADU(p + V), LOADU(q + V));
      done = V;
      if (bits)
        FOUND_AT(bits);
      if (n <= 2 * V)
        return n;
      done = 2 * V;
      VECTOR a2 = LOADU(p + 2 * V), a3 = LOADU(p + 3 * V);
      MARKS k2 = KEEPS(a2, LOADU(q + 2 * V)), k3 = KEEPS(a3, LOADU(q + 3 * V));
      if (MARK_BITS(MARKS_AND(k2, k3)) != ALL_BITS) {
        if ((bits = MARK_BITS(k2) ^ ALL_BITS))
          FOUND_AT(bits);
        done += V;
        bits = MARK_BITS(k3) ^ ALL_BITS;
        FOUND_AT(bits);
      }
      if (n <= 4 * V)
        return n;
      done = 4 * V - skew;
      if (MEMLIFT_LIKELY(IN_PAGE(p) <= MEMLIFT_SMALLEST_PAGE - 8 * V &&
                         IN_PAGE(q) <= MEMLIFT_SMALLEST_PAGE - 8 * V)) {
        FOUR(p + 4 * V, q + 4 * V, LOADU, 4 * V);
        if (n <= 8 * V)
          return n;
        done = 8 * V - skew;
      }
    }
  } else {
    size_t end = n < V - skew ? n : V - skew;
    done = SCALAR(p, q, 0, end, what);
    if (done < end || done == n)
      return done;
  }
  for (;;) {
    const unsigned char *a = p + done, *b = q + done;
    /* Blocks of four vectors up to the end of a page of one of both, or of the region. */
    size_t blocks = MEMLIFT_SMALLEST_PAGE - IN_PAGE(a), more = ROOM(b);
    blocks = more < blocks ? more : blocks;
    more = n - done;
    blocks = (more < blocks ? more : blocks) / (4 * V);
    for (; blocks; blocks--, a += 4 * V, b += 4 * V) {
      FOUR(a, b, LOADA, (size_t)(a - p));
    }
    done = (size_t)(a - p);
    for (const size_t all = done + 4 * V; done < all; done += V, a += V, b += V) {
      if (n <= done)
        return n;
      if (ROOM(b) < V) {
        size_t end = TURN(p, q, done, n, what);
        if (end != done + V || end >= n)
          return end;
        done = end;
        break;
      }
      bits = STOPPED(LOADA(a), LOADU(b));
      if (bits)
        FOUND_AT(bits);
    }
    if (n <= done)
      return n;
  }
}
#undef IN_PAGE
#undef ROOM
#undef STOPPED
#undef FOUND_AT
#undef FOUR
#undef ENDS_EARLY
