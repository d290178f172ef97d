/* crc_reduce.h - sixteen bytes of input as polynomials, and their remainder by the generator
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The method is in crc_x86.c.
 */
#ifndef MEMLIFT_CRC_REDUCE_H
#define MEMLIFT_CRC_REDUCE_H

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

/* a * b modulo G; reflected, a * b * x. */
TARGET16 MEMLIFT_INLINE uint64_t times(uint64_t a, uint64_t b, const struct memlift_crc_poly *t,
                                       int up) {
  return reduce(_mm_clmulepi64_si128(word(a), word(b), 0x00), t, up);
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

#endif
