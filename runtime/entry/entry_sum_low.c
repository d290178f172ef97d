/* entry_sum_low.c - the public sum of 32-bit words modulo 2^32, over the kernel in use
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * No engine computes these in this version. One file for each size of word, so that a static
 * program brings no more than it calls.
 */
#include "../include/memlift/memlift.h"
#include "../kernels/dispatch.h"

uint32_t memlift_sum_low_u32(const void *p, size_t n) {
  return (uint32_t)memlift_cpu_sum(MEMLIFT_SUM_LOW32, p, n);
}
