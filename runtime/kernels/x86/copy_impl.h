/* copy_impl.h - copy and move over vectors of V bytes; body of each ISA's variant
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Up to 8 V bytes there is no loop: vectors from the front and vectors from the back that meet
 * or overlap in the middle, all loaded before any is stored, so that overlap does not matter.
 *
 * Above that the first vector and the last four are loaded first and stored last; between them
 * a loop of four vectors a turn writes to aligned addresses:
 *
 *     destination  |head....|        |tail four vectors......|
 *                      |loop: aligned ............|
 *
 * The loop may run into the tail's region; both write the same bytes. Storing head and tail last
 * is what makes it right for a move: no store comes before the loads that it could spoil.
 */

/* Sizes up to 8 V; returns 0 when n is larger. */
TARGET MEMLIFT_INLINE int NAME(small)(unsigned char *d, const unsigned char *s, size_t n) {
  if (n <= 16) {
    move_up_to_16(d, s, n);
    return 1;
  }
  if (n <= 32) {
    move_16_to_32(d, s, n);
    return 1;
  }
#if V >= 64
  if (n <= 64) {
    __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)s);
    __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(s + n - 32));
    _mm256_storeu_si256((__m256i *)(void *)d, a);
    _mm256_storeu_si256((__m256i *)(void *)(d + n - 32), b);
    return 1;
  }
#endif
  if (n <= 2 * V) {
    VECTOR a = LOADU(s), b = LOADU(s + n - V);
    STOREU(d, a), STOREU(d + n - V, b);
    return 1;
  }
  if (n <= 4 * V) {
    VECTOR a = LOADU(s), b = LOADU(s + V), y = LOADU(s + n - 2 * V), z = LOADU(s + n - V);
    STOREU(d, a), STOREU(d + V, b), STOREU(d + n - 2 * V, y), STOREU(d + n - V, z);
    return 1;
  }
  if (n <= 8 * V) {
    const unsigned char *t = s + n - 4 * V;
    unsigned char *u = d + n - 4 * V;
    VECTOR a = LOADU(s), b = LOADU(s + V), c = LOADU(s + 2 * V), e = LOADU(s + 3 * V);
    VECTOR w = LOADU(t), x = LOADU(t + V), y = LOADU(t + 2 * V), z = LOADU(t + 3 * V);
    STOREU(d, a), STOREU(d + V, b), STOREU(d + 2 * V, c), STOREU(d + 3 * V, e);
    STOREU(u, w), STOREU(u + V, x), STOREU(u + 2 * V, y), STOREU(u + 3 * V, z);
    return 1;
  }
  return 0;
}

/* n > 8 V; dst below src, or disjoint. */
TARGET MEMLIFT_INLINE void NAME(up)(unsigned char *d, const unsigned char *s, size_t n) {
  const unsigned char *t = s + n - 4 * V;
  unsigned char *u = d + n - 4 * V, *first = d;
  VECTOR head = LOADU(s);
  VECTOR w = LOADU(t), x = LOADU(t + V), y = LOADU(t + 2 * V), z = LOADU(t + 3 * V);
  size_t skip = V - ((uintptr_t)d & (V - 1));
  for (d += skip, s += skip; d < u; d += 4 * V, s += 4 * V) {
    VECTOR a = LOADU(s), b = LOADU(s + V), c = LOADU(s + 2 * V), e = LOADU(s + 3 * V);
    STOREA(d, a), STOREA(d + V, b), STOREA(d + 2 * V, c), STOREA(d + 3 * V, e);
  }
  STOREU(u, w), STOREU(u + V, x), STOREU(u + 2 * V, y), STOREU(u + 3 * V, z);
  STOREU(first, head);
}

/* n > 8 V; dst above src. The mirror image. */
TARGET MEMLIFT_INLINE void NAME(down)(unsigned char *d, const unsigned char *s, size_t n) {
  VECTOR a = LOADU(s), b = LOADU(s + V), c = LOADU(s + 2 * V), e = LOADU(s + 3 * V);
  VECTOR tail = LOADU(s + n - V);
  unsigned char *last = d + n - V;
  size_t left = n - ((uintptr_t)(d + n) & (V - 1));
  for (; left > 4 * V; left -= 4 * V) {
    const unsigned char *from = s + left - 4 * V;
    unsigned char *to = d + left - 4 * V;
    VECTOR w = LOADU(from), x = LOADU(from + V), y = LOADU(from + 2 * V), z = LOADU(from + 3 * V);
    STOREA(to + 3 * V, z), STOREA(to + 2 * V, y), STOREA(to + V, x), STOREA(to, w);
  }
  STOREU(d, a), STOREU(d + V, b), STOREU(d + 2 * V, c), STOREU(d + 3 * V, e);
  STOREU(last, tail);
}

/* Disjoint and huge: bypasses the caches. The fence orders the streamed stores before whatever
 * the caller publishes next; ordinary stores need none on x86. */
TARGET MEMLIFT_INLINE void NAME(stream)(unsigned char *d, const unsigned char *s, size_t n) {
  size_t skip = V - ((uintptr_t)d & (V - 1));
  unsigned char *u = d + n - 4 * V;
  STOREU(d, LOADU(s));
  const unsigned char *t = s + n - 4 * V;
  for (d += skip, s += skip; d < u; d += 4 * V, s += 4 * V) {
    VECTOR a = LOADU(s), b = LOADU(s + V), c = LOADU(s + 2 * V), e = LOADU(s + 3 * V);
    STREAM(d, a), STREAM(d + V, b), STREAM(d + 2 * V, c), STREAM(d + 3 * V, e);
  }
  _mm_sfence();
  VECTOR w = LOADU(t), x = LOADU(t + V), y = LOADU(t + 2 * V), z = LOADU(t + 3 * V);
  STOREU(u, w), STOREU(u + V, x), STOREU(u + 2 * V, y), STOREU(u + 3 * V, z);
}

TARGET MEMLIFT_INLINE void NAME(disjoint)(unsigned char *d, const unsigned char *s, size_t n) {
  if (n < MEMLIFT_REP_COPY_MIN)
    NAME(up)(d, s, n);
  else if (n < MEMLIFT_STREAM_COPY_MIN)
    rep_copy(d, s, n);
  else
    NAME(stream)(d, s, n);
}

TARGET MEMLIFT_KERNEL void NAME(memlift_copy)(void *dst, const void *src, size_t n) {
  unsigned char *d = (unsigned char *)dst;
  const unsigned char *s = (const unsigned char *)src;
  if (!NAME(small)(d, s, n) && d != s)
    NAME(disjoint)(d, s, n);
}

/* The differences wrap: each is at least n when the regions do not overlap in that direction. */
TARGET MEMLIFT_KERNEL void NAME(memlift_move)(void *dst, const void *src, size_t n) {
  unsigned char *d = (unsigned char *)dst;
  const unsigned char *s = (const unsigned char *)src;
  if (NAME(small)(d, s, n) || d == s)
    return;
  if ((uintptr_t)d - (uintptr_t)s < n)
    NAME(down)(d, s, n);
  else if ((uintptr_t)s - (uintptr_t)d < n)
    NAME(up)(d, s, n);
  else
    NAME(disjoint)(d, s, n);
}
