/* copy_inet_x86.c - a copy and the sum of its 16-bit words, or its Internet checksum, in one pass,
 * for x86-64 with AVX512-VNNI or AVX2
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * With VNNI long copies write whole cache lines, after one vector across the first boundary of the
 * destination and before one that ends where the copy does.
 */
#if defined(__x86_64__)
#include "../../queue/barriers.h"
#include "../inet.h"
#include "direction.h"
#include "inet_rest.h"
#include "lanes.h"
#include "limits.h"
#include "small.h"

#include "vec_avx2.h"

TARGET MEMLIFT_INLINE VECTOR NAME(copy_words)(unsigned char *d, const unsigned char *s) {
  VECTOR v = LOADU(s);
  STOREU(d, v);
  return ADD64(AND(v, SPLAT64(LOW32)), SRL64(v, 32));
}

/* As inet_impl.h says. The last vector is copied whole, its bytes before the rest twice. Huge
 * copies go past the caches, in two passes. */
TARGET MEMLIFT_KERNEL uint32_t NAME(memlift_copy_inet)(void *dst, const void *src, size_t n,
                                                       uint32_t init) {
  unsigned char *d = (unsigned char *)dst;
  const unsigned char *s = (const unsigned char *)src, *end = s + n;
  if (n < V) {
    uint64_t sum = inet_below_32(s, n);
    move_up_to_32(d, s, n);
    return memlift_inet_fold(sum, init);
  }
  if (MEMLIFT_UNLIKELY(n >= MEMLIFT_STREAM_COPY_INET_MIN))
    return memlift_copy_inet_generic(dst, src, n, init);
  VECTOR a = NAME(copy_words)(d, s), b = SPLAT64(0);
  d += V, s += V;
  for (; (size_t)(end - s) >= 4 * V; d += 4 * V, s += 4 * V) {
    a = ADD64(a, ADD64(NAME(copy_words)(d, s), NAME(copy_words)(d + V, s + V)));
    b = ADD64(
        b, ADD64(NAME(copy_words)(d + 2 * V, s + 2 * V), NAME(copy_words)(d + 3 * V, s + 3 * V)));
  }
  for (; (size_t)(end - s) >= V; d += V, s += V)
    a = ADD64(a, NAME(copy_words)(d, s));
  const size_t left = (size_t)(end - s), even = left & ~(size_t)1;
  const VECTOR rest = FEW_LAST(s + even, even);
  STOREU(d + left - V, LOADU(end - V));
  b = ADD64(b, ADD64(AND(rest, SPLAT64(LOW32)), SRL64(rest, 32)));
  return memlift_inet_fold(odd_byte(end, n) + SUM64(ADD64(a, b)), init);
}

/* Adds the words of a vector in pairs, to lanes of 32 bits. */
TARGET MEMLIFT_INLINE VECTOR NAME(halves)(VECTOR v) {
  return ADD32(AND(v, SPLAT64(0x0000ffff0000ffffu)), SRL32(v, 16));
}

TARGET MEMLIFT_INLINE VECTOR NAME(copy_halves)(unsigned char *d, const unsigned char *s) {
  VECTOR v = LOADU(s);
  STOREU(d, v);
  return NAME(halves)(v);
}

TARGET MEMLIFT_INLINE uint64_t NAME(sum_of_lanes)(VECTOR v) {
  return SUM64(ADD64(AND(v, SPLAT64(LOW32)), SRL64(v, 32)));
}

/* Whole vectors whose sums fit lanes of 32 bits: half a mebibyte has 2^14, of 2^17 each. */
#define COPY_SUM_BLOCK ((size_t)1 << 19)

TARGET MEMLIFT_INLINE uint64_t NAME(copy_sum_block)(unsigned char *d, const unsigned char *s,
                                                    size_t n) {
  VECTOR a = SPLAT64(0), b = a;
  for (; n >= 4 * V; d += 4 * V, s += 4 * V, n -= 4 * V) {
    a = ADD32(a, ADD32(NAME(copy_halves)(d, s), NAME(copy_halves)(d + V, s + V)));
    b = ADD32(
        b, ADD32(NAME(copy_halves)(d + 2 * V, s + 2 * V), NAME(copy_halves)(d + 3 * V, s + 3 * V)));
  }
  for (; n; d += V, s += V, n -= V)
    a = ADD32(a, NAME(copy_halves)(d, s));
  return NAME(sum_of_lanes)(ADD32(a, b));
}

