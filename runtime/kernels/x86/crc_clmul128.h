/* crc_clmul128.h - 16-byte vectors for CRCs (Westmere on)
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * LANES repeats 16 bytes, FIRST_LANE puts them before zeros; crc_lanes makes 16 bytes of a
 * whole vector, crc_finish the CRC. The rest is as in vec_sse2.h.
 */
#include "crc_undef.h"

#define V 16
#define NAME(op) op##_x86_clmul128
#define TARGET __attribute__((target("sse4.1,pclmul")))
#define VECTOR __m128i
#define LOADU(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define STOREU(p, v) _mm_storeu_si128((__m128i *)(void *)(p), v)
#define AND(a, b) _mm_and_si128(a, b)
#define SRL64(v, bits) _mm_srli_epi64(v, bits)
#define LOW64(a, b) _mm_unpacklo_epi64(a, b)
#define SPLAT64(x) _mm_set1_epi64x((long long)(x))
#define XOR(a, b) _mm_xor_si128(a, b)
#define XOR3(a, b, c) _mm_xor_si128(_mm_xor_si128(a, b), c)
#define SHUFFLE8(v, places) _mm_shuffle_epi8(v, places)
#define CLMUL(a, b, halves) _mm_clmulepi64_si128(a, b, halves)
#define LANES(x) (x)
#define FIRST_LANE(x) (x)
#define BY_VECTOR BY_128
#define BY_TWO_VECTORS BY_256
#define BY_THREE_VECTORS BY_384
#define BY_FOUR_VECTORS BY_512

TARGET MEMLIFT_INLINE __m128i NAME(crc_lanes)(__m128i v, const struct memlift_crc_poly *t) {
  (void)t;
  return v;
}

TARGET MEMLIFT_INLINE uint64_t NAME(crc_finish)(VECTOR v, const struct memlift_crc_poly *t,
                                                int up) {
  return finish(NAME(crc_lanes)(v, t), t, up);
}
