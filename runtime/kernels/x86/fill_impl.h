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
  else
    rep_fill(d, pattern, n);
}

/* Period 3, 5, 6 or 7: it takes `period` vectors (3 are enough for 6) until the pattern and V are
 * in step again. Each of them is the pattern from some phase on, so an unaligned load from a
 * little more than a vector of pattern; the loop keeps them in registers. */
#define PHASE(bytes) LOADU(unit + (phase + (bytes)) % period)

TARGET MEMLIFT_INLINE unsigned char *NAME(pattern_3)(unsigned char *p, const unsigned char *end,
                                                     const unsigned char *unit, unsigned phase,
                                                     unsigned period) {
  VECTOR a = PHASE(0), b = PHASE(V), c = PHASE(2 * V);
  for (; end - p >= 3 * V; p += 3 * V)
    STOREA(p, a), STOREA(p + V, b), STOREA(p + 2 * V, c);
  return p;
}

TARGET MEMLIFT_INLINE unsigned char *NAME(pattern_5)(unsigned char *p, const unsigned char *end,
                                                     const unsigned char *unit, unsigned phase) {
  const unsigned period = 5;
  VECTOR a = PHASE(0), b = PHASE(V), c = PHASE(2 * V), e = PHASE(3 * V), f = PHASE(4 * V);
  for (; end - p >= 5 * V; p += 5 * V) {
    STOREA(p, a), STOREA(p + V, b), STOREA(p + 2 * V, c), STOREA(p + 3 * V, e);
    STOREA(p + 4 * V, f);
  }
  return p;
}

TARGET MEMLIFT_INLINE unsigned char *NAME(pattern_7)(unsigned char *p, const unsigned char *end,
                                                     const unsigned char *unit, unsigned phase) {
  const unsigned period = 7;
  VECTOR a = PHASE(0), b = PHASE(V), c = PHASE(2 * V), e = PHASE(3 * V), f = PHASE(4 * V);
  VECTOR g = PHASE(5 * V), h = PHASE(6 * V);
  for (; end - p >= 7 * V; p += 7 * V) {
    STOREA(p, a), STOREA(p + V, b), STOREA(p + 2 * V, c), STOREA(p + 3 * V, e);
    STOREA(p + 4 * V, f), STOREA(p + 5 * V, g), STOREA(p + 6 * V, h);
  }
  return p;
}

TARGET MEMLIFT_KERNEL void NAME(memlift_pattern)(void *dst, uint64_t pattern, unsigned period,
                                                 size_t n) {
  unsigned char *d = (unsigned char *)dst, *end = d + n;
  unsigned char unit[V + 8]; /* a vector from each of 7 phases */
  if (n <= 4 * V) {
    pattern_words(d, pattern, period, n);
    return;
  }
  pattern_words(unit, pattern, period, sizeof unit);
  unsigned phase = V - (unsigned)((uintptr_t)d & (V - 1));
  unsigned char *p = d + phase;
  STOREU(d, LOADU(unit));
  if (period == 5)
    p = NAME(pattern_5)(p, end, unit, phase);
  else if (period == 7)
    p = NAME(pattern_7)(p, end, unit, phase);
  else
    p = NAME(pattern_3)(p, end, unit, phase, period);
  for (; end - p >= V; p += V, phase += V)
    STOREA(p, PHASE(0)); /* a whole round of vectors brings the phase back to where it was */
  STOREU(end - V, LOADU(unit + (n - V) % period));
}

#undef PHASE