/* A last byte alone is copied and not summed. */
TARGET MEMLIFT_KERNEL uint64_t NAME(memlift_copy_sum_u16)(void *dst, const void *src, size_t n) {
  unsigned char *d = (unsigned char *)dst;
  const unsigned char *s = (const unsigned char *)src, *end = s + n;
  if (n < V) {
    VECTOR few = FEW(s, n & ~(size_t)1);
    move_up_to_32(d, s, n);
    return NAME(sum_of_lanes)(NAME(halves)(few));
  }
  if (MEMLIFT_UNLIKELY(n >= MEMLIFT_STREAM_COPY_INET_MIN))
    return memlift_copy_sum_u16_generic(dst, src, n);
  uint64_t sum = 0;
  for (size_t left; (left = (size_t)(end - s)) >= V;) {
    const size_t now = left < COPY_SUM_BLOCK ? left & ~(size_t)(V - 1) : COPY_SUM_BLOCK;
    sum += NAME(copy_sum_block)(d, s, now);
    d += now, s += now;
  }
  const size_t left = (size_t)(end - s), even = left & ~(size_t)1;
  const VECTOR rest = FEW_LAST(s + even, even);
  STOREU(d + left - V, LOADU(end - V));
  return sum + NAME(sum_of_lanes)(NAME(halves)(rest));
}

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

/* Copies n bytes, at most V, and returns them followed by zeros. */
TARGET_VNNI MEMLIFT_INLINE __m512i copy_few(unsigned char *d, const unsigned char *s, size_t n) {
  __m512i v = LOADN(s, n);
  _mm512_mask_storeu_epi8(d, FIRST_BYTES(n), v);
  return v;
}

/* Sums of a block: of its words as they lie, and of its bytes if the words straddle the loaded
 * ones. Four of each, since an addition has a latency of four cycles. */
struct copy_sums {
  __m512i word[4], byte[4];
};

TARGET_VNNI MEMLIFT_INLINE struct copy_sums copy_sums(__m512i first, const struct vnni_words *k,
                                                      int across) {
  const __m512i zero = SPLAT64(0), one = SPLAT64(0x0101010101010101u);
  struct copy_sums t = {{vnni(zero, first, k), zero, zero, zero}, {zero, zero, zero, zero}};
  if (across)
    __asm__("vpdpbusd %2, %1, %0" : "+v"(t.byte[0]) : "v"(first), "v"(one));
  return t;
}

TARGET_VNNI MEMLIFT_INLINE void copy_add(struct copy_sums *t, unsigned i, __m512i v,
                                         const struct vnni_words *k, int across) {
  const __m512i one = SPLAT64(0x0101010101010101u);
  t->word[i] = vnni(t->word[i], v, k);
  if (across)
    __asm__("vpdpbusd %2, %1, %0" : "+v"(t->byte[i]) : "v"(v), "v"(one));
}

/* `words` of them. With E the sum of the bytes that are low ones as they lie, H that of the others,
 * the words across are E * 2^8 + H, which is 257 * (E + H) - (E + H * 2^8). */
TARGET_VNNI MEMLIFT_INLINE uint64_t copy_total(const struct copy_sums *t, size_t words,
                                               int across) {
  const __m512i *w = t->word, *b = t->byte;
  uint64_t as_they_lie = vnni_lanes(ADD32(ADD32(w[0], w[1]), ADD32(w[2], w[3]))) + (words << 15);
  if (!across)
    return as_they_lie;
  return 257 * vnni_lanes(ADD32(ADD32(b[0], b[1]), ADD32(b[2], b[3]))) - as_they_lie;
}

/* 1 to VNNI_BLOCK bytes; `stream` wants d aligned. The number that the words of `first` and theirs
 * add up to. */
