/* ones_generic.c - ones' complement sum of 64-bit words
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * 2^64 is 1 modulo 2^64 - 1, so this is a sum in which every carry out of the top counts 1.
 */
#include "sums.h"

MEMLIFT_KERNEL uint64_t memlift_ones_generic(const void *p, size_t n) {
  return sum_around((const unsigned char *)p, n & ~(size_t)7, 0);
}
