/* entry_sums.c - the public sums and the Internet checksum, over the kernels in use
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * No engine computes these in this version. The polynomial hash is public in its generic kernel,
 * which calls the machine's own for many bytes.
 */
#include "../include/memlift/memlift.h"
#include "../kernels/dispatch.h"
#include "../kernels/generic/sums.h"
#include "../kernels/inet.h"

uint64_t memlift_sum_u8(const void *p, size_t n) { return memlift_cpu_sum(MEMLIFT_SUM_U8, p, n); }

uint64_t memlift_sum_s8(const void *p, size_t n) { return memlift_cpu_sum(MEMLIFT_SUM_S8, p, n); }

uint64_t memlift_sum_u16(const void *p, size_t n) { return memlift_cpu_sum(MEMLIFT_SUM_U16, p, n); }

uint64_t memlift_sum_s16(const void *p, size_t n) { return memlift_cpu_sum(MEMLIFT_SUM_S16, p, n); }

uint64_t memlift_sum_u32(const void *p, size_t n) { return memlift_cpu_sum(MEMLIFT_SUM_U32, p, n); }

uint32_t memlift_sum_low_u32(const void *p, size_t n) {
  return (uint32_t)memlift_cpu_sum(MEMLIFT_SUM_LOW32, p, n);
}

uint64_t memlift_sum_s32(const void *p, size_t n) { return memlift_cpu_sum(MEMLIFT_SUM_S32, p, n); }

uint64_t memlift_sum_u64(const void *p, size_t n) { return memlift_cpu_sum(MEMLIFT_SUM_U64, p, n); }

uint64_t memlift_sum_swap_u16(const void *p, size_t n) {
  return memlift_cpu_sum(MEMLIFT_SUM_SWAP16, p, n);
}

uint64_t memlift_sum_swap_u32(const void *p, size_t n) {
  return memlift_cpu_sum(MEMLIFT_SUM_SWAP32, p, n);
}

uint64_t memlift_wsum_u8(const void *p, size_t n) { return memlift_cpu_sum(MEMLIFT_WSUM_U8, p, n); }

uint64_t memlift_wsum_s8(const void *p, size_t n) { return memlift_cpu_sum(MEMLIFT_WSUM_S8, p, n); }

uint64_t memlift_wsum_u64(const void *p, size_t n) {
  return memlift_cpu_sum(MEMLIFT_WSUM_U64, p, n);
}

uint64_t memlift_wsum_u16(const void *p, size_t n) {
  return memlift_cpu_sum(MEMLIFT_WSUM_U16, p, n);
}

uint64_t memlift_wsum_u32(const void *p, size_t n) {
  return memlift_cpu_sum(MEMLIFT_WSUM_U32, p, n);
}

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

uint32_t memlift_copy_inet_sum(void *restrict dst, const void *restrict src, size_t n,
                               uint32_t init) {
  return memlift_cpu_copy_inet(dst, src, n, init);
}

uint64_t memlift_copy_sum_u16(void *restrict dst, const void *restrict src, size_t n) {
  return memlift_cpu_copy_sum(dst, src, n);
}

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
