/* copy_inet_x86.c - a copy and its Internet checksum in one pass, for x86-64 with AVX512-VNNI
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Up to the first boundary of the destination goes a masked vector, then whole cache lines are
 * written. If an odd number of bytes lay before the boundary, the words behind it have their bytes
 * turned, and so has their sum.
 */
#if defined(__x86_64__)
#include "../inet.h"
#include "lanes.h"
#include "limits.h"

#include "vec_avx512.h"

#include "inet_vnni.h"

/* n bytes, fewer than V, zeros behind them in what it returns. */
TARGET_VNNI MEMLIFT_INLINE __m512i copy_few(unsigned char *d, const unsigned char *s, size_t n) {
  __m512i v = LOADN(s, n);
  _mm512_mask_storeu_epi8(d, (__mmask64)(((uint64_t)1 << n) - 1), v);
  return v;
}

TARGET_VNNI MEMLIFT_INLINE __m512i copy_one(unsigned char *d, const unsigned char *s, int stream) {
  __m512i v = LOADU(s);
  if (stream)
    STREAM(d, v);
  else
    STOREU(d, v);
  return v;
}

/* At most VNNI_BLOCK bytes; `stream` wants d aligned. The number that their words add up to. */
TARGET_VNNI MEMLIFT_INLINE uint64_t copy_block(unsigned char *d, const unsigned char *s, size_t n,
                                               int stream) {
  const size_t words = (n + V - 1) / V * (V / 2);
  __m512i a = SPLAT64(0), b = a, c = a, e = a;
  for (; n >= 4 * V; d += 4 * V, s += 4 * V, n -= 4 * V) {
    a = vnni(a, copy_one(d, s, stream)), b = vnni(b, copy_one(d + V, s + V, stream));
    c = vnni(c, copy_one(d + 2 * V, s + 2 * V, stream));
    e = vnni(e, copy_one(d + 3 * V, s + 3 * V, stream));
  }
  for (; n >= V; d += V, s += V, n -= V)
    a = vnni(a, copy_one(d, s, stream));
  if (n)
    b = vnni(b, copy_few(d, s, n));
  return vnni_lanes(ADD32(ADD32(a, b), ADD32(c, e))) + ((uint64_t)words << 15);
}

TARGET_VNNI static uint32_t copy_long(unsigned char *d, const unsigned char *s, size_t n,
                                      uint32_t init) {
  const size_t before = (0 - (uintptr_t)d) % V;
  const int stream = n >= MEMLIFT_STREAM_COPY_INET_MIN;
  uint64_t sum = 0;
  __m512i head = vnni(SPLAT64(0), copy_few(d, s, before));
  init = memlift_inet_fold(vnni_lanes(head) + ((uint64_t)V / 2 << 15), init);
  d += before, s += before, n -= before;
  while (n) {
    size_t now = n < VNNI_BLOCK ? n : VNNI_BLOCK;
    sum += stream ? copy_block(d, s, now, 1) : copy_block(d, s, now, 0);
    d += now, s += now, n -= now;
  }
  if (stream)
    _mm_sfence();
  return before & 1 ? memlift_inet_fold(memlift_inet_turn(memlift_inet_fold(sum, 0)), init)
                    : memlift_inet_fold(sum, init);
}

TARGET_VNNI MEMLIFT_KERNEL uint32_t memlift_copy_inet_x86_vnni(void *dst, const void *src, size_t n,
                                                               uint32_t init) {
  unsigned char *d = (unsigned char *)dst;
  const unsigned char *s = (const unsigned char *)src;
  if (n < 16 * V)
    return memlift_inet_fold(copy_block(d, s, n, 0), init);
  return copy_long(d, s, n, init);
}
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
