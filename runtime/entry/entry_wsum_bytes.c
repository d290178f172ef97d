/* entry_wsum_bytes.c - the public weighted sums of bytes, over the kernels in use
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * No engine computes these in this version. One file for each size of word, so that a static
 * program brings no more than it calls.
 */
#include "../include/memlift/memlift.h"
#include "../kernels/dispatch.h"

uint64_t memlift_wsum_u8(const void *p, size_t n) { return memlift_cpu_sum(MEMLIFT_WSUM_U8, p, n); }

uint64_t memlift_wsum_s8(const void *p, size_t n) { return memlift_cpu_sum(MEMLIFT_WSUM_S8, p, n); }
