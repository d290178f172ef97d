/* entry_ones.c - the public ones' complement sums, over the kernel in use
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../include/memlift/memlift.h"
#include "../kernels/dispatch.h"
#include "../kernels/generic/sums.h"

/* Bytes per call of a kernel; a multiple of 8. */
#define ONES_CHUNK ((size_t)1 << 30)

/* Up to so many bytes two chains in place are faster than a kernel's vectors, whose lanes have to
 * be brought together: 8 bytes in 1.9 ns instead of 3.0 on a Sapphire Rapids. */
#define ONES_FEW ((size_t)96)

/* A function of its own, so that few bytes save no registers. */
__attribute__((noinline)) static uint64_t ones_sum_many(const unsigned char *p, size_t n,
                                                        uint64_t init) {
  for (; MEMLIFT_UNLIKELY(n > ONES_CHUNK); p += ONES_CHUNK, n -= ONES_CHUNK)
    init = memlift_add_around(init, memlift_cpu_ones(p, ONES_CHUNK));
  return memlift_add_around(init, memlift_cpu_ones(p, n));
}

/* n is a multiple of 8. */
MEMLIFT_INLINE uint64_t ones_sum(const void *from, size_t n, uint64_t init) {
  const unsigned char *p = (const unsigned char *)from;
  return MEMLIFT_LIKELY(n <= ONES_FEW) ? sum_around(p, n, init) : ones_sum_many(p, n, init);
}

uint64_t memlift_ones_sum_u64(const void *p, size_t n, uint64_t init) {
  return ones_sum(p, n & ~(size_t)7, init);
}

/* Adds words of 64 bits, as 2^64 - 1 is a multiple of 2^32 - 1, and a last one of 32 bits. */
uint32_t memlift_ones_sum_u32(const void *from, size_t n, uint32_t init) {
  const size_t whole = n & ~(size_t)7;
  uint64_t sum = init;
  if (n & 4)
    sum += load_packed((const unsigned char *)from + whole, 4);
  sum = ones_sum(from, whole, sum);
  sum = (sum & HALF_LOW) + (sum >> 32); /* at most 2^33 - 2 */
  return (uint32_t)sum + (uint32_t)(sum >> 32);
}
