/* crc_clmul256.h - 32-byte vectors for CRCs (Alder Lake, Zen 3 on)
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * LANES repeats 16 bytes, FIRST_LANE puts them before zeros; crc_lanes makes 16 bytes of a
 * whole vector, crc_finish the CRC. The rest is as in vec_sse2.h.
 */
#include "crc_undef.h"

#define V 32
#define NAME(op) op##_x86_clmul256
#define TARGET __attribute__((target("avx2,pclmul,vpclmulqdq")))
#define VECTOR __m256i
#define LOADU(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define STOREU(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define AND(a, b) _mm256_and_si256(a, b)
#define SRL64(v, bits) _mm256_srli_epi64(v, bits)
#define LOW64(a, b) _mm256_unpacklo_epi64(a, b)
#define SPLAT64(x) _mm256_set1_epi64x((long long)(x))
#define XOR(a, b) _mm256_xor_si256(a, b)
#define XOR3(a, b, c) _mm256_xor_si256(_mm256_xor_si256(a, b), c)
#define SHUFFLE8(v, places) _mm256_shuffle_epi8(v, places)
#define CLMUL(a, b, halves) _mm256_clmulepi64_epi128(a, b, halves)
#define LANES(x) _mm256_broadcastsi128_si256(x)
#define FIRST_LANE(x) _mm256_inserti128_si256(_mm256_setzero_si256(), x, 0)
#define BY_VECTOR BY_256
#define BY_TWO_VECTORS BY_512
#define BY_FOUR_VECTORS BY_1024

TARGET MEMLIFT_INLINE __m128i NAME(crc_lanes)(__m256i v, const struct memlift_crc_poly *t) {
  __m128i by16 = _mm_loadu_si128((const __m128i *)(const void *)t->fold[BY_128]);
  return fold16(_mm256_castsi256_si128(v), by16, _mm256_extracti128_si256(v, 1));
}

TARGET MEMLIFT_INLINE uint64_t NAME(crc_finish)(VECTOR v, const struct memlift_crc_poly *t,
                                                int up) {
  return finish(NAME(crc_lanes)(v, t), t, up);
}
