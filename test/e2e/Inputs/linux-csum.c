/* linux-csum.c - the checksums of examples/linux beside sums of 16-bit words, folded at the end.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

uint32_t csum_partial(const void *buffer, int length, uint32_t sum);
uint32_t csum_and_copy(const void *from, void *to, int length);

static uint32_t folded(uint64_t sum) {
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return (uint32_t)sum;
}

static uint32_t expected(const unsigned char *p, int n, uint32_t start) {
  uint64_t sum = start;
  for (int i = 0; i < n; i++)
    sum += (uint32_t)p[i] << (i & 1 ? 8 : 0);
  return folded(sum);
}

int main(void) {
  static unsigned char from[700], to[700];
  for (size_t i = 0; i < sizeof from; i++)
    from[i] = (unsigned char)(i * 97 + (i >> 3));
  for (int n = 0; n <= 600; n++)
    for (int at = 0; at < 9; at++) {
      memset(to, 1, sizeof to);
      uint32_t sum = csum_partial(from + at, n, 0xfedc9876u);
      uint32_t copied = csum_and_copy(from + at, to + 5, n);
      if (folded(sum) != expected(from + at, n, 0xfedc9876u) ||
          folded(copied) != expected(from + at, n, ~0u) || memcmp(to + 5, from + at, (size_t)n) ||
          to[4] != 1 || to[5 + n] != 1) {
        printf("%d bytes from +%d are wrong\n", n, at);
        return 1;
      }
    }
  puts("sums are right");
  return 0;
}
