/* few.h - x86 loads of fewer bytes than a vector has, without masks of bytes
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * No byte beside the region is read. Without AVX2: two loads that overlap, of which the bytes that
 * both have are taken out of the second one; each size class costs one branch. With AVX2: loads of
 * whole words by a mask, and the bytes after them from a load of the last four, in one branch for
 * up to 63 bytes. On a Zen 5, sizes of 0 to 16 and 0 to 64 at random, sums of bytes take 10 and 7
 * ticks, by size classes 19 and 21.
 */
#ifndef MEMLIFT_X86_FEW_H
#define MEMLIFT_X86_FEW_H

#include "small.h"

#include <immintrin.h>

#pragma GCC visibility push(hidden)
/* The 64 bytes from n on keep the last n of two vectors: 64 - n zeros, then ones. */
extern const unsigned char memlift_few_kept[128];
/* From 16 - k on k words of ones, then zeros. */
extern const int32_t memlift_few_words[32];
/* From 15 - k on only the word k is one. */
extern const int32_t memlift_few_word[31];
#pragma GCC visibility pop

/* 0 <= n <= 8: the bytes, lowest first, and zeros. */
MEMLIFT_INLINE uint64_t few_up_to_8(const unsigned char *p, size_t n) {
  if (n >= 4) {
    const uint64_t last = *(const x86_u32 *)(p + n - 4);
    return *(const x86_u32 *)p | last >> 8 * (8 - n) << 32;
  }
  return n ? p[0] | (uint64_t)p[n / 2] << 8 * (n / 2) | (uint64_t)p[n - 1] << 8 * (n - 1) : 0;
}

/* 0 <= n <= 16: likewise. */
MEMLIFT_INLINE __m128i few_up_to_16(const unsigned char *p, size_t n) {
  if (n <= 8)
    return _mm_set_epi64x(0, (long long)few_up_to_8(p, n));
  const uint64_t last = *(const x86_u64 *)(p + n - 8) >> 8 * (16 - n);
  return _mm_set_epi64x((long long)last, (long long)*(const x86_u64 *)p);
}

/* The last `kept` of the 16 bytes that end at `end`, after zeros; at most 16. */
MEMLIFT_INLINE __m128i few_last_16(const unsigned char *end, size_t kept) {
  const __m128i mask =
      _mm_loadu_si128((const __m128i *)(const void *)(memlift_few_kept + 48 + kept));
  return _mm_and_si128(mask, _mm_loadu_si128((const __m128i *)(const void *)(end - 16)));
}

#define TARGET_256 __attribute__((target("avx2")))

/* The bytes of whole words at p, as the mask has them, and `rest` as the word after the last one.
 * Words that a mask leaves out are not read. */
TARGET_256 MEMLIFT_INLINE __m256i few_words_and(const unsigned char *p, const int32_t *mask,
                                                __m256i rest, const int32_t *next) {
  const __m256i kept = _mm256_loadu_si256((const __m256i *)(const void *)mask);
  const __m256i words = _mm256_maskload_epi32((const int *)(const void *)p, kept);
  return _mm256_or_si256(
      words, _mm256_and_si256(rest, _mm256_loadu_si256((const __m256i *)(const void *)next)));
}

/* 4 <= n: the bytes after the whole words of n bytes, which are the end of the last four. */
TARGET_256 MEMLIFT_INLINE __m256i few_after_words(const unsigned char *p, size_t n) {
  const uint64_t last = *(const x86_u32 *)(p + n - 4);
  return _mm256_set1_epi32((int)(last >> 8 * (4 - n % 4)));
}

/* 0 <= n < 32: the bytes, lowest first, and zeros. One branch. */
TARGET_256 MEMLIFT_INLINE __m256i few_x86_avx2(const unsigned char *p, size_t n) {
  if (n < 4)
    return _mm256_zextsi128_si256(_mm_cvtsi64_si128((long long)few_up_to_8(p, n)));
  return few_words_and(p, memlift_few_words + 16 - n / 4, few_after_words(p, n),
                       memlift_few_word + 15 - n / 4);
}

/* 0 <= n < 64: likewise, the second half in *second. */
TARGET_256 MEMLIFT_INLINE __m256i few_two_x86_avx2(const unsigned char *p, size_t n,
                                                   __m256i *second) {
  *second = _mm256_setzero_si256();
  if (n < 4)
    return _mm256_zextsi128_si256(_mm_cvtsi64_si128((long long)few_up_to_8(p, n)));
  const __m256i rest = few_after_words(p, n);
  *second =
      few_words_and(p + 32, memlift_few_words + 24 - n / 4, rest, memlift_few_word + 23 - n / 4);
  return few_words_and(p, memlift_few_words + 16 - n / 4, rest, memlift_few_word + 15 - n / 4);
}
#undef TARGET_256

#endif
