/* lanes.h - the 64-bit lanes of a vector brought into one word
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Halves of halves in registers: to store the lanes and to read them one by one takes twice as
 * long. vec_*.h call them SUM64 and XOR64.
 */
#ifndef MEMLIFT_LANES_H
#define MEMLIFT_LANES_H

#include "../kernels.h"

#include <immintrin.h>

/* Keeps a loaded vector in a register; vec_*.h call it ONCE. GCC would otherwise load a vector that
 * is used twice a second time, and each load may straddle two lines. */
#define MEMLIFT_ONCE(v) __asm__("" : "+v"(v))

MEMLIFT_INLINE uint64_t memlift_sum64_128(__m128i v) {
  return (uint64_t)_mm_cvtsi128_si64(_mm_add_epi64(v, _mm_unpackhi_epi64(v, v)));
}

MEMLIFT_INLINE uint64_t memlift_xor64_128(__m128i v) {
  return (uint64_t)_mm_cvtsi128_si64(_mm_xor_si128(v, _mm_unpackhi_epi64(v, v)));
}

#define TARGET_256 __attribute__((target("avx2")))

TARGET_256 MEMLIFT_INLINE uint64_t memlift_sum64_256(__m256i v) {
  __m128i high = _mm256_extracti128_si256(v, 1);
  return memlift_sum64_128(_mm_add_epi64(_mm256_castsi256_si128(v), high));
}

TARGET_256 MEMLIFT_INLINE uint64_t memlift_xor64_256(__m256i v) {
  __m128i high = _mm256_extracti128_si256(v, 1);
  return memlift_xor64_128(_mm_xor_si128(_mm256_castsi256_si128(v), high));
}

#define TARGET_512 __attribute__((target("avx512f,avx512bw,avx512vl")))

TARGET_512 MEMLIFT_INLINE uint64_t memlift_sum64_512(__m512i v) {
  __m256i high = _mm512_extracti64x4_epi64(v, 1);
  return memlift_sum64_256(_mm256_add_epi64(_mm512_castsi512_si256(v), high));
}

TARGET_512 MEMLIFT_INLINE uint64_t memlift_xor64_512(__m512i v) {
  __m256i high = _mm512_extracti64x4_epi64(v, 1);
  return memlift_xor64_256(_mm256_xor_si256(_mm512_castsi512_si256(v), high));
}

#undef TARGET_256
#undef TARGET_512

#endif
