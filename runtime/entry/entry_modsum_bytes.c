/* entry_modsum_bytes.c - sums of bytes modulo m, and sums of them: Adler-32, Fletcher-16
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "modsum.h"

uint64_t memlift_modsum_u8(const void *p, size_t n, uint64_t start, uint64_t m, uint32_t how) {
  if (how & MEMLIFT_MODSUM_FIRST)
    return modsum(p, n, start, m, how, 1, MEMLIFT_SUM_U8, -1);
  return modsum_both((const unsigned char *)p, n, start, m, how, 1);
}
