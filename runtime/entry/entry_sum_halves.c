/* entry_sum_halves.c - the public sums of 16-bit words, over the kernels in use
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * No engine computes these in this version. One file for each size of word, so that a static
 * program brings no more than it calls.
 */
#include "../include/memlift/memlift.h"
#include "../kernels/dispatch.h"

uint64_t memlift_sum_u16(const void *p, size_t n) { return memlift_cpu_sum(MEMLIFT_SUM_U16, p, n); }

uint64_t memlift_sum_s16(const void *p, size_t n) { return memlift_cpu_sum(MEMLIFT_SUM_S16, p, n); }

uint64_t memlift_sum_swap_u16(const void *p, size_t n) {
  return memlift_cpu_sum(MEMLIFT_SUM_SWAP16, p, n);
}
