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
#define TARGET_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,bmi2,avx512vnni")))

/* 64 bytes from factors + 64 - n are n, n - 1 ... 1, 0 ... 0. */
static const signed char factors[128] __attribute__((aligned(64))) = {
    64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43,
    42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21,
    20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1};

/* Lanes of 32 bits, unsigned. */
TARGET_VNNI MEMLIFT_INLINE uint64_t pair_lanes(__m512i v) {
  return SUM64(ADD64(AND(v, SPLAT64(0xffffffffu)), SRL64(v, 32)));
}

/* Written out: GCC 12 copies the sum before and after the intrinsic, in loops too. */
TARGET_VNNI MEMLIFT_INLINE __m512i dot(__m512i sum, __m512i bytes, __m512i factor) {
  __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(bytes), "v"(factor));
  return sum;
}

struct turns {
  __m512i before, sum, a, b, c, within;
};

/* As many whole turns as there are. A lane of "before" is the largest: 128 turns of at most
 * 4 * 1020 for each lane of the sum make 2^25. Each vector has chains of its own, or a turn would wait twice
 * for the latency of the products. */
TARGET_VNNI MEMLIFT_INLINE const unsigned char *four_at_once(struct turns *t,
                                                             const unsigned char *p, size_t n) {
  const __m512i ones = _mm512_set1_epi8(1), weights = LOADA(factors);
  __m512i before = t->before, a = t->a, b = a, c = a, d = a, e = a, f = a, g = a, h = a;
  for (; n >= 4 * V; p += 4 * V, n -= 4 * V) {
    __m512i v = LOADU(p), w = LOADU(p + V), x = LOADU(p + 2 * V), y = LOADU(p + 3 * V);
    ONCE(v);
    ONCE(w);
    ONCE(x);
    ONCE(y);
    before = ADD32(before, ADD32(ADD32(a, b), ADD32(c, d)));
    e = dot(e, v, weights), f = dot(f, w, weights);
    g = dot(g, x, weights), h = dot(h, y, weights);
    a = dot(a, v, ones), b = dot(b, w, ones), c = dot(c, x, ones), d = dot(d, y, ones);
  }
  t->before = before;
  t->within = ADD32(ADD32(e, f), ADD32(g, h));
  t->a = a, t->b = b, t->c = c;
  t->sum = ADD32(ADD32(a, b), ADD32(c, d));
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
    within = dot(within, v, LOADA(factors));
    sum = dot(sum, v, ones);
  }
  size_t rest = (size_t)(end - p);
  uint64_t earlier = rest ? pair_lanes(sum) : 0;
  if (rest) {
    __m512i v = LOADN(p, rest);
    within = dot(within, v, LOADU(factors + 64 - rest));
    sum = dot(sum, v, ones);
  }
  both.weighted += V * pair_lanes(before) + pair_lanes(within) + rest * earlier;
  both.sum = pair_lanes(sum);
  return both;
}
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
