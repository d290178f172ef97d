/* sum_vnni_x86.c - sums of 16-bit words for x86-64 with AVX512-VNNI
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The method is in inet_vnni.h; the number that comes out there is the sum itself. Signed words
 * have a file of their own, for programs that sum no others.
 *
 * Swapped words: with E the sum of the bytes at even places and T that of all, it is 256 E + T - E.
 * vpdpbusd adds four products of bytes to each 32-bit lane, with 1 for all of them, or for the even
 * ones. That is two instructions a vector, where swapping and widening are seven.
 */
#if defined(__x86_64__)
#include "lanes.h"

#include "vec_avx512.h"

#include "inet_vnni.h"
#include "sum_vnni.h"

TARGET_VNNI MEMLIFT_KERNEL uint64_t memlift_sum_u16_x86_vnni(const void *from, size_t n) {
  return vnni_halves((const unsigned char *)from, n, 0);
}

/* The sums of all bytes and of those at even places, in lanes of 32 bits. */
struct byte_sums {
  __m512i all[4], even[4];
};

/* Written out, as in vnni(). */
TARGET_VNNI MEMLIFT_INLINE void add_bytes(struct byte_sums *s, unsigned chain, __m512i v,
                                          __m512i one, __m512i evens) {
  __asm__("vpdpbusd %2, %1, %0" : "+v"(s->all[chain]) : "v"(v), "v"(one));
  __asm__("vpdpbusd %2, %1, %0" : "+v"(s->even[chain]) : "v"(v), "v"(evens));
}

TARGET_VNNI MEMLIFT_INLINE __m512i chained(const __m512i *chains) {
  return ADD32(ADD32(chains[0], chains[1]), ADD32(chains[2], chains[3]));
}

/* At most VNNI_BLOCK bytes, 2,048 vectors: 256 times four bytes of each are below 2^31. */
TARGET_VNNI MEMLIFT_INLINE uint64_t swapped_block(const unsigned char *p, size_t n) {
  const __m512i one = SPLAT8(1), evens = _mm512_set1_epi16(1), zero = SPLAT64(0);
  struct byte_sums s = {{zero, zero, zero, zero}, {zero, zero, zero, zero}};
  for (; n > 4 * V; p += 4 * V, n -= 4 * V)
    for (unsigned chain = 0; chain < 4; chain++)
      add_bytes(&s, chain, LOADU(p + chain * V), one, evens);
  for (; n > V; p += V, n -= V)
    add_bytes(&s, 0, LOADU(p), one, evens);
  add_bytes(&s, 1, LOADN(p, n), one, evens);
  const __m512i even = chained(s.even), all = chained(s.all);
  const __m512i sums = ADD32(all, _mm512_sub_epi32(SLL32(even, 8), even));
  return SUM64(ADD64(AND(sums, SPLAT64(0xffffffffu)), SRL64(sums, 32)));
}

TARGET_VNNI MEMLIFT_KERNEL uint64_t memlift_sum_swap_u16_x86_vnni(const void *from, size_t n) {
  const unsigned char *p = (const unsigned char *)from;
  uint64_t sum = 0;
  n &= ~(size_t)1;
  if (MEMLIFT_LIKELY(n <= V)) {
    const __m512i v = LOADN(p, n), even = SAD8(AND(v, _mm512_set1_epi16(0xff)));
    return SUM64(ADD64(SAD8(v), SUB64(SLL64(even, 8), even)));
  }
  for (; n > VNNI_BLOCK; p += VNNI_BLOCK, n -= VNNI_BLOCK)
    sum += swapped_block(p, VNNI_BLOCK);
  return sum + swapped_block(p, n);
}
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
