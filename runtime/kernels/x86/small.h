/* small.h - x86 moves and fills of up to 64 bytes: two or four overlapping accesses, no loop
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * n bytes with w <= n <= 2w are one access of w bytes at the front and one at the back. All loads
 * come before all stores, so this is right for any overlap. Each size class costs one branch.
 */
#ifndef MEMLIFT_X86_SMALL_H
#define MEMLIFT_X86_SMALL_H

#include "../kernels.h"

#include <emmintrin.h>

#define SMALL_MOST 64

typedef uint16_t __attribute__((may_alias, aligned(1))) x86_u16;
typedef uint32_t __attribute__((may_alias, aligned(1))) x86_u32;
typedef uint64_t __attribute__((may_alias, aligned(1))) x86_u64;

/* 0 <= n <= 16. The likelihoods say where code lies: the tests follow one another, and each size
 * jumps once. */
MEMLIFT_INLINE void move_up_to_16(unsigned char *d, const unsigned char *s, size_t n) {
  if (MEMLIFT_UNLIKELY(n >= 8)) {
    uint64_t a = *(const x86_u64 *)s, b = *(const x86_u64 *)(s + n - 8);
    *(x86_u64 *)d = a, *(x86_u64 *)(d + n - 8) = b;
  } else if (MEMLIFT_UNLIKELY(n >= 4)) {
    uint32_t a = *(const x86_u32 *)s, b = *(const x86_u32 *)(s + n - 4);
    *(x86_u32 *)d = a, *(x86_u32 *)(d + n - 4) = b;
  } else if (MEMLIFT_UNLIKELY(n >= 2)) {
    uint16_t a = *(const x86_u16 *)s, b = *(const x86_u16 *)(s + n - 2);
    *(x86_u16 *)d = a, *(x86_u16 *)(d + n - 2) = b;
  } else if (MEMLIFT_LIKELY(n == 1)) {
    *d = *s;
  }
}

/* 16 <= n <= 32 */
MEMLIFT_INLINE void move_16_to_32(unsigned char *d, const unsigned char *s, size_t n) {
  __m128i a = _mm_loadu_si128((const __m128i *)(const void *)s);
  __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(s + n - 16));
  _mm_storeu_si128((__m128i *)(void *)d, a);
  _mm_storeu_si128((__m128i *)(void *)(d + n - 16), b);
}

/* 0 <= n <= 32 */
MEMLIFT_INLINE void move_up_to_32(unsigned char *d, const unsigned char *s, size_t n) {
  if (MEMLIFT_UNLIKELY(n >= 16))
    move_16_to_32(d, s, n);
  else
    move_up_to_16(d, s, n);
}

/* 32 <= n <= 64 */
MEMLIFT_INLINE void move_32_to_64(unsigned char *d, const unsigned char *s, size_t n) {
  __m128i a = _mm_loadu_si128((const __m128i *)(const void *)s);
  __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(s + 16));
  __m128i y = _mm_loadu_si128((const __m128i *)(const void *)(s + n - 32));
  __m128i z = _mm_loadu_si128((const __m128i *)(const void *)(s + n - 16));
  _mm_storeu_si128((__m128i *)(void *)d, a);
  _mm_storeu_si128((__m128i *)(void *)(d + 16), b);
  _mm_storeu_si128((__m128i *)(void *)(d + n - 32), y);
  _mm_storeu_si128((__m128i *)(void *)(d + n - 16), z);
}

/* 0 <= n <= 64 */
MEMLIFT_INLINE void move_up_to_64(void *dst, const void *src, size_t n) {
  unsigned char *d = (unsigned char *)dst;
  const unsigned char *s = (const unsigned char *)src;
  if (n <= 32)
    move_up_to_32(d, s, n);
  else
    move_32_to_64(d, s, n);
}

/* 0 <= n <= 16; the back access starts n - w bytes into the pattern, so rotated by that much.
 * `bytes` is true if all bytes of the pattern are the same. */
MEMLIFT_INLINE void fill_up_to_16(unsigned char *d, uint64_t pattern, size_t n, int bytes) {
  if (MEMLIFT_UNLIKELY(n >= 8)) {
    *(x86_u64 *)d = pattern;
    *(x86_u64 *)(d + n - 8) = bytes ? pattern : memlift_rotate_pattern(pattern, n);
  } else if (MEMLIFT_UNLIKELY(n >= 4)) {
    *(x86_u32 *)d = (uint32_t)pattern;
    *(x86_u32 *)(d + n - 4) = (uint32_t)(bytes ? pattern : memlift_rotate_pattern(pattern, n - 4));
  } else if (MEMLIFT_UNLIKELY(n >= 2)) {
    *(x86_u16 *)d = (uint16_t)pattern;
    *(x86_u16 *)(d + n - 2) = (uint16_t)(bytes ? pattern : memlift_rotate_pattern(pattern, n - 2));
  } else if (MEMLIFT_LIKELY(n == 1)) {
    *d = (unsigned char)pattern;
  }
}

/* 0 <= n <= 32 */
MEMLIFT_INLINE void fill_up_to_32(unsigned char *d, uint64_t pattern, size_t n) {
  if (n < 16) {
    fill_up_to_16(d, pattern, n, 0);
    return;
  }
  uint64_t rotated = memlift_rotate_pattern(pattern, n);
  _mm_storeu_si128((__m128i *)(void *)d, _mm_set1_epi64x((long long)pattern));
  _mm_storeu_si128((__m128i *)(void *)(d + n - 16), _mm_set1_epi64x((long long)rotated));
}

/* 0 <= n <= 64; `bytes` is true if all bytes of the pattern are the same. */
MEMLIFT_INLINE void fill_up_to_64(void *dst, uint64_t pattern, size_t n, int bytes) {
  unsigned char *d = (unsigned char *)dst;
  if (n < 16) {
    fill_up_to_16(d, pattern, n, bytes);
    return;
  }
  const uint64_t rotated = bytes ? pattern : memlift_rotate_pattern(pattern, n);
  __m128i first = _mm_set1_epi64x((long long)pattern);
  __m128i last = bytes ? first : _mm_set1_epi64x((long long)rotated);
  _mm_storeu_si128((__m128i *)(void *)d, first);
  if (n > 32) {
    _mm_storeu_si128((__m128i *)(void *)(d + 16), first);
    _mm_storeu_si128((__m128i *)(void *)(d + n - 32), last);
  }
  _mm_storeu_si128((__m128i *)(void *)(d + n - 16), last);
}

#endif
