/* inet_vnni.h - sixteen-bit words added up by AVX512-VNNI, for vectors of vec_avx512.h
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * vpdpwssd adds two products of signed 16-bit words to each 32-bit lane. A word with its top bit
 * inverted is 2^15 less; 1 is the other factor. A lane of one of four sums gets 2^16 at most from
 * each of VNNI_BLOCK / V / 4 vectors; all four together stay below 2^31.
 */
#define VNNI_BLOCK ((size_t)4096 * 4 * V)
#define TARGET_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))

TARGET_VNNI MEMLIFT_INLINE __m512i vnni(__m512i sum, __m512i v) {
  __m512i turned = XOR(v, SPLAT64(0x8000800080008000u));
  return _mm512_dpwssd_epi32(sum, turned, SPLAT64(0x0001000100010001u));
}

/* Signed 32-bit lanes. */
TARGET_VNNI MEMLIFT_INLINE uint64_t vnni_lanes(__m512i v) {
  __m512i odd = _mm512_srai_epi64(v, 32), even = _mm512_srai_epi64(SLL64(v, 32), 32);
  return SUM64(ADD64(odd, even));
}
