/* copy_inet_x86.c - a copy and the sum of its 16-bit words, or its Internet checksum, in one pass,
 * for x86-64 with AVX512-VNNI
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Long copies write whole cache lines, behind one vector across the first boundary of the
 * destination and before one that ends where the copy does.
 */
#if defined(__x86_64__)
#include "../inet.h"
#include "direction.h"
#include "lanes.h"
#include "limits.h"

#include "vec_avx512.h"

#include "inet_vnni.h"

TARGET_VNNI MEMLIFT_INLINE __m512i copy_one(unsigned char *d, const unsigned char *s, int stream) {
  __m512i v = LOADU(s);
  if (stream)
    STREAM(d, v);
  else
    STOREU(d, v);
  return v;
}

/* n bytes, at most V, zeros behind them in what it returns. */
TARGET_VNNI MEMLIFT_INLINE __m512i copy_few(unsigned char *d, const unsigned char *s, size_t n) {
  __m512i v = LOADN(s, n);
  _mm512_mask_storeu_epi8(d, FIRST_BYTES(n), v);
  return v;
}

/* 1 to VNNI_BLOCK bytes; `stream` wants d aligned. The number that the words of `first` and theirs
 * add up to. */
TARGET_VNNI MEMLIFT_INLINE uint64_t copy_block(__m512i first, unsigned char *d,
                                               const unsigned char *s, size_t n, int stream) {
  const size_t words = V / 2 + (n + V - 1) / V * (V / 2);
  const struct vnni_words k = vnni_words();
  __m512i a = vnni(SPLAT64(0), first, &k), b = SPLAT64(0), c = b, e = b;
  for (; n > 4 * V; d += 4 * V, s += 4 * V, n -= 4 * V) {
    a = vnni(a, copy_one(d, s, stream), &k), b = vnni(b, copy_one(d + V, s + V, stream), &k);
    c = vnni(c, copy_one(d + 2 * V, s + 2 * V, stream), &k);
    e = vnni(e, copy_one(d + 3 * V, s + 3 * V, stream), &k);
  }
  if (n > 2 * V) {
    a = vnni(a, copy_one(d, s, stream), &k), b = vnni(b, copy_one(d + V, s + V, stream), &k);
    d += 2 * V, s += 2 * V, n -= 2 * V;
  }
  if (n > V) {
    c = vnni(c, copy_one(d, s, stream), &k);
    d += V, s += V, n -= V;
  }
  e = vnni(e, copy_few(d, s, n), &k);
  return vnni_lanes(ADD32(ADD32(a, b), ADD32(c, e))) + ((uint64_t)words << 15);
}

/* Likewise from the end, never past the caches. */
TARGET_VNNI MEMLIFT_INLINE uint64_t copy_block_down(__m512i first, unsigned char *d,
                                                    const unsigned char *s, size_t n) {
  const size_t whole = (n - 1) / V * V, words = V + whole / 2;
  const struct vnni_words k = vnni_words();
  __m512i a = vnni(SPLAT64(0), first, &k), b = SPLAT64(0), c = b, e = b;
  e = vnni(e, copy_few(d + whole, s + whole, n - whole), &k);
  size_t left = whole;
  for (; left >= 4 * V; left -= 4 * V) {
    unsigned char *to = d + left - 4 * V;
    const unsigned char *from = s + left - 4 * V;
    a = vnni(a, copy_one(to + 3 * V, from + 3 * V, 0), &k);
    b = vnni(b, copy_one(to + 2 * V, from + 2 * V, 0), &k);
    c = vnni(c, copy_one(to + V, from + V, 0), &k), e = vnni(e, copy_one(to, from, 0), &k);
  }
  for (; left; left -= V)
    b = vnni(b, copy_one(d + left - V, s + left - V, 0), &k);
  return vnni_lanes(ADD32(ADD32(a, b), ADD32(c, e))) + ((uint64_t)words << 15);
}

/* The sum of the words. The bytes up to the first boundary of the destination are taken as words
 * that start there: an odd number of them stands one place higher, and all words are turned then.
 */
TARGET_VNNI static uint64_t copy_long(unsigned char *d, const unsigned char *s, size_t n) {
  const size_t before = (0 - (uintptr_t)d) % V, odd = before & 1;
  const int stream = n >= MEMLIFT_STREAM_COPY_INET_MIN, down = loads_follow_stores(d, s, n);
  __m512i first = _mm512_maskz_loadu_epi8(FIRST_BYTES(before) << odd, s - odd);
  uint64_t sum = 0;
  copy_one(d, s, 0);
  for (d += before, s += before, n -= before; n;) {
    size_t now = n < VNNI_BLOCK ? n : VNNI_BLOCK;
    sum += stream ? copy_block(first, d, s, now, 1)
           : down ? copy_block_down(first, d, s, now)
                  : copy_block(first, d, s, now, 0);
    d += now, s += now, n -= now;
    first = SPLAT64(0);
  }
  if (stream)
    _mm_sfence();
  return sum;
}

/* From here on whole lines are written. */
#define LONG_FROM (16 * V)

TARGET_VNNI MEMLIFT_KERNEL uint32_t memlift_copy_inet_x86_vnni(void *dst, const void *src, size_t n,
                                                               uint32_t init) {
  unsigned char *d = (unsigned char *)dst;
  const unsigned char *s = (const unsigned char *)src;
  if (MEMLIFT_LIKELY(n <= V)) {
    __m512i v = copy_few(d, s, n), low = SPLAT64(0xffffffffu);
    return memlift_inet_fold(SUM64(ADD64(AND(v, low), SRL64(v, 32))), init);
  }
  if (n < LONG_FROM) {
    __m512i first = copy_one(d, s, 0);
    return memlift_inet_fold(copy_block(first, d + V, s + V, n - V, 0), init);
  }
  return memlift_inet_fold(copy_long(d, s, n) << ((uintptr_t)d & 1) * 8, init);
}

/* A last byte alone is copied and not summed: zero follows it, so it counts as itself. */
TARGET_VNNI MEMLIFT_KERNEL uint64_t memlift_copy_sum_u16_x86_vnni(void *dst, const void *src,
                                                                  size_t n) {
  unsigned char *d = (unsigned char *)dst;
  const unsigned char *s = (const unsigned char *)src;
  const uint64_t alone = n & 1 ? s[n - 1] : 0;
  if (MEMLIFT_LIKELY(n <= V)) {
    const struct vnni_words k = vnni_words();
    __m512i words = vnni(SPLAT64(0), copy_few(d, s, n), &k);
    return vnni_lanes(words) + ((uint64_t)(V / 2) << 15) - alone;
  }
  if (n < LONG_FROM) {
    __m512i first = copy_one(d, s, 0);
    return copy_block(first, d + V, s + V, n - V, 0) - alone;
  }
  if (MEMLIFT_UNLIKELY((uintptr_t)d & 1)) /* no line ends between two words */
    return memlift_copy_sum_u16_generic(d, s, n);
  return copy_long(d, s, n) - alone;
}
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
