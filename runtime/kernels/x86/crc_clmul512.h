/* crc_clmul512.h - 64-byte vectors for CRCs (Ice Lake, Zen 4 on)
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * LANES repeats 16 bytes, FIRST_LANE puts them in front of zeros; crc_lanes makes 16 bytes of a
 * whole vector. The rest is as in vec_sse2.h.
 */
#include "crc_undef.h"

#define V 64
#define NAME(op) op##_x86_clmul512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,bmi2,pclmul,vpclmulqdq")))
#define VECTOR __m512i
#define LOADU(p) _mm512_loadu_si512((const void *)(p))
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

/* The three rows from BY_384 on are those of the first three lanes; the fourth has its place. */
TARGET MEMLIFT_INLINE __m128i NAME(crc_lanes)(__m512i v, const struct memlift_crc_poly *t) {
  __m512i k = _mm512_maskz_loadu_epi64(0x3f, t->fold[BY_384]);
  __m512i last = _mm512_maskz_mov_epi64(0xc0, v);
  __m512i sum = XOR3(CLMUL(v, k, 0x00), CLMUL(v, k, 0x11), last);
  __m256i half = _mm256_xor_si256(_mm512_castsi512_si256(sum), _mm512_extracti64x4_epi64(sum, 1));
  return _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}
