/* modsum.h - sums modulo m, and sums of them: Adler-32, Fletcher and their like
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The reduction is put off. After k words from a and b
 *
 *     b' = b + k * a + (k * w[0] + (k-1) * w[1] + ... + 1 * w[k-1]);   a' = a + w[0] + ... + w[k-1]
 *
 * hold in the integers, and a block is short enough that nothing overflows 64 bits: with
 * k <= 8192 words below 2^32, a and b up to 2^32, b' stays below 2^32 + 2^45 + 2^57. So there are
 * two divisions a block instead of two a word. A block is in the first cache when the second of
 * the two kernels reads it.
 */
#ifndef MEMLIFT_ENTRY_MODSUM_H
#define MEMLIFT_ENTRY_MODSUM_H

#include "../include/memlift/memlift.h"
#include "../kernels/dispatch.h"
#include "../kernels/generic/sums.h"

#define BLOCK ((size_t)8192)

struct modsum {
  uint64_t a, b;
};

/* Words whose bytes are swapped have no kernel for the weighted sum: one by one. */
MEMLIFT_INLINE struct modsum add_swapped(struct modsum s, const unsigned char *p, size_t n,
                                         unsigned bytes, int exclusive) {
  for (; n >= bytes; p += bytes, n -= bytes) {
    uint64_t before = s.a, w = load_packed(p, bytes);
    s.a += bytes == 2 ? __builtin_bswap16((uint16_t)w) : __builtin_bswap32((uint32_t)w);
    s.b += exclusive ? before : s.a;
  }
  return s;
}

/* Division by the moduli that the world uses is a multiplication. */
MEMLIFT_INLINE uint64_t remainder_by(uint64_t x, uint64_t m) {
  switch (m) {
  case 65521: return x % 65521;
  case 65535: return x % 65535;
  case 255: return x % 255;
  case (uint64_t)1 << 32: return (uint32_t)x; /* of sums that only wrap */
  default: return x % m;
  }
}

MEMLIFT_INLINE uint64_t reduce(uint64_t x, uint64_t m, uint32_t how) {
  if (how & MEMLIFT_MODSUM_FOLD)
    return x ? remainder_by(x - 1, m) + 1 : 0;
  return remainder_by(x, m);
}

/* weighted: the kernel of the second sum; none for swapped words. */
MEMLIFT_INLINE uint64_t modsum(const void *from, size_t n, uint64_t start, uint64_t m, uint32_t how,
                               unsigned bytes, enum memlift_sum_op plain, int weighted) {
  const unsigned char *p = (const unsigned char *)from;
  struct modsum s = {start & 0xffffffffu, start >> 32};
  int exclusive = (how & MEMLIFT_MODSUM_BEFORE) != 0, second = !(how & MEMLIFT_MODSUM_FIRST);
  for (n -= n % bytes; n;) {
    size_t now = n < BLOCK ? n : BLOCK;
    if (second && weighted < 0) {
      s = add_swapped(s, p, now, bytes, exclusive);
    } else {
      uint64_t sum = memlift_cpu_sum(plain, p, now);
      if (second) {
        s.b += now / bytes * s.a + memlift_cpu_sum((enum memlift_sum_op)weighted, p, now);
        s.b -= exclusive ? sum : 0;
      }
      s.a += sum;
    }
    s.a = reduce(s.a, m, how);
    s.b = second ? reduce(s.b, m, how) : 0;
    p += now;
    n -= now;
  }
  return (second ? s.b << 32 : 0) | s.a;
}

/* Bytes per call of the kernel of both sums; b' stays below 2^32 + 2^47 + 2^43. */
#define PAIR_BLOCK ((size_t)32768)

/* Words of 1 or 2 bytes, both sums of which one kernel computes. */
MEMLIFT_INLINE uint64_t modsum_both(const unsigned char *p, size_t n, uint64_t start, uint64_t m,
                                    uint32_t how, unsigned bytes) {
  struct modsum s = {start & 0xffffffffu, start >> 32};
  while (n) {
    size_t now = n < PAIR_BLOCK ? n : PAIR_BLOCK;
    struct memlift_pair both =
        bytes == 1 ? memlift_cpu_pair(p, now) : memlift_cpu_pair_halves(p, now);
    s.b += now / bytes * s.a + both.weighted - (how & MEMLIFT_MODSUM_BEFORE ? both.sum : 0);
    s.a = reduce(s.a + both.sum, m, how);
    s.b = reduce(s.b, m, how);
    p += now;
    n -= now;
  }
  return s.b << 32 | s.a;
}

#endif
