/* called.c - calls of the routines written by hand, where naive.c has loops
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The same types and results as there, so the same conversions around the call.
 */
#include "naive.h"

#include <memlift/memlift.h>

static uint64_t inet(unsigned char *to, const unsigned char *from, size_t n) {
  (void)to;
  return memlift_inet_sum(from, n, 0);
}

/* The sum alone; the source's own odd byte and fold come after it. */
static uint64_t inet_deferred(unsigned char *to, const unsigned char *from, size_t n) {
  uint64_t sum = memlift_sum_u16(from, n & ~(size_t)1);
  (void)to;
  if (n & 1)
    sum += from[n - 1];
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return sum;
}

static uint64_t adler32(unsigned char *to, const unsigned char *from, size_t n) {
  uint64_t both = memlift_modsum_u8(from, n, 1, 65521, 0);
  uint32_t a = (uint32_t)both, b = (uint32_t)(both >> 32);
  (void)to;
  return b << 16 | a;
}

static uint64_t fletcher16(unsigned char *to, const unsigned char *from, size_t n) {
  uint64_t both = memlift_modsum_u8(from, n, 0, 255, 0);
  uint32_t a = (uint32_t)both, b = (uint32_t)(both >> 32);
  (void)to;
  return b << 8 | a;
}

static uint64_t copy(unsigned char *restrict to, const unsigned char *restrict from, size_t n) {
  memlift_copy(to, from, n);
  return 0;
}

static uint64_t fill(unsigned char *to, const unsigned char *from, size_t n) {
  memlift_fill8(to, (unsigned char)(uintptr_t)from, n);
  return 0;
}

static uint64_t fill32(unsigned char *to, const unsigned char *from, size_t n) {
  memlift_fill32(to, (uint32_t)(uintptr_t)from, n & ~(size_t)3);
  return 0;
}

static uint64_t copy_inet(unsigned char *restrict to, const unsigned char *restrict from,
                          size_t n) {
  return memlift_copy_inet_sum(to, from, n & ~(size_t)1, 0);
}

static uint64_t copy_inet_deferred(unsigned char *restrict to, const unsigned char *restrict from,
                                   size_t n) {
  uint64_t sum = memlift_copy_sum_u16(to, from, n & ~(size_t)1);
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return sum;
}

#define SUM(name)                                                                                  \
  static uint64_t name(unsigned char *to, const unsigned char *from, size_t n) {                   \
    uint32_t x = (uint32_t)memlift_##name(from, n);                                                \
    (void)to;                                                                                      \
    return x;                                                                                      \
  }
SUM(sum_u8)
SUM(sum_u16)
SUM(sum_u32)
SUM(xor_u8)

#define JOIN(a, b) a##b
#define TABLE(tag) JOIN(naive_, tag)
const struct naive_loop TABLE(NAIVE)[] = {
    {"inet", inet, 2},           {"inet_deferred", inet_deferred, 2},
    {"copy_inet", copy_inet, 2}, {"copy_inet_deferred", copy_inet_deferred, 2},
    {"adler32", adler32, 1},     {"fletcher16", fletcher16, 1},
    {"copy", copy, 1},           {"fill", fill, 1},
    {"fill32", fill32, 4},       {"sum_u8", sum_u8, 1},
    {"xor_u8", xor_u8, 1},       {"sum_u16", sum_u16, 2},
    {"sum_u32", sum_u32, 4},     {NULL, NULL, 0},
};
