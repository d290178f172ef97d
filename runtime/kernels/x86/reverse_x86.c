/* reverse_x86.c - copies of words in reverse order for x86-64, one variant per vector width
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The method is in reverse_impl.h.
 */
#if defined(__x86_64__)
#include "../generic/reverse.h"

#include <immintrin.h>

/* Numbers of the source bytes, in the order of the destination, for each sixteen. */
MEMLIFT_INLINE const unsigned char *reverse_numbers(unsigned bytes) {
  static const unsigned char numbers[4][16] = {
      {15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0},
      {14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1},
      {12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3},
      {8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7}};
  return numbers[bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3];
}

/* Reverses the words of a vector. SSE2 has no shuffle of bytes: there, words of 16 bits change
 * places within each half, then the halves, and bytes within their words. */
MEMLIFT_INLINE __m128i reverse_vector_x86_sse2(__m128i v, unsigned bytes) {
  if (bytes == 8)
    return _mm_shuffle_epi32(v, 0x4e);
  if (bytes == 4)
    return _mm_shuffle_epi32(v, 0x1b);
  v = _mm_shufflelo_epi16(_mm_shufflehi_epi16(v, 0x1b), 0x1b);
  v = _mm_shuffle_epi32(v, 0x4e);
  return bytes == 2 ? v : _mm_or_si128(_mm_slli_epi16(v, 8), _mm_srli_epi16(v, 8));
}

__attribute__((target("avx2"))) MEMLIFT_INLINE __m256i reverse_vector_x86_avx2(__m256i v,
                                                                               unsigned bytes) {
  __m128i from = _mm_loadu_si128((const __m128i *)(const void *)reverse_numbers(bytes));
  v = _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(from));
  return _mm256_permute4x64_epi64(v, 0x4e);
}

__attribute__((target("avx512f,avx512bw,avx512vl,bmi2"))) MEMLIFT_INLINE __m512i
reverse_vector_x86_avx512(__m512i v, unsigned bytes) {
  __m128i from = _mm_loadu_si128((const __m128i *)(const void *)reverse_numbers(bytes));
  v = _mm512_shuffle_epi8(v, _mm512_broadcast_i32x4(from));
  return _mm512_shuffle_i64x2(v, v, 0x1b);
}

#include "vec_sse2.h"
#include "reverse_impl.h"

#include "vec_avx2.h"
#include "reverse_impl.h"

#include "vec_avx512.h"
#include "reverse_impl.h"
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
