/* entry_xor.c - the public exclusive-ors, over the kernel in use
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../include/memlift/memlift.h"
#include "../kernels/dispatch.h"

/* The lanes of 64-bit words are narrower words in either byte order, and so are their tops and
 * bottoms; zero bytes after the last word change nothing. */
uint64_t memlift_xor_u64(const void *p, size_t n) {
  return memlift_cpu_sum(MEMLIFT_XOR, p, n & ~(size_t)7);
}

uint64_t memlift_xor_u32(const void *p, size_t n) {
  uint64_t x = memlift_cpu_sum(MEMLIFT_XOR, p, n & ~(size_t)3);
  return (x ^ x >> 32) & 0xffffffffu;
}

uint64_t memlift_xor_u16(const void *p, size_t n) {
  uint64_t x = memlift_cpu_sum(MEMLIFT_XOR, p, n & ~(size_t)1);
  x ^= x >> 32;
  return (x ^ x >> 16) & 0xffff;
}

uint64_t memlift_xor_u8(const void *p, size_t n) {
  uint64_t x = memlift_cpu_sum(MEMLIFT_XOR, p, n);
  x ^= x >> 32;
  x ^= x >> 16;
  return (x ^ x >> 8) & 0xff;
}
