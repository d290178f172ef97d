/* entry_copy_sums.c - copies with a sum of what is copied, over the kernels in use
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../include/memlift/memlift.h"
#include "../kernels/dispatch.h"

uint32_t memlift_copy_inet_sum(void *restrict dst, const void *restrict src, size_t n,
                               uint32_t init) {
  return memlift_cpu_copy_inet(dst, src, n, init);
}

uint64_t memlift_copy_sum_u16(void *restrict dst, const void *restrict src, size_t n) {
  return memlift_cpu_copy_sum(dst, src, n);
}
