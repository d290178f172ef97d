/* crc_clmul512.h - 64-byte vectors for CRCs (Ice Lake, Zen 4 on)
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * LANES repeats 16 bytes, FIRST_LANE puts them before zeros; crc_lanes makes 16 bytes of a
 * whole vector, crc_finish the CRC. The rest is as in vec_sse2.h.
 */
#include "crc_undef.h"

#define V 64
#define NAME(op) op##_x86_clmul512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,bmi2,pclmul,vpclmulqdq")))
#define VECTOR __m512i
#define LOADU(p) _mm512_loadu_si512((const void *)(p))
#define STOREU(p, v) _mm512_storeu_si512((void *)(p), v)
#define AND(a, b) _mm512_and_si512(a, b)
#define SRL64(v, bits) _mm512_srli_epi64(v, bits)
#define LOW64(a, b) _mm512_unpacklo_epi64(a, b)
#define SPLAT64(x) _mm512_set1_epi64((long long)(x))
#define XOR(a, b) _mm512_xor_si512(a, b)
#define XOR3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define SHUFFLE8(v, places) _mm512_shuffle_epi8(v, places)
#define CLMUL(a, b, halves) _mm512_clmulepi64_epi128(a, b, halves)
#define LANES(x) _mm512_broadcast_i32x4(x)
#define FIRST_LANE(x) _mm512_zextsi128_si512(x)
#define BY_VECTOR BY_512
#define BY_TWO_VECTORS BY_1024
#define BY_THREE_VECTORS BY_1536
#define BY_FOUR_VECTORS BY_2048

TARGET MEMLIFT_INLINE __m128i NAME(crc_add_lanes)(__m512i v) {
  __m256i half = _mm256_xor_si256(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));
  return _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}

/* The three rows from BY_384 on are those of the first three lanes; the fourth has its place. */
TARGET MEMLIFT_INLINE __m128i NAME(crc_lanes)(__m512i v, const struct memlift_crc_poly *t) {
  __m512i k = _mm512_maskz_loadu_epi64(0x3f, t->fold[BY_384]);
  __m512i last = _mm512_maskz_mov_epi64(0xc0, v);
  return NAME(crc_add_lanes)(XOR3(CLMUL(v, k, 0x00), CLMUL(v, k, 0x11), last));
}

/* Returns the factors of the words of a vector, the lower one of each lane first, for v * x^64: not
 * reflected x^448, x^512, x^320, x^384, x^192, x^256, x^64 and x^128 modulo G; else
 * x^511, x^447 ... x^63, which is 1. All stand in the rows from BY_512 on. */
TARGET MEMLIFT_INLINE __m512i NAME(crc_words)(const struct memlift_crc_poly *t, int up) {
  const uint64_t *rows = t->fold[BY_512];
  if (!up)
    return _mm512_mask_loadu_epi64(_mm512_set1_epi64(1), 0x7f, rows + 1);
  const __m512i places = _mm512_set_epi64(6, 9, 4, 7, 2, 5, 0, 3);
  __m512i g = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)(const void *)(rows + 8)));
  return _mm512_permutex2var_epi64(LOADU(rows), places, g);
}

/* One step less than by way of 16 bytes. */
TARGET MEMLIFT_INLINE uint64_t NAME(crc_finish)(__m512i v, const struct memlift_crc_poly *t,
                                                int up) {
  __m512i k = NAME(crc_words)(t, up);
  return reduce(NAME(crc_add_lanes)(XOR(CLMUL(v, k, 0x00), CLMUL(v, k, 0x11))), t, up);
}
