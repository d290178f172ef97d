/* copy_inet_generic.c - a copy and its Internet checksum by the two kernels in use
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A few pages at a time: the second pass over them reads from the first cache. The source is what
 * is summed, since the destination's lines are still on their way through the store buffer.
 */
#include "../dispatch.h"

#define CHUNK ((size_t)4096) /* even */

uint32_t memlift_copy_inet_generic(void *dst, const void *src, size_t n, uint32_t init) {
  unsigned char *d = (unsigned char *)dst;
  const unsigned char *s = (const unsigned char *)src;
  for (; n > CHUNK; d += CHUNK, s += CHUNK, n -= CHUNK) {
    init = memlift_cpu_inet(s, CHUNK, init);
    memlift_cpu_copy(d, s, CHUNK);
  }
  init = memlift_cpu_inet(s, n, init);
  memlift_cpu_copy(d, s, n);
  return init;
}
