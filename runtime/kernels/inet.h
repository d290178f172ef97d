/* inet.h - last step of the Internet checksum's kernels: folding a sum to 16 bits
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_INET_H
#define MEMLIFT_INET_H

#include "kernels.h"

/* 2^16 and 2^32 are 1 modulo 0xffff, so halves may be added. A word plus itself with its halves
 * exchanged has their sum in its upper half, and in it the carry out of the lower one: that is the
 * sum with its carry brought round, 0 only if both halves are. sum < 2^63. */
MEMLIFT_INLINE uint32_t memlift_inet_fold(uint64_t sum, uint32_t init) {
  sum += init;
  sum += sum >> 32 | sum << 32;
  uint32_t half = (uint32_t)(sum >> 32);
  half += half >> 16 | half << 16;
  return half >> 16;
}

/* Swaps the bytes of a folded sum: it is then the sum of the same bytes, each one address higher.
 * */
MEMLIFT_INLINE uint32_t memlift_inet_swap(uint32_t folded) {
  return (folded << 8 | folded >> 8) & 0xffff;
}

#endif
