/* few.h - x86 loads of fewer bytes than a vector has, without masked instructions
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Two accesses that overlap, of which the bytes that both have are taken out of the second one: no
 * byte beside the region is read. Each size class costs one branch.
 */
#ifndef MEMLIFT_X86_FEW_H
#define MEMLIFT_X86_FEW_H

#include "small.h"

#include <immintrin.h>

/* The 32 bytes from n on keep the last n of a vector: 32 - n zeros, then ones. */
static const unsigned char few_kept[64] __attribute__((aligned(64), unused)) = {
    [32] = 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255,        255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

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
  const __m128i mask = _mm_loadu_si128((const __m128i *)(const void *)(few_kept + 16 + kept));
  return _mm_and_si128(mask, _mm_loadu_si128((const __m128i *)(const void *)(end - 16)));
}

/* 0 <= n < 32: the first 16 bytes, and the rest at the end of the upper half. */
__attribute__((target("avx2"))) MEMLIFT_INLINE __m256i few_x86_avx2(const unsigned char *p,
                                                                    size_t n) {
  if (n <= 16)
    return _mm256_zextsi128_si256(few_up_to_16(p, n));
  const __m128i first = _mm_loadu_si128((const __m128i *)(const void *)p);
  return _mm256_set_m128i(few_last_16(p + n, n - 16), first);
}

/* 0 <= n < 32: all in order. */
__attribute__((target("avx2"))) MEMLIFT_INLINE __m256i few_in_order_x86_avx2(const unsigned char *p,
                                                                             size_t n) {
  if (n <= 16)
    return _mm256_zextsi128_si256(few_up_to_16(p, n));
  const __m128i first = _mm_loadu_si128((const __m128i *)(const void *)p);
  return _mm256_set_m128i(few_up_to_16(p + 16, n - 16), first);
}

#endif
