// kernels.c - the loops that people write, for the compilers under test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels.h"

void k_copy(unsigned char *d, const unsigned char *s, size_t n) {
  for (size_t i = 0; i < n; ++i)
    d[i] = s[i];
}

void k_copy_restrict(unsigned char *restrict d, const unsigned char *restrict s, size_t n) {
  for (size_t i = 0; i < n; ++i)
    d[i] = s[i];
}

void k_fill(unsigned char *d, int value, size_t n) {
  for (size_t i = 0; i < n; ++i)
    d[i] = (unsigned char)value;
}

unsigned k_inet(const unsigned char *p, size_t n) {
  unsigned sum = 0;
  for (size_t i = 0; i + 1 < n; i += 2) {
    sum += (unsigned)p[i] << 8 | p[i + 1];
    sum = (sum & 0xffff) + (sum >> 16);
  }
  if (n & 1)
    sum += (unsigned)p[n - 1] << 8;
  sum = (sum & 0xffff) + (sum >> 16);
  return ~sum & 0xffff;
}

unsigned k_inet_deferred(const unsigned char *p, size_t n) {
  unsigned sum = 0;
  for (size_t i = 0; i + 1 < n; i += 2)
    sum += (unsigned)p[i] << 8 | p[i + 1];
  if (n & 1)
    sum += (unsigned)p[n - 1] << 8;
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return ~sum & 0xffff;
}

void k_copy_down(unsigned char *d, const unsigned char *s, size_t n) {
  for (size_t i = n; i-- > 0;)
    d[i] = s[i];
}

void k_xor(unsigned char *d, const unsigned char *s, size_t n) {
  for (size_t i = 0; i < n; ++i)
    d[i] = s[i] ^ 0x5a;
}

void k_turn(unsigned *d, const unsigned *s, size_t n) {
  for (size_t i = 0; i < n; ++i)
    d[i] = s[i] << 24 | (s[i] & 0xff00) << 8 | (s[i] >> 8 & 0xff00) | s[i] >> 24;
}

void k_scaled(unsigned *d, const unsigned *s, size_t n) {
  for (size_t i = 0; i < n; ++i)
    d[i] += (unsigned)n * s[i];
}

void k_scaled_restrict(unsigned *restrict d, const unsigned *restrict s, size_t n) {
  for (size_t i = 0; i < n; ++i)
    d[i] += (unsigned)n * s[i];
}
