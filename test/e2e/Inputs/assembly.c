/* assembly.c - the loops whose shape in assembly is looked at
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <stddef.h>
#include <stdint.h>

void copy(char *restrict d, const char *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

void copy_words(uint64_t *restrict d, const uint64_t *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

void shift(char *p, size_t n) { /* drops three bytes in front */
  for (size_t i = 0; i < n; i++)
    p[i] = p[i + 3];
}

void fill(char *d, char v, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = v;
}

unsigned checksum(const unsigned char *p, size_t n) {
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
