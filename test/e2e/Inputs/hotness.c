// hotness.c - a loop that runs a million times, one that runs ten times, and one that never runs
#include <stddef.h>
#include <stdint.h>

// No copy of a function, in which the counts would be.
#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noipa))
#endif

NOINLINE void often(uint8_t *d, const uint8_t *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[4 * i] = s[i];
}

NOINLINE void seldom(uint8_t *d, const uint8_t *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[4 * i] = s[i] + 1;
}

NOINLINE void never(uint8_t *d, const uint8_t *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[4 * i] = s[i] + 2;
}

static uint8_t from[1000], to[4000];
int main(int count, char **words) {
  seldom(to, from, 10);
  for (int k = 0; k < 1000; k++)
    often(to, from, 1000);
  if (count > 9)
    never(to, from, 1000);
  return words[0][0] == 0;
}
