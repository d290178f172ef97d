/* pattern_x86.c - fills of odd and of long periods for x86-64, one variant per vector width
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The method is in pattern_impl.h.
 */
#if defined(__x86_64__)
#include "limits.h"
#include "repeat.h"
#include "small.h"

#include <immintrin.h>

/* Numbers 0 to period - 1, again and again: 64 of them from any of the first 16 or, for where a
 * position is in the value, one from any of the first 96. */
#define TWICE(...) __VA_ARGS__, __VA_ARGS__
#define THRICE(...) __VA_ARGS__, __VA_ARGS__, __VA_ARGS__
#define TO3 0, 1, 2
#define TO5 0, 1, 2, 3, 4
#define TO6 TO5, 5
#define TO7 TO6, 6
#define TO9 TO7, 7, 8
#define TO10 TO9, 9
#define TO11 TO10, 10
#define TO12 TO11, 11
#define TO13 TO12, 12
#define TO14 TO13, 13
#define TO15 TO14, 14
#define TO16 TO15, 15
#define ROW 96
static const unsigned char pattern_rows[][ROW] = {
    {TWICE(TWICE(TWICE(TWICE(TWICE(TO3)))))},       /* 3 */
    {0},                                            /* 4: a fill of 8-byte values */
    {TWICE(TWICE(TWICE(TWICE(TO5)))), THRICE(TO5)}, /* 5 */
    {TWICE(TWICE(TWICE(TWICE(TO6))))},              /* 6 */
    {TWICE(TWICE(THRICE(TO7))), TO7},               /* 7 */
    {0},                                            /* 8 */
    {TWICE(TWICE(TWICE(TO9))), TWICE(TO9)},         /* 9 */
    {THRICE(THRICE(TO10))},                         /* 10 */
    {TWICE(TWICE(TWICE(TO11)))},                    /* 11 */
    {TWICE(TWICE(TWICE(TO12)))},                    /* 12 */
    {TWICE(THRICE(TO13)), TO13},                    /* 13 */
    {TWICE(THRICE(TO14))},                          /* 14 */
    {TWICE(THRICE(TO15))},                          /* 15 */
    {TWICE(THRICE(TO16))},                          /* 16 */
};
#undef TWICE
#undef THRICE

__extension__ typedef unsigned __int128 x86_u128;

MEMLIFT_INLINE const unsigned char *pattern_row(unsigned period) {
  return pattern_rows[period - 3];
}

/* x % period for x < 2^56 by a multiplication: x / period is the high word of x times 2^64 / period
 * rounded up, as long as x times the error of less than 1 stays below 2^64 / period. */
#define INVERSE(period) (UINT64_MAX / (period) + 1)
static const uint64_t pattern_inverses[] = {
    INVERSE(3),  INVERSE(4),  INVERSE(5),  INVERSE(6),  INVERSE(7),  INVERSE(8),  INVERSE(9),
    INVERSE(10), INVERSE(11), INVERSE(12), INVERSE(13), INVERSE(14), INVERSE(15), INVERSE(16)};

MEMLIFT_INLINE unsigned pattern_phase(size_t x, unsigned period) {
  uint64_t times = (uint64_t)((x86_u128)x * pattern_inverses[period - 3] >> 64);
  return (unsigned)(x - times * period);
}

/* n < 16 bytes of the sixteen in two words. */
MEMLIFT_INLINE void pattern_below_16(unsigned char *d, uint64_t low, uint64_t high, size_t n) {
  if (n >= 8) {
    const unsigned from = 8 * ((unsigned)n - 8);
    *(x86_u64 *)d = low;
    *(x86_u64 *)(d + n - 8) = from ? low >> from | high << (64 - from) : low;
  } else if (n >= 4) {
    *(x86_u32 *)d = (uint32_t)low;
    *(x86_u32 *)(d + n - 4) = (uint32_t)(low >> (8 * (n - 4)));
  } else if (n >= 2) {
    *(x86_u16 *)d = (uint16_t)low;
    *(x86_u16 *)(d + n - 2) = (uint16_t)(low >> (8 * (n - 2)));
  } else if (n == 1) {
    *d = (unsigned char)low;
  }
}

/* Sixteen bytes at a time, each from a whole number of periods after the last. Without a shuffle:
 * for SSE2. */
MEMLIFT_INLINE void pattern_by_16(unsigned char *d, uint64_t low, uint64_t high, unsigned period,
                                  size_t n) {
  const size_t step = 16 - 16 % period;
  x86_u128 bytes = (x86_u128)high << 64 | low;
  bytes &= ~(x86_u128)0 >> (128 - 8 * period);
  for (unsigned have = 8 * period; have < 128; have *= 2)
    bytes |= bytes << have;
  low = (uint64_t)bytes, high = (uint64_t)(bytes >> 64);
  for (; n >= 16; d += step, n -= step)
    *(x86_u64 *)d = low, *(x86_u64 *)(d + 8) = high;
  pattern_below_16(d, low, high, n);
}

/* From here on vectors stay in registers. */
#define LONG ((size_t)6 << 10)

/* X of each of the first 3, 5, ... numbers. */
#define PATTERN_3(X) X(0) X(1) X(2)
#define PATTERN_5(X) PATTERN_3(X) X(3) X(4)
#define PATTERN_7(X) PATTERN_5(X) X(5) X(6)
#define PATTERN_9(X) PATTERN_7(X) X(7) X(8)
#define PATTERN_11(X) PATTERN_9(X) X(9) X(10)
#define PATTERN_13(X) PATTERN_11(X) X(11) X(12)
#define PATTERN_15(X) PATTERN_13(X) X(13) X(14)

#define TARGET_128 __attribute__((target("avx2")))

TARGET_128 MEMLIFT_INLINE __m128i pattern_at_16(__m128i value, const unsigned char *numbers) {
  return _mm_shuffle_epi8(value, _mm_loadu_si128((const __m128i *)(const void *)numbers));
}

TARGET_128 MEMLIFT_INLINE __m256i pattern_at_32(__m128i value, const unsigned char *numbers) {
  return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(value),
                             _mm256_loadu_si256((const __m256i *)(const void *)numbers));
}

/* n <= 32 */
TARGET_128 MEMLIFT_INLINE void pattern_up_to_32(unsigned char *d, __m128i value,
                                                const unsigned char *row, size_t n) {
  __m128i a = pattern_at_16(value, row);
  if (n < 16) {
    pattern_below_16(d, (uint64_t)_mm_cvtsi128_si64(a), (uint64_t)_mm_extract_epi64(a, 1), n);
    return;
  }
  _mm_storeu_si128((__m128i *)(void *)d, a);
  _mm_storeu_si128((__m128i *)(void *)(d + n - 16), pattern_at_16(value, row + n - 16));
}

#include "vec_sse2.h"
#include "pattern_impl.h"

#include "vec_avx2.h"
#include "pattern_impl.h"

#include "vec_avx512.h"
#include "pattern_impl.h"
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
