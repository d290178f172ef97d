/* pair_x86.c - sum and weighted sum of bytes (Adler-32, Fletcher-16) in one pass, for x86-64
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * VNNI: vpdpbusd adds four products of an unsigned and a signed byte to each 32-bit lane. With the
 * factors 64 to 1 it weights a vector within itself, with ones it sums it. Four vectors a turn:
 *
 *     weighted = 256 * (sums before each turn, added up) + 192 * a + 128 * b + 64 * c + within
 *
 * where a, b and c are the sums of every first, second and third vector. The other levels call
 * their two kernels one after the other.
 */
#if defined(__x86_64__)
#include "lanes.h"

#define BOTH(isa)                                                                              \
  struct memlift_pair memlift_pair_x86_##isa(const void *p, size_t n) {                        \
    uint64_t weighted = memlift_wsum_u8_x86_##isa(p, n);                                       \
    return (struct memlift_pair){memlift_sum_u8_x86_##isa(p, n), weighted};                    \
  }
BOTH(sse2)
BOTH(avx2)
BOTH(avx512)

#include "vec_avx512.h"
#define TARGET_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))

/* 64 bytes from factors + 64 - n are n, n - 1 ... 1, 0 ... 0. */
static const signed char factors[128] __attribute__((aligned(64))) = {
    64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43,
    42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21,
    20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1};

/* Lanes of 32 bits, unsigned. */
TARGET_VNNI MEMLIFT_INLINE uint64_t pair_lanes(__m512i v) {
  return SUM64(ADD64(AND(v, SPLAT64(0xffffffffu)), SRL64(v, 32)));
}

struct turns {
  __m512i before, sum, a, b, c, within;
};

/* As many whole turns as there are. A lane of "before" is the largest: 128 turns of at most 4 * 1020
 * for each lane of the sum make 2^25. */
TARGET_VNNI MEMLIFT_INLINE const unsigned char *four_at_once(struct turns *t,
                                                             const unsigned char *p, size_t n) {
  const __m512i ones = _mm512_set1_epi8(1), weights = LOADA(factors);
  __m512i d = SPLAT64(0), second = d;
  for (; n >= 4 * V; p += 4 * V, n -= 4 * V) {
    __m512i v = LOADU(p), w = LOADU(p + V), x = LOADU(p + 2 * V), y = LOADU(p + 3 * V);
    t->before = ADD32(t->before, ADD32(ADD32(t->a, t->b), ADD32(t->c, d)));
    t->within = _mm512_dpbusd_epi32(t->within, v, weights);
    second = _mm512_dpbusd_epi32(second, w, weights);
    t->within = _mm512_dpbusd_epi32(t->within, x, weights);
    second = _mm512_dpbusd_epi32(second, y, weights);
    t->a = _mm512_dpbusd_epi32(t->a, v, ones);
    t->b = _mm512_dpbusd_epi32(t->b, w, ones);
    t->c = _mm512_dpbusd_epi32(t->c, x, ones);
    d = _mm512_dpbusd_epi32(d, y, ones);
  }
  t->within = ADD32(t->within, second);
  t->sum = ADD32(ADD32(t->a, t->b), ADD32(t->c, d));
  return p;
}

TARGET_VNNI MEMLIFT_KERNEL struct memlift_pair memlift_pair_x86_vnni(const void *from, size_t n) {
  const __m512i ones = _mm512_set1_epi8(1);
  const unsigned char *p = (const unsigned char *)from, *end = p + n;
  struct memlift_pair both = {0, 0};
  __m512i sum = SPLAT64(0), within = sum, before = sum;
  if (n >= 4 * V) {
    struct turns t = {sum, sum, sum, sum, sum, sum};
    p = four_at_once(&t, p, n);
    both.weighted = 256 * pair_lanes(t.before) + 192 * pair_lanes(t.a) + 128 * pair_lanes(t.b) +
                    64 * pair_lanes(t.c);
    sum = t.sum, within = t.within;
  }
  for (; (size_t)(end - p) >= V; p += V) {
    __m512i v = LOADU(p);
    before = ADD32(before, sum);
    within = _mm512_dpbusd_epi32(within, v, LOADA(factors));
    sum = _mm512_dpbusd_epi32(sum, v, ones);
  }
  size_t rest = (size_t)(end - p);
  uint64_t earlier = rest ? pair_lanes(sum) : 0;
  if (rest) {
    __m512i v = LOADN(p, rest);
    within = _mm512_dpbusd_epi32(within, v, LOADU(factors + 64 - rest));
    sum = _mm512_dpbusd_epi32(sum, v, ones);
  }
  both.weighted += V * pair_lanes(before) + pair_lanes(within) + rest * earlier;
  both.sum = pair_lanes(sum);
  return both;
}
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
