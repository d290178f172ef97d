/* pair_x86.c - sum and weighted sum of bytes (Adler-32, Fletcher-16) in one pass, for x86-64
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * VNNI: vpdpbusd adds four products of an unsigned and a signed byte to each 32-bit lane; with ones
 * for factors it sums. Byte j of an iteration of 256 weighs 256 - j, of which the factors 127 to
 * -128 leave 129:
 *
 *     weighted = 256 * (sums before each iteration, added up) + 129 * sum + within
 *
 * Up to 32 KiB, a block of the callers', all numbers have room in 32 bits. A Zen 4 begins one
 * product of 64 bytes a cycle, and psadbw would take its place, so 32 bytes a cycle are what there
 * is to get. AVX2 has a file of its own, and the other levels call their two kernels one after the
 * other.
 */
#if defined(__x86_64__)
#include "lanes.h"

#define BOTH(isa)                                                                                  \
  struct memlift_pair memlift_pair_x86_##isa(const void *p, size_t n) {                            \
    uint64_t weighted = memlift_wsum_u8_x86_##isa(p, n);                                           \
    return (struct memlift_pair){memlift_sum_u8_x86_##isa(p, n), weighted};                        \
  }
BOTH(sse2)
BOTH(avx512)

#include "vec_avx512.h"
#define TARGET_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,bmi2,avx512vnni")))

/* The factors of an iteration; from factors + 255 - n those of n bytes, 128 less than n to 1. */
static const signed char factors[256 + V] __attribute__((aligned(64))) = {
    127,  126,  125,  124,  123,  122,  121,  120,  119,  118,  117,  116,  115,  114,  113,  112,
    111,  110,  109,  108,  107,  106,  105,  104,  103,  102,  101,  100,  99,   98,   97,   96,
    95,   94,   93,   92,   91,   90,   89,   88,   87,   86,   85,   84,   83,   82,   81,   80,
    79,   78,   77,   76,   75,   74,   73,   72,   71,   70,   69,   68,   67,   66,   65,   64,
    63,   62,   61,   60,   59,   58,   57,   56,   55,   54,   53,   52,   51,   50,   49,   48,
    47,   46,   45,   44,   43,   42,   41,   40,   39,   38,   37,   36,   35,   34,   33,   32,
    31,   30,   29,   28,   27,   26,   25,   24,   23,   22,   21,   20,   19,   18,   17,   16,
    15,   14,   13,   12,   11,   10,   9,    8,    7,    6,    5,    4,    3,    2,    1,    0,
    -1,   -2,   -3,   -4,   -5,   -6,   -7,   -8,   -9,   -10,  -11,  -12,  -13,  -14,  -15,  -16,
    -17,  -18,  -19,  -20,  -21,  -22,  -23,  -24,  -25,  -26,  -27,  -28,  -29,  -30,  -31,  -32,
    -33,  -34,  -35,  -36,  -37,  -38,  -39,  -40,  -41,  -42,  -43,  -44,  -45,  -46,  -47,  -48,
    -49,  -50,  -51,  -52,  -53,  -54,  -55,  -56,  -57,  -58,  -59,  -60,  -61,  -62,  -63,  -64,
    -65,  -66,  -67,  -68,  -69,  -70,  -71,  -72,  -73,  -74,  -75,  -76,  -77,  -78,  -79,  -80,
    -81,  -82,  -83,  -84,  -85,  -86,  -87,  -88,  -89,  -90,  -91,  -92,  -93,  -94,  -95,  -96,
    -97,  -98,  -99,  -100, -101, -102, -103, -104, -105, -106, -107, -108, -109, -110, -111, -112,
    -113, -114, -115, -116, -117, -118, -119, -120, -121, -122, -123, -124, -125, -126, -127, -128};

/* Written out: GCC 12 copies the sum before and after the intrinsic, in loops too. */
TARGET_VNNI MEMLIFT_INLINE __m512i dot(__m512i sum, __m512i bytes, __m512i factor) {
  __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(bytes), "v"(factor));
  return sum;
}

