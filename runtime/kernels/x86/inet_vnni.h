/* inet_vnni.h - sixteen-bit words added up by AVX512-VNNI, for vectors of vec_avx512.h
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * vpdpwssd adds two products of signed 16-bit words to each 32-bit lane. A word with its top bit
 * inverted is 2^15 less; 1 is the other factor. The 2^16 words of VNNI_BLOCK, half of them to each
 * of the last two lanes, stay within 2^30 on either side of 0; there is room for another block.
 */
#define VNNI_BLOCK ((size_t)2048 * V)
#define TARGET_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,bmi2,avx512vnni")))

/* Made once, not again behind each jump. */
struct vnni_words {
  __m512i turn, one;
};

TARGET_VNNI MEMLIFT_INLINE struct vnni_words vnni_words(void) {
  struct vnni_words k = {_mm512_set1_epi32((int)0x80008000u), _mm512_set1_epi32(0x00010001)};
  __asm__("" : "+v"(k.turn), "+v"(k.one));
  return k;
}

/* Written out: GCC 12 copies the sum before and after the intrinsic, in loops too. */
TARGET_VNNI MEMLIFT_INLINE __m512i vnni(__m512i sum, __m512i v, const struct vnni_words *k) {
  __asm__("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(XOR(v, k->turn)), "v"(k->one));
  return sum;
}

/* The sum of signed 32-bit lanes, each half of which fits into one. */
TARGET_VNNI MEMLIFT_INLINE uint64_t vnni_lanes(__m512i v) {
  __m256i w = _mm256_add_epi32(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));
  __m128i x = _mm_add_epi32(_mm256_castsi256_si128(w), _mm256_extracti128_si256(w, 1));
  int64_t two = _mm_cvtsi128_si64(_mm_add_epi32(x, _mm_unpackhi_epi64(x, x)));
  return (uint64_t)((int32_t)two + (two >> 32));
}
