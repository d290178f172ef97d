/* entry_modsum_bytes.c - sums of bytes modulo m, and sums of them: Adler-32, Fletcher-16
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "modsum.h"

/* Bytes per call of the kernel of both sums; b' stays below 2^32 + 2^47 + 2^37. */
#define PAIR_BLOCK ((size_t)32768)

static uint64_t modsum_bytes(const unsigned char *p, size_t n, uint64_t start, uint64_t m,
                             uint32_t how) {
  struct modsum s = {start & 0xffffffffu, start >> 32};
  while (n) {
    size_t now = n < PAIR_BLOCK ? n : PAIR_BLOCK;
    struct memlift_pair both = memlift_cpu_pair(p, now);
    s.b += now * s.a + both.weighted - (how & MEMLIFT_MODSUM_BEFORE ? both.sum : 0);
    s.a = reduce(s.a + both.sum, m, how);
    s.b = reduce(s.b, m, how);
    p += now;
    n -= now;
  }
  return s.b << 32 | s.a;
}

uint64_t memlift_modsum_u8(const void *p, size_t n, uint64_t start, uint64_t m, uint32_t how) {
  if (how & MEMLIFT_MODSUM_FIRST)
    return modsum(p, n, start, m, how, 1, MEMLIFT_SUM_U8, -1);
  return modsum_bytes((const unsigned char *)p, n, start, m, how);
}