TARGET_VNNI MEMLIFT_INLINE uint64_t copy_block(__m512i first, unsigned char *d,
                                               const unsigned char *s, size_t n, int stream,
                                               int across) {
  const size_t words = V / 2 + (n + V - 1) / V * (V / 2);
  const struct vnni_words k = vnni_words(0);
  struct copy_sums t = copy_sums(first, &k, across);
  for (; n > 4 * V; d += 4 * V, s += 4 * V, n -= 4 * V) {
    copy_add(&t, 0, copy_one(d, s, stream), &k, across);
    copy_add(&t, 1, copy_one(d + V, s + V, stream), &k, across);
    copy_add(&t, 2, copy_one(d + 2 * V, s + 2 * V, stream), &k, across);
    copy_add(&t, 3, copy_one(d + 3 * V, s + 3 * V, stream), &k, across);
  }
  if (n > 2 * V) {
    copy_add(&t, 0, copy_one(d, s, stream), &k, across);
    copy_add(&t, 1, copy_one(d + V, s + V, stream), &k, across);
    d += 2 * V, s += 2 * V, n -= 2 * V;
  }
  if (n > V) {
    copy_add(&t, 2, copy_one(d, s, stream), &k, across);
    d += V, s += V, n -= V;
  }
  copy_add(&t, 3, copy_few(d, s, n), &k, across);
  return copy_total(&t, words, across);
}

/* Likewise from the end, never past the caches. */
TARGET_VNNI MEMLIFT_INLINE uint64_t copy_block_down(__m512i first, unsigned char *d,
                                                    const unsigned char *s, size_t n, int across) {
  const size_t whole = (n - 1) / V * V, words = V + whole / 2;
  const struct vnni_words k = vnni_words(0);
  struct copy_sums t = copy_sums(first, &k, across);
  copy_add(&t, 3, copy_few(d + whole, s + whole, n - whole), &k, across);
  size_t left = whole;
  for (; left >= 4 * V; left -= 4 * V) {
    unsigned char *to = d + left - 4 * V;
    const unsigned char *from = s + left - 4 * V;
    copy_add(&t, 0, copy_one(to + 3 * V, from + 3 * V, 0), &k, across);
    copy_add(&t, 1, copy_one(to + 2 * V, from + 2 * V, 0), &k, across);
    copy_add(&t, 2, copy_one(to + V, from + V, 0), &k, across);
    copy_add(&t, 3, copy_one(to, from, 0), &k, across);
  }
  for (; left; left -= V)
    copy_add(&t, 1, copy_one(d + left - V, s + left - V, 0), &k, across);
  return copy_total(&t, words, across);
}

/* The sum of the words. The bytes up to the first boundary of the destination are taken as words
 * that start there: an odd number of them stands one place higher, and all words are byte-swapped
 * then, unless `across` says that the sum is to be that of the words across these. */
TARGET_VNNI MEMLIFT_INLINE uint64_t copy_long_as(unsigned char *d, const unsigned char *s, size_t n,
                                                 int across) {
  const size_t before = (0 - (uintptr_t)d) % V, odd = before & 1;
  const int stream = n >= MEMLIFT_STREAM_COPY_INET_MIN, down = loads_follow_stores(d, s, n);
  __m512i first = _mm512_maskz_loadu_epi8(FIRST_BYTES(before) << odd, s - odd);
  uint64_t sum = 0;
  copy_one(d, s, 0);
  for (d += before, s += before, n -= before; n;) {
    size_t now = n < VNNI_BLOCK ? n : VNNI_BLOCK;
    sum += stream ? copy_block(first, d, s, now, 1, across)
           : down ? copy_block_down(first, d, s, now, across)
                  : copy_block(first, d, s, now, 0, across);
    d += now, s += now, n -= now;
    first = SPLAT64(0);
  }
  if (stream)
    memlift_barrier_flush_stream();
  return sum;
}

TARGET_VNNI static uint64_t copy_long(unsigned char *d, const unsigned char *s, size_t n) {
  return copy_long_as(d, s, n, 0);
}

TARGET_VNNI static uint64_t copy_across(unsigned char *d, const unsigned char *s, size_t n) {
  return copy_long_as(d, s, n, 1);
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
    return memlift_inet_fold(copy_block(first, d + V, s + V, n - V, 0, 0), init);
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
    const struct vnni_words k = vnni_words(0);
    __m512i words = vnni(SPLAT64(0), copy_few(d, s, n), &k);
    return vnni_lanes(words) + ((uint64_t)(V / 2) << 15) - alone;
  }
  if (n < LONG_FROM) {
    __m512i first = copy_one(d, s, 0);
    return copy_block(first, d + V, s + V, n - V, 0, 0) - alone;
  }
  return ((uintptr_t)d & 1 ? copy_across(d, s, n) : copy_long(d, s, n)) - alone;
}
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
