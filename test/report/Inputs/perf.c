// perf.c - the program that perf-clang.txt and perf-gcc.txt are of: perf record -g -e cpu-clock:u,
// perf script -F ip,sym,srcline

#include <stddef.h>
#include <stdint.h>
static inline void spread(uint8_t *d, const uint8_t *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[4 * i] = s[i];
}
__attribute__((noinline)) void hot(uint8_t *d, const uint8_t *s, size_t n) { spread(d, s, n); }
__attribute__((noinline)) void cold(uint8_t *d, const uint8_t *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[4 * i] = s[i] + 1;
}
__attribute__((noinline)) void copied(uint8_t *restrict d, const uint8_t *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}
static uint8_t a[50000], b[50000];
int main(void) {
  for (int k = 0; k < 30000; k++)
    hot(a, b, 10000);
  for (int k = 0; k < 30000; k++)
    copied(a, b, 50000);
  for (int k = 0; k < 3000; k++)
    cold(a, b, 10000);
  return a[7];
}
