/* ones_generic.c - ones' complement sums of 32- and 64-bit words
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * 2^64 is 1 modulo 2^64 - 1 and modulo 2^32 - 1, so both are a sum of 64-bit words in which every
 * carry out of the top counts 1. The carries are counted apart and added at the end. Nothing on the
 * way turns a sum that is not 0 into 0.
 */
#include "../../include/memlift/memlift.h"
#include "sums.h"

/* x + y with the carry brought back. */
MEMLIFT_INLINE uint64_t add_around(uint64_t x, uint64_t y) {
  x += y;
  return x + (x < y);
}

/* Adds n bytes, a multiple of 8, to the sum before, with end-around carry. */
MEMLIFT_INLINE uint64_t sum_around(const unsigned char *p, size_t n, uint64_t before) {
  struct carried a = {before, 0}, b = {0, 0};
  if (((uintptr_t)p & 7) == 0)
    sum_two_chains(&a, &b, p, n, 1);
  else
    sum_two_chains(&a, &b, p, n, 0);
  return add_around(add_around(a.sum, b.sum), a.carries + b.carries);
}

MEMLIFT_KERNEL uint64_t memlift_ones_sum_u64(const void *from, size_t n, uint64_t init) {
  return sum_around((const unsigned char *)from, n & ~(size_t)7, init);
}

MEMLIFT_KERNEL uint32_t memlift_ones_sum_u32(const void *from, size_t n, uint32_t init) {
  const unsigned char *p = (const unsigned char *)from;
  uint64_t sum = init;
  n &= ~(size_t)3;
  if (n && ((uintptr_t)p & 7) == 4) { /* so that the rest is aligned */
    sum += load_packed(p, 4);
    p += 4, n -= 4;
  }
  if (n & 4)
    sum += load_packed(p + n - 4, 4); /* at most 3 * 2^32 so far */
  sum = sum_around(p, n & ~(size_t)7, sum);
  sum = (sum & HALF_LOW) + (sum >> 32); /* at most 2^33 - 2 */
  return (uint32_t)sum + (uint32_t)(sum >> 32);
}
