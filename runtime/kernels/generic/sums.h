/* sums.h - how the generic sums get at memory: aligned words where possible, else packed ones
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A packed access is one instruction on machines that allow it and a few byte loads on others:
 * never wrong. may_alias, since callers have objects of any type.
 */
#ifndef MEMLIFT_GENERIC_SUMS_H
#define MEMLIFT_GENERIC_SUMS_H

#include "../kernels.h"

typedef uint64_t __attribute__((may_alias)) sum_u64;
struct sum_packed16 {
  uint16_t v;
} __attribute__((packed, may_alias));
struct sum_packed32 {
  uint32_t v;
} __attribute__((packed, may_alias));
struct sum_packed64 {
  uint64_t v;
} __attribute__((packed, may_alias));

MEMLIFT_INLINE uint64_t load_packed(const unsigned char *p, unsigned bytes) {
  switch (bytes) {
  case 1: return *p;
  case 2: return ((const struct sum_packed16 *)(const void *)p)->v;
  case 4: return ((const struct sum_packed32 *)(const void *)p)->v;
  default: return ((const struct sum_packed64 *)(const void *)p)->v;
  }
}

MEMLIFT_INLINE uint64_t load_u64(const unsigned char *p, int aligned) {
  return aligned ? *(const sum_u64 *)(const void *)p : load_packed(p, 8);
}

/* Bytes up to the first 8-byte boundary. */
MEMLIFT_INLINE size_t to_boundary(const unsigned char *p) { return -(uintptr_t)p & 7; }

/* A sum of 64-bit words and the carries that left it. */
struct carried {
  uint64_t sum, carries;
};

MEMLIFT_INLINE void add_carried(struct carried *c, uint64_t x) {
  c->sum += x;
  c->carries += c->sum < x;
}

/* n is a multiple of 8. Two chains, or each word would wait for the carry of the last. */
MEMLIFT_INLINE void sum_two_chains(struct carried *a, struct carried *b, const unsigned char *p,
                                   size_t n, int aligned) {
  for (; n >= 32; p += 32, n -= 32) {
    uint64_t w0 = load_u64(p, aligned), w1 = load_u64(p + 8, aligned);
    uint64_t w2 = load_u64(p + 16, aligned), w3 = load_u64(p + 24, aligned);
    add_carried(a, w0), add_carried(b, w1);
    add_carried(a, w2), add_carried(b, w3);
  }
  for (; n; p += 8, n -= 8)
    add_carried(a, load_u64(p, aligned));
}

/* Adds n bytes, a multiple of 8, to the sum before, modulo 2^64 - 1. The carries are counted apart
 * and added at the end; nothing on the way turns a sum that is not 0 into 0. */
MEMLIFT_INLINE uint64_t sum_around(const unsigned char *p, size_t n, uint64_t before) {
  struct carried a = {before, 0}, b = {0, 0};
  if (((uintptr_t)p & 7) == 0)
    sum_two_chains(&a, &b, p, n, 1);
  else
    sum_two_chains(&a, &b, p, n, 0);
  return memlift_add_around(memlift_add_around(a.sum, b.sum), a.carries + b.carries);
}

#define BYTES_EVEN 0x00ff00ff00ff00ffu /* the low byte of each 16-bit lane */
#define WORDS_EVEN 0x0000ffff0000ffffu /* the low half of each 32-bit lane */
#define HALF_LOW 0x00000000ffffffffu   /* the low half */

#endif
