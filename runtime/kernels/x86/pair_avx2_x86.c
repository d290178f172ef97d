/* pair_avx2_x86.c - sum and weighted sum of bytes (Adler-32, Fletcher-16) in one pass, with AVX2
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Byte j of an iteration of 64 weighs 64 - j, which the second factor of a product of an unsigned
 * and a signed byte can be; two neighbours come to at most 255 * 127, which fits 16 bits.
 *
 *     weighted = 64 * (sums before each iteration, added up) + within
 *
 * After whole iterations r bytes are left. They are put at the end of one more, after zeros, where
 * they weigh r to 1, and the sum before them counts r times.
 *
 * Up to 32 KiB, a block of the callers', all numbers have room in 32 bits.
 */
#if defined(__x86_64__)
#include "few.h"
#include "lanes.h"

#include "vec_avx2.h"

#define TURN ((size_t)64)

/* The factors of an iteration; from factors + 64 - n those of n bytes, and zeros. */
static const signed char factors[64 + 2 * V] __attribute__((aligned(64))) = {
    64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43,
    42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21,
    20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1};

/* 64-bit lanes of sums, those of the iterations before, and 32-bit lanes of products. */
struct pair_lanes {
  VECTOR sum, before, within;
};

TARGET MEMLIFT_INLINE void add_products(struct pair_lanes *s, VECTOR bytes, VECTOR factor) {
  const VECTOR pairs = _mm256_maddubs_epi16(bytes, factor);
  s->sum = ADD64(s->sum, SAD8(bytes));
  s->within = ADD32(s->within, MADD16(pairs, _mm256_set1_epi16(1)));
}

TARGET MEMLIFT_INLINE __m128i both_halves(VECTOR v) {
  return _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
}

/* Returns the sums of all lanes, each of which fits into 32 bits. */
TARGET MEMLIFT_INLINE struct memlift_pair add_lanes(const struct pair_lanes *s) {
  const __m128i two = _mm_hadd_epi32(both_halves(s->within), both_halves(s->sum));
  const uint64_t both = (uint64_t)_mm_cvtsi128_si64(_mm_hadd_epi32(two, two));
  return (struct memlift_pair){both >> 32, (uint32_t)both};
}

/* Fewer bytes than an iteration has. */
TARGET MEMLIFT_INLINE struct memlift_pair part_of_turn(const unsigned char *p, size_t n) {
  struct pair_lanes s = {SPLAT64(0), SPLAT64(0), SPLAT64(0)};
  VECTOR second, first = FEW_TWO(p, n, &second);
  add_products(&s, first, LOADU(factors + TURN - n));
  add_products(&s, second, LOADU(factors + TURN + V - n));
  return add_lanes(&s);
}

/* At least an iteration. The bytes after whole ones come last in one more, after zeros. */
TARGET MEMLIFT_INLINE struct memlift_pair some_turns(const unsigned char *p, size_t n) {
  const size_t rest = n % TURN;
  const unsigned char *end = p + (n - rest);
  struct pair_lanes s = {SPLAT64(0), SPLAT64(0), SPLAT64(0)};
  do {
    VECTOR v = LOADU(p), w = LOADU(p + V);
    ONCE(v);
    ONCE(w);
    s.before = ADD64(s.before, s.sum);
    add_products(&s, v, LOADA(factors));
    add_products(&s, w, LOADA(factors + V));
    p += TURN;
  } while (p < end);
  const VECTOR weighted = ADD64(SLL64(s.before, 6), MUL32(s.sum, SPLAT64(rest)));
  VECTOR second, first = FEW_LAST_TWO(p + rest, rest, &second);
  add_products(&s, first, LOADA(factors));
  add_products(&s, second, LOADA(factors + V));
  struct memlift_pair both = add_lanes(&s);
  both.weighted += SUM64(weighted);
  return both;
}

/* The alignment fixes the place of the loop, which takes a quarter longer across lines of code. */
TARGET MEMLIFT_KERNEL __attribute__((aligned(64))) struct memlift_pair
memlift_pair_x86_avx2(const void *from, size_t n) {
  const unsigned char *p = (const unsigned char *)from;
  return n < TURN ? part_of_turn(p, n) : some_turns(p, n);
}
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
