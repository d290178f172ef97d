/* crc_x86.c - any CRC of 8 to 64 bits by carry-less multiplication, for x86-64
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Naive: shift the register by one bit for each bit of the input. A table does eight bits by one
 * look-up (crc_generic.c: eight tables, eight bytes), but each step waits for the one before.
 *
 * The bits of the input are the coefficients of a polynomial over GF(2), and the register is that
 * polynomial's remainder. Addition is exclusive-or, and a carry-less product multiplies. A register
 * of fewer than 64 bits is the upper part of one of 64, of the generator G times a power of x: so
 * one piece of code does for all widths.
 *
 * Sixteen bytes A, read as a polynomial of degree 127, that are followed by D more bits count as
 * A * x^D: its halves times x^(D + 64) and x^D modulo G are 127 bits at the most and may be added
 * to the sixteen bytes that lie D bits further on. So the input shrinks to sixteen bytes, whatever
 * its length, and these times x^64 modulo G (two products by Barrett's method) are the CRC.
 *
 * Reflected, the powers of x fall from bit 0 to bit 63, and a product of two such words comes out
 * one bit lower than the words have it: the constants hold x^(D - 1) to make up for that.
 *
 * The method: V. Gopal et al., "Fast CRC computation for generic polynomials using PCLMULQDQ
 * instruction", Intel, 2009.
 */
#if defined(__x86_64__)
#include "../crc_words.h"

#include <immintrin.h>

#define TARGET16 __attribute__((target("sse4.1,pclmul")))

static const unsigned char reverse_bytes[16] = {15, 14, 13, 12, 11, 10, 9, 8,
                                                7,  6,  5,  4,  3,  2,  1, 0};

/* pshufb with 16 bytes from slide + 16 + r moves bytes down by r, from slide + 16 - r up. */
static const unsigned char slide[48] = {
    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
    0,    1,    2,    3,    4,    5,    6,    7,    8,    9,    10,   11,   12,   13,   14,   15,
    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};

TARGET16 MEMLIFT_INLINE __m128i load16(const void *p, int up) {
  __m128i v = _mm_loadu_si128((const __m128i *)p);
  return up ? _mm_shuffle_epi8(v, _mm_loadu_si128((const __m128i *)(const void *)reverse_bytes))
            : v;
}

TARGET16 MEMLIFT_INLINE __m128i fold16(__m128i v, __m128i k, __m128i more) {
  __m128i low = _mm_clmulepi64_si128(v, k, 0x00), high = _mm_clmulepi64_si128(v, k, 0x11);
  return _mm_xor_si128(_mm_xor_si128(low, high), more);
}

/* Appends the last n bytes, 1 to 15, to x; at least 16 bytes lie before their end. The bytes of x
 * that they push out at its start are folded by 128 bits. */
TARGET16 MEMLIFT_INLINE __m128i append(__m128i x, __m128i by16, const unsigned char *p, size_t n,
                                       int up) {
  const unsigned char *out = up ? slide + 32 - n : slide + n;
  const unsigned char *on = up ? slide + 16 - n : slide + 16 + n;
  __m128i last = load16(p + n - 16, up);
  __m128i to_front = _mm_loadu_si128((const __m128i *)(const void *)out);
  __m128i front = _mm_shuffle_epi8(x, to_front);
  __m128i rest = _mm_shuffle_epi8(x, _mm_loadu_si128((const __m128i *)(const void *)on));
  return fold16(front, by16, _mm_blendv_epi8(last, rest, to_front));
}

TARGET16 MEMLIFT_INLINE __m128i word(uint64_t low) { return _mm_cvtsi64_si128((long long)low); }

/* y modulo G: q is its quotient. Reflected, the constants have x^64 in bit 0, so that products come
 * out where words have them, and x^0 of G has fallen out of its word: q makes up for it. */
TARGET16 MEMLIFT_INLINE uint64_t reduce(__m128i y, const struct memlift_crc_poly *t, int up) {
  __m128i k = _mm_loadu_si128((const __m128i *)(const void *)t->fold[BARRETT]);
  if (up) {
    __m128i q = _mm_xor_si128(y, _mm_clmulepi64_si128(y, k, 0x01));
    return (uint64_t)_mm_cvtsi128_si64(_mm_xor_si128(y, _mm_clmulepi64_si128(q, k, 0x11)));
  }
  __m128i q = _mm_clmulepi64_si128(y, k, 0x00);
  const __m128i has_one = _mm_set1_epi64x(0 - (long long)(t->poly >> 63));
  __m128i last = _mm_and_si128(_mm_slli_si128(q, 8), has_one);
  __m128i rest = _mm_xor_si128(_mm_xor_si128(y, last), _mm_clmulepi64_si128(q, k, 0x10));
  return (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(rest, rest));
}

/* x * x^64 modulo G. */
TARGET16 MEMLIFT_INLINE uint64_t finish(__m128i x, const struct memlift_crc_poly *t, int up) {
  __m128i k = _mm_loadu_si128((const __m128i *)(const void *)t->fold[BY_128]);
  __m128i y = up ? _mm_xor_si128(_mm_clmulepi64_si128(x, k, 0x01), _mm_slli_si128(x, 8))
                 : _mm_xor_si128(_mm_clmulepi64_si128(x, k, 0x10), _mm_srli_si128(x, 8));
  return reduce(y, t, up);
}

/* As crc_short.h wants them. */
TARGET16 MEMLIFT_INLINE __m128i words(uint64_t high, uint64_t low, int up) {
  return up ? _mm_set_epi64x((long long)high, (long long)low)
            : _mm_set_epi64x((long long)low, (long long)high);
}

#define CRC_TARGET TARGET16
#include "../crc_short.h"

/* ---- the constants, made at run time ------------------------------------------------------ */

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

/* a * b modulo G; reflected, a * b * x. */
TARGET16 MEMLIFT_INLINE uint64_t times(uint64_t a, uint64_t b, const struct memlift_crc_poly *t,
                                       int up) {
  return reduce(_mm_clmulepi64_si128(word(a), word(b), 0x00), t, up);
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

#include "crc_clmul128.h"
#include "crc_impl.h"

#include "crc_clmul256.h"
#include "crc_impl.h"

#include "crc_clmul512.h"
#include "crc_impl.h"
#include "crc32c_fused.h"
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
