/* inet_generic.c - Internet checksum for any machine: 64-bit words with end-around carry
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * 2^16, 2^32 and 2^64 are all 1 modulo 0xffff, so a 64-bit word is as good as its four 16-bit
 * words in either byte order, and a carry out of the top is worth 1. Carries are counted apart
 * (two adds and a compare a word); the total is 0 only if every word was.
 */
#include "../inet.h"
#include "sums.h"

MEMLIFT_INLINE uint64_t halves(struct carried c) {
  return (c.sum & HALF_LOW) + (c.sum >> 32) + c.carries;
}

/* n is a multiple of 8, p aligned to 8. */
MEMLIFT_INLINE uint64_t sum_carried(const unsigned char *p, size_t n) {
  struct carried a = {0, 0}, b = {0, 0};
  sum_two_chains(&a, &b, p, n, 1);
  return halves(a) + halves(b);
}

/* Fewer than 8 bytes; an odd last one is followed by zero. */
MEMLIFT_INLINE uint64_t sum_few(const unsigned char *p, size_t n) {
  uint64_t sum = 0;
  for (; n >= 2; p += 2, n -= 2)
    sum += load_packed(p, 2);
  return n ? sum + ((uint64_t)*p << MEMLIFT_BYTE_SHIFT(0, 2)) : sum;
}

/* Words after an odd number of bytes are added as they lie in memory: all of them have their bytes
 * swapped, and so has their sum. */
MEMLIFT_KERNEL uint32_t memlift_inet_generic(const void *from, size_t n, uint32_t init) {
  const unsigned char *p = (const unsigned char *)from;
  size_t head = to_boundary(p), middle;
  head = head < n ? head : n;
  uint64_t before = sum_few(p, head), sum;
  p += head, n -= head;
  middle = n & ~(size_t)7;
  sum = sum_carried(p, middle) + sum_few(p + middle, n - middle);
  if (head & 1)
    sum = memlift_inet_swap(memlift_inet_fold(sum, 0));
  return memlift_inet_fold(before + sum, init);
}
