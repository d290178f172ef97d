/* copy_sum_generic.c - a copy and the sum of its 16-bit words, in C for any machine
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * As copy_inet_generic.c: two kernels that alternate over what the first cache holds, the sum
 * first.
 */
#include "../dispatch.h"

#define CHUNK ((size_t)4096) /* even */

uint64_t memlift_copy_sum_u16_generic(void *dst, const void *src, size_t n) {
  unsigned char *d = (unsigned char *)dst;
  const unsigned char *s = (const unsigned char *)src;
  uint64_t sum = 0;
  for (; n > CHUNK; d += CHUNK, s += CHUNK, n -= CHUNK) {
    sum += memlift_cpu_sum(MEMLIFT_SUM_U16, s, CHUNK);
    memlift_cpu_copy(d, s, CHUNK);
  }
  sum += memlift_cpu_sum(MEMLIFT_SUM_U16, s, n);
  memlift_cpu_copy(d, s, n);
  return sum;
}
