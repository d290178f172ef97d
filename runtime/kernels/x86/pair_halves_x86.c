/* pair_halves_x86.c - sum and weighted sum of 16-bit words (Fletcher-32) in one pass, for x86-64
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The method is in halves_impl.h. VNNI: vpdpwssd adds two products of signed words to each 32-bit
 * lane; with ones for factors it sums. Words have their top bit inverted, which takes 32768 off
 * each of W words, and is put back at the end. Word j of a turn of 128 weighs 128 - j:
 *
 *     weighted = 128 * (sums before each turn, added up) + within + 32768 * W * (W + 1) / 2
 *
 * In 64 turns the sums before them stay below 2^29 in a lane, and so do the products.
 */
#if defined(__x86_64__)
#include "lanes.h"

#define EVEN16 0x0000ffff0000ffffu /* the low half of each 32-bit lane */
#define LOW32 0x00000000ffffffffu  /* the low half of each 64-bit lane */

/* 4 i in lane i. */
static const uint64_t halves_places[8] __attribute__((aligned(64))) = {0, 4, 8, 12, 16, 20, 24, 28};

/* 32 to 1, of the last vector of a turn. */
static const int16_t last_factors[32]
    __attribute__((aligned(64))) = {32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17,
                                    16, 15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1};

#include "vec_sse2.h"
#include "halves_impl.h"

#include "vec_avx2.h"
#include "halves_impl.h"

#include "vec_avx512.h"
#include "halves_impl.h"

#define TARGET_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,bmi2,avx512vnni")))
#define TURN ((size_t)(4 * V))
#define TURNS 64

/* Written out: GCC 12 copies the sum before and after the intrinsic, in loops too. */
TARGET_VNNI MEMLIFT_INLINE __m512i dot(__m512i sum, __m512i words, __m512i factor) {
  __asm__("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(words), "v"(factor));
  return sum;
}

/* The signed 32-bit lanes as 64-bit ones. */
TARGET_VNNI MEMLIFT_INLINE __m512i widened(__m512i v) {
  return ADD64(_mm512_cvtepi32_epi64(_mm512_castsi512_si256(v)),
               _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(v, 1)));
}

/* Up to TURNS turns, and at least one; n is their bytes. */
TARGET_VNNI MEMLIFT_INLINE struct memlift_pair whole_turns(const unsigned char *p, size_t n) {
  const __m512i ones = _mm512_set1_epi16(1), zero = SPLAT64(0), step = _mm512_set1_epi16(32);
  const __m512i flip = _mm512_set1_epi16(-32768);
  const __m512i o = LOADA(last_factors), m = _mm512_add_epi16(o, step);
  const __m512i l = _mm512_add_epi16(m, step), k = _mm512_add_epi16(l, step);
  const uint64_t words = n / 2;
  __m512i before = zero, a = zero, b = zero, c = zero, d = zero;
  __m512i e = zero, f = zero, g = zero, h = zero;
  for (; n; p += TURN, n -= TURN) {
    __m512i v = XOR(LOADU(p), flip), w = XOR(LOADU(p + V), flip);
    __m512i x = XOR(LOADU(p + 2 * V), flip), y = XOR(LOADU(p + 3 * V), flip);
    before = ADD32(before, ADD32(ADD32(a, b), ADD32(c, d)));
    e = dot(e, v, k), f = dot(f, w, l), g = dot(g, x, m), h = dot(h, y, o);
    a = dot(a, v, ones), b = dot(b, w, ones), c = dot(c, x, ones), d = dot(d, y, ones);
  }
  uint64_t sum = SUM64(widened(ADD32(ADD32(a, b), ADD32(c, d))));
  __m512i within = ADD64(ADD64(widened(e), widened(f)), ADD64(widened(g), widened(h)));
  uint64_t weighted = SUM64(ADD64(SLL64(widened(before), 7), within));
  return (struct memlift_pair){sum + 32768 * words, weighted + 32768 * (words * (words + 1) / 2)};
}

TARGET_VNNI MEMLIFT_KERNEL struct memlift_pair memlift_pair_halves_x86_vnni(const void *from,
                                                                            size_t n) {
  const unsigned char *p = (const unsigned char *)from;
  n &= ~(size_t)1;
  if (n < 3 * TURN)
    return memlift_pair_halves_x86_avx512(p, n);
  size_t rest = n % TURN;
  struct memlift_pair total = {0, 0};
  if (rest)
    total = memlift_pair_halves_x86_avx512(p, rest);
  for (p += rest, n -= rest; n;) {
    size_t now = n < TURNS * TURN ? n : TURNS * TURN;
    struct memlift_pair more = whole_turns(p, now);
    total.weighted += now / 2 * total.sum + more.weighted;
    total.sum += more.sum;
    p += now;
    n -= now;
  }
  return total;
}
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
