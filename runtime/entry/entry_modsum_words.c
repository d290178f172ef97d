/* entry_modsum_words.c - sums of 32-bit words modulo m, and sums of them: Fletcher-64
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "modsum.h"

uint64_t memlift_modsum_u32(const void *p, size_t n, uint64_t start, uint64_t m, uint32_t how) {
  return modsum(p, n, start, m, how, 4, MEMLIFT_SUM_U32, MEMLIFT_WSUM_U32);
}

uint64_t memlift_modsum_swap_u32(const void *p, size_t n, uint64_t start, uint64_t m,
                                 uint32_t how) {
  return modsum(p, n, start, m, how, 4, MEMLIFT_SUM_SWAP32, -1);
}
