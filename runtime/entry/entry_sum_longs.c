/* entry_sum_longs.c - the public sum of 64-bit words, over the kernel in use
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * No engine computes these in this version. One file for each size of word, so that a static
 * program brings no more than it calls.
 */
#include "../include/memlift/memlift.h"
#include "../kernels/dispatch.h"

uint64_t memlift_sum_u64(const void *p, size_t n) { return memlift_cpu_sum(MEMLIFT_SUM_U64, p, n); }
