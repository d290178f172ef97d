/* naive.c - the loops that people write; compiled again and again, -DNAIVE=tag names the table
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "naive.h"

static uint64_t inet(unsigned char *to, const unsigned char *from, size_t n) {
  const uint16_t *p = (const uint16_t *)(const void *)from;
  uint32_t sum = 0;
  (void)to;
  for (; n > 1; n -= 2) {
    sum += *p++;
    if (sum > 0xffff)
      sum -= 0xffff;
  }
  if (n)
    sum += *(const unsigned char *)p;
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return sum;
}

static uint64_t inet_deferred(unsigned char *to, const unsigned char *from, size_t n) {
  const uint16_t *p = (const uint16_t *)(const void *)from;
  uint64_t sum = 0;
  (void)to;
  for (size_t i = 0; i < n / 2; i++)
    sum += p[i];
  if (n & 1)
    sum += from[n - 1];
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return sum;
}

static uint64_t crc32(unsigned char *to, const unsigned char *from, size_t n) {
  uint32_t crc = 0xffffffff;
  (void)to;
  for (size_t i = 0; i < n; i++) {
    crc ^= from[i];
    for (int k = 0; k < 8; k++)
      crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
  }
  return ~crc;
}

static uint64_t crc_any(unsigned char *to, const unsigned char *from, size_t n) {
  static volatile uint32_t given = 0x5a5b3c1;
  uint32_t crc = 0x7ffffff, poly = given;
  (void)to;
  for (size_t i = 0; i < n; i++) {
    crc ^= (uint32_t)from[i] << 19;
    for (int k = 0; k < 8; k++)
      crc = (crc & 0x4000000 ? crc << 1 ^ poly : crc << 1) & 0x7ffffff;
  }
  return crc;
}

static uint64_t adler32(unsigned char *to, const unsigned char *from, size_t n) {
  uint32_t a = 1, b = 0;
  (void)to;
  for (size_t i = 0; i < n; i++) {
    a = (a + from[i]) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

static uint64_t fletcher16(unsigned char *to, const unsigned char *from, size_t n) {
  uint32_t a = 0, b = 0;
  (void)to;
  for (size_t i = 0; i < n; i++) {
    a = (a + from[i]) % 255;
    b = (b + a) % 255;
  }
  return b << 8 | a;
}

static uint64_t copy(unsigned char *restrict to, const unsigned char *restrict from, size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] = from[i];
  return 0;
}

static uint64_t fill(unsigned char *to, const unsigned char *from, size_t n) {
  unsigned char value = (unsigned char)(uintptr_t)from;
  for (size_t i = 0; i < n; i++)
    to[i] = value;
  return 0;
}

static uint64_t fill32(unsigned char *to, const unsigned char *from, size_t n) {
  uint32_t *p = (uint32_t *)(void *)to, value = (uint32_t)(uintptr_t)from;
  for (size_t i = 0; i < n / 4; i++)
    p[i] = value;
  return 0;
}

static uint64_t copy_inet(unsigned char *restrict to, const unsigned char *restrict from,
                          size_t n) {
  uint16_t *q = (uint16_t *)(void *)to;
  const uint16_t *p = (const uint16_t *)(const void *)from;
  uint32_t sum = 0;
  for (size_t i = 0; i < n / 2; i++) {
    q[i] = p[i];
    sum += p[i];
    sum = (sum & 0xffff) + (sum >> 16);
  }
  return sum;
}

static uint64_t copy_inet_deferred(unsigned char *restrict to, const unsigned char *restrict from,
                                   size_t n) {
  uint16_t *q = (uint16_t *)(void *)to;
  const uint16_t *p = (const uint16_t *)(const void *)from;
  uint64_t sum = 0;
  for (size_t i = 0; i < n / 2; i++) {
    sum += p[i];
    q[i] = p[i];
  }
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return sum;
}

#define SUM(name, type, op)                                                                        \
  static uint64_t name(unsigned char *to, const unsigned char *from, size_t n) {                   \
    const type *p = (const type *)(const void *)from;                                              \
    uint32_t x = 0;                                                                                \
    (void)to;                                                                                      \
    for (size_t i = 0; i < n / sizeof *p; i++)                                                     \
      x op p[i];                                                                                   \
    return x;                                                                                      \
  }
SUM(sum_u8, uint8_t, +=)
SUM(sum_u16, uint16_t, +=)
SUM(sum_u32, uint32_t, +=)
SUM(xor_u8, uint8_t, ^=)

#define JOIN(a, b) a##b
#define TABLE(tag) JOIN(naive_, tag)
const struct naive_loop TABLE(NAIVE)[] = {
    {"inet", inet, 2},           {"inet_deferred", inet_deferred, 2},
    {"copy_inet", copy_inet, 2}, {"copy_inet_deferred", copy_inet_deferred, 2},
    {"crc32", crc32, 1},         {"crc_any", crc_any, 1},
    {"adler32", adler32, 1},     {"fletcher16", fletcher16, 1},
    {"copy", copy, 1},           {"fill", fill, 1},
    {"fill32", fill32, 4},       {"sum_u8", sum_u8, 1},
    {"xor_u8", xor_u8, 1},       {"sum_u16", sum_u16, 2},
    {"sum_u32", sum_u32, 4},     {NULL, NULL, 0},
};
