/* app.c - prints the sum of a copy; each build has to replace both loops
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

__attribute__((noinline)) void copy(uint8_t *restrict to, const uint8_t *restrict from, size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] = from[i];
}

__attribute__((noinline)) uint64_t sum(const uint16_t *from, size_t n) {
  uint64_t total = 0;
  for (size_t i = 0; i < n; i++)
    total += from[i];
  return total;
}

int main(void) {
  static uint16_t from[5000], to[5000];
  for (unsigned i = 0; i < 5000; i++)
    from[i] = (uint16_t)(i * 77 >> 2);
  copy((uint8_t *)to, (uint8_t *)from, sizeof from);
  printf("%llu\n", (unsigned long long)sum(to, 5000));
  return 0;
}
