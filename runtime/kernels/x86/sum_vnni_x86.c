/* sum_vnni_x86.c - sums of 16-bit words for x86-64 with AVX512-VNNI
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The method is in inet_vnni.h; the number that comes out there is the sum itself.
 */
#if defined(__x86_64__)
#include "lanes.h"

#include "vec_avx512.h"

#include "inet_vnni.h"

/* More than V and at most 4 * V bytes. */
TARGET_VNNI MEMLIFT_INLINE uint64_t vnni_few(const unsigned char *p, size_t n) {
  const size_t words = (n + V - 1) / V * (V / 2);
  const struct vnni_words k = vnni_words();
  __m512i a = vnni(SPLAT64(0), LOADU(p), &k), b = SPLAT64(0);
  if (n > 2 * V) {
    b = vnni(b, LOADU(p + V), &k);
    if (n > 3 * V) {
      a = vnni(a, LOADU(p + 2 * V), &k);
      p += V, n -= V;
    }
    p += V, n -= V;
  }
  b = vnni(b, LOADN(p + V, n - V), &k);
  return vnni_lanes(ADD32(a, b)) + ((uint64_t)words << 15);
}

/* By lines; at an odd address, where a line ends inside a word, as it comes. */
TARGET_VNNI MEMLIFT_INLINE uint64_t vnni_sum(const unsigned char *p, size_t n) {
  const size_t before = (uintptr_t)p % V;
  uint64_t sum = 0;
  __m512i first = SPLAT64(0);
  if (!(before & 1)) {
    first = first_line(p, before);
    p += V - before, n -= V - before;
  }
  for (; n > VNNI_BLOCK; p += VNNI_BLOCK, n -= VNNI_BLOCK, first = SPLAT64(0))
    sum += vnni_block(first, p, VNNI_BLOCK);
  return sum + vnni_block(first, p, n);
}

TARGET_VNNI MEMLIFT_KERNEL uint64_t memlift_sum_u16_x86_vnni(const void *from, size_t n) {
  const unsigned char *p = (const unsigned char *)from;
  n &= ~(size_t)1;
  if (MEMLIFT_UNLIKELY(n > 4 * V))
    return MEMLIFT_LIKELY(n > 8 * V) ? vnni_sum(p, n) : vnni_some(p, n);
  if (n > V)
    return vnni_few(p, n);
  const struct vnni_words k = vnni_words();
  return vnni_lanes(vnni(SPLAT64(0), LOADN(p, n), &k)) + ((uint64_t)(V / 2) << 15);
}
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
