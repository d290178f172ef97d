/* entry_inet.c - the public Internet checksum, over the kernel in use
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../include/memlift/memlift.h"
#include "../kernels/dispatch.h"
#include "../kernels/inet.h"

/* Bytes per call of a kernel; even. */
#define INET_CHUNK ((size_t)1 << 30)

__attribute__((noinline, cold)) static uint32_t inet_sum_long(const unsigned char *p, size_t n,
                                                              uint32_t init) {
  for (; n > INET_CHUNK; p += INET_CHUNK, n -= INET_CHUNK)
    init = memlift_cpu_inet(p, INET_CHUNK, init);
  return memlift_cpu_inet(p, n, init);
}

uint32_t memlift_inet_sum(const void *p, size_t n, uint32_t init) {
  if (MEMLIFT_UNLIKELY(n > INET_CHUNK))
    return inet_sum_long((const unsigned char *)p, n, init);
  return memlift_cpu_inet(p, n, init);
}

uint32_t memlift_inet_combine(uint32_t first, size_t first_bytes, uint32_t second) {
  uint32_t folded = memlift_inet_fold(second, 0);
  return memlift_inet_fold(first_bytes & 1 ? memlift_inet_swap(folded) : folded, first);
}
