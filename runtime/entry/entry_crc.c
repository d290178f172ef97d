/* entry_crc.c - the public CRC, over the kernel in use
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../include/memlift/memlift.h"
#include "../kernels/dispatch.h"

uint64_t memlift_crc(uint64_t state, const void *p, size_t n, const struct memlift_crc_poly *poly) {
  return memlift_cpu_crc(state, p, n, poly);
}
