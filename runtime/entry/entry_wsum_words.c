/* entry_wsum_words.c - the public weighted sums of words, over the kernels in use
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * No engine computes these in this version. One file for each size of word, so that a static
 * program brings no more than it calls.
 */
#include "../include/memlift/memlift.h"
#include "../kernels/dispatch.h"

uint64_t memlift_wsum_u16(const void *p, size_t n) {
  return memlift_cpu_sum(MEMLIFT_WSUM_U16, p, n);
}

uint64_t memlift_wsum_u32(const void *p, size_t n) {
  return memlift_cpu_sum(MEMLIFT_WSUM_U32, p, n);
}

uint64_t memlift_wsum_u64(const void *p, size_t n) {
  return memlift_cpu_sum(MEMLIFT_WSUM_U64, p, n);
}
