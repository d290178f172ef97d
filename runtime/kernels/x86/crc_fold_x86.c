/* crc_fold_x86.c - the constants for carry-less multiplication of any generator, made at run time
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The method is in crc_x86.c. A generator that the compiler knows has its constants in the program.
 */
#if defined(__x86_64__)
#include "crc_reduce.h"

/* 1 / w among the power series modulo x^64, bit i for x^i and bit 0 of w set. Newton's method:
 * f * f * w is right in twice as many terms as f, since 2 is 0. */
TARGET16 MEMLIFT_INLINE uint64_t inverse(uint64_t w) {
  __m128i f = word(1), by = word(w);
  for (int terms = 1; terms < 64; terms *= 2)
    f = _mm_clmulepi64_si128(_mm_clmulepi64_si128(f, f, 0x00), by, 0x00);
  return (uint64_t)_mm_cvtsi128_si64(f);
}

MEMLIFT_INLINE uint64_t mirrored(uint64_t x) {
  x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
  x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
  return __builtin_bswap64(x);
}

/* x^128 / G and G, as memlift.h has them. Mirrored, a quotient of powers is that of two power
 * series; G without x^0 is enough for the first 64 terms. What G lacks then decides the last. */
TARGET16 MEMLIFT_INLINE void barrett(struct memlift_crc_poly *t, uint64_t g, int up) {
  uint64_t divisor = (up ? mirrored(g) : g) << 1 | 1, series = inverse(divisor);
  uint64_t last = (uint64_t)__builtin_parityll(g & series);
  t->fold[BARRETT][0] = up ? mirrored(series) << 1 | last : series;
  t->fold[BARRETT][1] = up ? g : divisor;
}

/* Sets the row for a distance of D bits: x^D, reflected x^(D - 1), and that times x^64. */
TARGET16 MEMLIFT_INLINE uint64_t distance(struct memlift_crc_poly *t, enum fold_by by, uint64_t a,
                                          uint64_t b, uint64_t by64, int up) {
  uint64_t d = times(a, b, t, up);
  t->fold[by][up ? 0 : 1] = d;
  t->fold[by][up ? 1 : 0] = times(d, by64, t, up);
  return d;
}

TARGET16 MEMLIFT_INLINE void derive(struct memlift_crc_poly *t, int up) {
  uint64_t g = up ? t->poly << (64 - t->width) : t->poly, by64 = up ? g : 1;
  barrett(t, g, up);
  uint64_t d128 = distance(t, BY_128, by64, by64, by64, up);
  uint64_t d256 = distance(t, BY_256, d128, d128, by64, up);
  uint64_t d512 = distance(t, BY_512, d256, d256, by64, up);
  uint64_t d1024 = distance(t, BY_1024, d512, d512, by64, up);
  distance(t, BY_384, d256, d128, by64, up);
  distance(t, BY_1536, d1024, d512, by64, up);
  distance(t, BY_2048, d1024, d1024, by64, up);
}

TARGET16 MEMLIFT_KERNEL void memlift_crc_fold_x86(struct memlift_crc_poly *t, uint64_t poly,
                                                  unsigned width, int reflected) {
  t->width = width;
  t->reflected = (uint32_t)reflected;
  t->poly = poly;
  if (reflected)
    derive(t, 0);
  else
    derive(t, 1);
}
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
