/* inet_few.h - the words of fewer than 16 bytes, for machines that read them anywhere
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The lowest byte comes first, and unaligned loads are one instruction.
 */
#ifndef MEMLIFT_INET_FEW_H
#define MEMLIFT_INET_FEW_H

#include "inet.h"

MEMLIFT_INLINE uint64_t word64(const unsigned char *p) {
  uint64_t x;
  __builtin_memcpy(&x, p, 8);
  return x;
}

MEMLIFT_INLINE uint64_t word32(const unsigned char *p) {
  uint32_t x;
  __builtin_memcpy(&x, p, 4);
  return x;
}

MEMLIFT_INLINE uint64_t word16(const unsigned char *p) {
  uint16_t x;
  __builtin_memcpy(&x, p, 2);
  return x;
}

MEMLIFT_INLINE uint64_t two_halves(uint64_t x) { return (x & 0xffffffffu) + (x >> 32); }

/* The last byte of an odd number, followed by zero. */
MEMLIFT_INLINE uint64_t odd_byte(const unsigned char *end, size_t n) { return n & 1 ? end[-1] : 0; }

/* Fewer than 16 bytes; words that overlap are shifted until each byte counts once. */
MEMLIFT_INLINE uint64_t inet_below_16(const unsigned char *p, size_t n) {
  size_t even = n & ~(size_t)1;
  uint64_t sum = n & 1 ? p[n - 1] : 0;
  if (n >= 8) {
    uint64_t rest = word64(p + even - 8) >> 1 >> (63 - 8 * (even - 8));
    return sum + two_halves(word64(p)) + two_halves(rest);
  }
  if (n >= 4)
    return sum + word32(p) + (word32(p + even - 4) >> (8 * (8 - even)));
  return even ? sum + word16(p) : sum;
}

#endif
