/* entry_sum_words.c - the public sums of 32-bit words, over the kernels in use
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * No engine computes these in this version. One file for each size of word, so that a static
 * program brings no more than it calls.
 */
#include "../include/memlift/memlift.h"
#include "../kernels/dispatch.h"

uint64_t memlift_sum_u32(const void *p, size_t n) { return memlift_cpu_sum(MEMLIFT_SUM_U32, p, n); }

uint64_t memlift_sum_s32(const void *p, size_t n) { return memlift_cpu_sum(MEMLIFT_SUM_S32, p, n); }

uint64_t memlift_sum_swap_u32(const void *p, size_t n) {
  return memlift_cpu_sum(MEMLIFT_SUM_SWAP32, p, n);
}