/* The sums of the lanes of both, that of b in the upper half. */
TARGET_VNNI MEMLIFT_INLINE uint64_t both_lanes(__m512i a, __m512i b) {
  __m256i c = _mm256_add_epi32(_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64(a, 1));
  __m256i d = _mm256_add_epi32(_mm512_castsi512_si256(b), _mm512_extracti64x4_epi64(b, 1));
  c = _mm256_add_epi32(_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d));
  __m128i x = _mm_add_epi32(_mm256_castsi256_si128(c), _mm256_extracti128_si256(c, 1));
  return (uint64_t)_mm_cvtsi128_si64(_mm_add_epi32(x, _mm_unpackhi_epi64(x, x)));
}

/* As many whole iterations as there are, at least one, and what they come to. */
TARGET_VNNI MEMLIFT_INLINE struct memlift_pair whole_turns(const unsigned char *p, size_t n) {
  const __m512i ones = _mm512_set1_epi8(1), zero = SPLAT64(0);
  const __m512i k = LOADA(factors), l = LOADA(factors + V), m = LOADA(factors + 2 * V);
  const __m512i o = LOADA(factors + 3 * V);
  __m512i before = zero, a = zero, b = zero, c = zero, d = zero;
  __m512i e = zero, f = zero, g = zero, h = zero;
  for (; n >= 4 * V; p += 4 * V, n -= 4 * V) {
    __m512i v = LOADU(p), w = LOADU(p + V), x = LOADU(p + 2 * V), y = LOADU(p + 3 * V);
    ONCE(v);
    ONCE(w);
    ONCE(x);
    ONCE(y);
    before = ADD32(before, ADD32(ADD32(a, b), ADD32(c, d)));
    e = dot(e, v, k), f = dot(f, w, l), g = dot(g, x, m), h = dot(h, y, o);
    a = dot(a, v, ones), b = dot(b, w, ones), c = dot(c, x, ones), d = dot(d, y, ones);
  }
  uint64_t sums = both_lanes(ADD32(ADD32(a, b), ADD32(c, d)), before);
  uint64_t within = both_lanes(ADD32(ADD32(e, f), ADD32(g, h)), zero);
  uint64_t sum = sums & 0xffffffffu;
  return (struct memlift_pair){sum, (sums >> 32) * 256 + sum * 129 + (uint64_t)(int32_t)within};
}

/* Fewer bytes than an iteration has. */
TARGET_VNNI MEMLIFT_INLINE struct memlift_pair part_of_turn(const unsigned char *p, size_t n) {
  const __m512i ones = _mm512_set1_epi8(1);
  const signed char *factor = factors + 255 - n;
  __m512i sum = SPLAT64(0), within = sum;
  uint64_t both;
  for (; n > V; p += V, factor += V, n -= V) {
    __m512i v = LOADU(p);
    ONCE(v);
    within = dot(within, v, LOADU(factor));
    sum = dot(sum, v, ones);
  }
  __m512i v = LOADN(p, n);
  both = both_lanes(dot(within, v, LOADU(factor)), dot(sum, v, ones));
  return (struct memlift_pair){both >> 32, (both >> 32) * 128 + (uint64_t)(int32_t)both};
}

TARGET_VNNI MEMLIFT_KERNEL struct memlift_pair memlift_pair_x86_vnni(const void *from, size_t n) {
  const unsigned char *p = (const unsigned char *)from;
  const size_t rest = n % (4 * V), whole = n - rest;
  if (!whole)
    return part_of_turn(p, n);
  struct memlift_pair both = whole_turns(p, whole);
  if (rest) {
    struct memlift_pair more = part_of_turn(p + whole, rest);
    both.weighted += rest * both.sum + more.weighted;
    both.sum += more.sum;
  }
  return both;
}
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
