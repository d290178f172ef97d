/* fill_impl.h - fills over vectors of V bytes; body of each ISA's variant
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A value of 8 bytes fits into every vector; a vector that starts k bytes into the fill holds it
 * turned by k % 8. So: one vector at the front, four at the back (turned by n, since V is a
 * multiple of 8), aligned ones (turned by the distance to the first aligned address) between.
 */

TARGET MEMLIFT_INLINE void NAME(fill_large)(unsigned char *d, uint64_t pattern, size_t n) {
  unsigned char *u = d + n - 4 * V;
  size_t skip = V - ((uintptr_t)d & (V - 1));
  VECTOR tail = SPLAT64(memlift_rotate_pattern(pattern, n));
  VECTOR body = SPLAT64(memlift_rotate_pattern(pattern, skip));
  STOREU(d, SPLAT64(pattern));
  for (d += skip; d < u; d += 4 * V)
    STOREA(d, body), STOREA(d + V, body), STOREA(d + 2 * V, body), STOREA(d + 3 * V, body);
  STOREU(u, tail), STOREU(u + V, tail), STOREU(u + 2 * V, tail), STOREU(u + 3 * V, tail);
}

TARGET MEMLIFT_INLINE void NAME(fill_stream)(unsigned char *d, uint64_t pattern, size_t n) {
  unsigned char *u = d + n - 4 * V;
  size_t skip = V - ((uintptr_t)d & (V - 1));
  VECTOR tail = SPLAT64(memlift_rotate_pattern(pattern, n));
  VECTOR body = SPLAT64(memlift_rotate_pattern(pattern, skip));
  STOREU(d, SPLAT64(pattern));
  for (d += skip; d < u; d += 4 * V)
    STREAM(d, body), STREAM(d + V, body), STREAM(d + 2 * V, body), STREAM(d + 3 * V, body);
  _mm_sfence();
  STOREU(u, tail), STOREU(u + V, tail), STOREU(u + 2 * V, tail), STOREU(u + 3 * V, tail);
}

TARGET MEMLIFT_KERNEL void NAME(memlift_fill)(void *dst, uint64_t pattern, size_t n) {
  unsigned char *d = (unsigned char *)dst;
  if (n <= 16) {
    fill_up_to_16(d, pattern, n);
    return;
  }
  uint64_t turned = memlift_rotate_pattern(pattern, n);
  if (n <= 32) {
    _mm_storeu_si128((__m128i *)(void *)d, _mm_set1_epi64x((long long)pattern));
    _mm_storeu_si128((__m128i *)(void *)(d + n - 16), _mm_set1_epi64x((long long)turned));
    return;
  }
#if V >= 64
  if (n <= 64) {
    _mm256_storeu_si256((__m256i *)(void *)d, _mm256_set1_epi64x((long long)pattern));
    _mm256_storeu_si256((__m256i *)(void *)(d + n - 32), _mm256_set1_epi64x((long long)turned));
    return;
  }
#endif
  VECTOR a = SPLAT64(pattern), z = SPLAT64(turned);
  if (n <= 2 * V) {
    STOREU(d, a), STOREU(d + n - V, z);
    return;
  }
  if (n <= 4 * V) {
    STOREU(d, a), STOREU(d + V, a), STOREU(d + n - 2 * V, z), STOREU(d + n - V, z);
    return;
  }
  if (n < MEMLIFT_REP_FILL_MIN)
    NAME(fill_large)(d, pattern, n);
  else if (n < MEMLIFT_STREAM_FILL_MIN)
    rep_fill(d, pattern, n);
  else
    NAME(fill_stream)(d, pattern, n);
}

/* Period 3, 5, 6 or 7. What stands period * V bytes back (period vectors) is the same and equally
 * aligned: write that much word by word, each word a whole number of periods after the one
 * before, then copy it forward with aligned vectors. */
TARGET MEMLIFT_KERNEL void NAME(memlift_pattern)(void *dst, uint64_t pattern, unsigned period,
                                                 size_t n) {
  unsigned char *d = (unsigned char *)dst, *end = d + n;
  const size_t back = (size_t)period * V;
  size_t start = pattern_words(d, pattern, period, n, back + V);
  if (start == n)
    return;
  unsigned char *p = d + back + (-(uintptr_t)(d + back) & (V - 1));
  for (; end - p >= 4 * V; p += 4 * V) {
    /* period >= 3 vectors back: the fourth may read what the first has written */
    VECTOR a = LOADA(p - back), b = LOADA(p + V - back), c = LOADA(p + 2 * V - back);
    STOREA(p, a), STOREA(p + V, b), STOREA(p + 2 * V, c);
    STOREA(p + 3 * V, LOADA(p + 3 * V - back));
  }
  for (; end - p >= V; p += V)
    STOREA(p, LOADA(p - back));
  if (p < end)
    STOREU(end - V, LOADU(end - V - back));
}
