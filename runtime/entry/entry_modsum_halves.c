/* entry_modsum_halves.c - sums of 16-bit words modulo m, and sums of them: Fletcher-32
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "modsum.h"

uint64_t memlift_modsum_u16(const void *p, size_t n, uint64_t start, uint64_t m, uint32_t how) {
  if (how & MEMLIFT_MODSUM_FIRST)
    return modsum(p, n, start, m, how, 2, MEMLIFT_SUM_U16, -1);
  return modsum_both((const unsigned char *)p, n & ~(size_t)1, start, m, how, 2);
}

uint64_t memlift_modsum_swap_u16(const void *p, size_t n, uint64_t start, uint64_t m,
                                 uint32_t how) {
  return modsum(p, n, start, m, how, 2, MEMLIFT_SUM_SWAP16, -1);
}
