// search-profile.c - one search that is long on average, and one that is short
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stddef.h>
#include <stdio.h>

__attribute__((noinline)) long long_on_average(const char *p, size_t n, char c) {
  for (size_t i = 0; i < n; i++)
    if (p[i] == c)
      return (long)i;
  return -1;
}

__attribute__((noinline)) long short_on_average(const char *p, size_t n, char c) {
  for (size_t i = 0; i < n; i++)
    if (p[i] == c)
      return (long)i;
  return -1;
}

int main(void) {
  static char text[4096];
  long sum = 0;
  for (int i = 0; i < 4096; i++)
    text[i] = (char)(i % 8 == 7);
  for (int i = 0; i < 1000; i++) {
    sum += long_on_average(text + i, 3000, i % 4 ? 'x' : text[i]); /* a quarter ends at once */
    sum += short_on_average(text + i, 3000, 1);
  }
  printf("%ld\n", sum);
  return 0;
}
