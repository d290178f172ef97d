// inplace.c - CRCs for bench/inplace: once for each form (-DFORM=...), and with -DFORMS as main
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stddef.h>
#include <stdint.h>

typedef uint64_t crc(uint64_t state, const uint8_t *p, size_t n);
struct set {
  const char *name;
  crc *crcs[4];
};
#define CONCAT(a, b) a##b
#define SET(form) CONCAT(set_, form)

#ifdef FORM
#define DOWN(name, type, poly)                                                                     \
  static uint64_t name(uint64_t state, const uint8_t *p, size_t n) {                               \
    type c = (type)state;                                                                          \
    for (size_t i = 0; i < n; i++) {                                                               \
      c ^= p[i];                                                                                   \
      for (int k = 0; k < 8; k++)                                                                  \
        c = c & 1 ? c >> 1 ^ (type)(poly) : c >> 1;                                                \
    }                                                                                              \
    return c;                                                                                      \
  }
DOWN(crc32, uint32_t, 0xedb88320)
DOWN(crc32c, uint32_t, 0x82f63b78)
DOWN(crc64, uint64_t, 0xc96c5795d7870f42)
static uint64_t ccitt(uint64_t state, const uint8_t *p, size_t n) {
  uint16_t c = (uint16_t)state;
  for (size_t i = 0; i < n; i++) {
    c ^= (uint16_t)(p[i] << 8);
    for (int k = 0; k < 8; k++)
      c = (uint16_t)(c & 0x8000 ? c << 1 ^ 0x1021 : c << 1);
  }
  return c;
}
#define TEXT(x) #x
#define NAME(x) TEXT(x)
const struct set SET(FORM) = {NAME(FORM), {crc32, crc32c, ccitt, crc64}};
#else
#include <stdio.h>
#include <string.h>
#include <time.h>

#define X(form) extern const struct set SET(form);
FORMS
#undef X
#define X(form) &SET(form),
static const struct set *const sets[] = {FORMS};
enum { forms = sizeof sets / sizeof *sets, rounds = 60 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Nanoseconds a call, each beginning with what the one before returned. */
static double time_of(crc *f, const uint8_t *p, size_t n, size_t calls, uint64_t *state) {
  double start = now();
  for (size_t i = 0; i < calls; i++)
    *state = f(*state, p, n);
  return (now() - start) / (double)calls;
}

int main(void) {
  static const char *const names[] = {"CRC-32", "CRC-32C", "CRC-16/XMODEM", "CRC-64/XZ"};
  static const size_t sizes[] = {1, 3, 15, 64, 1500, 16384};
  static uint8_t buffer[16384 + 64];
  for (size_t i = 0; i < sizeof buffer; i++)
    buffer[i] = (uint8_t)(i * 2654435761u >> 13);
  printf("crc bytes");
  for (int s = 0; s < forms; s++)
    printf(" %s", sets[s]->name);
  puts("");
  for (int c = 0; c < 4; c++)
    for (size_t z = 0; z < sizeof sizes / sizeof *sizes; z++) {
      double best[forms];
      uint64_t state[forms];
      memset(state, 0, sizeof state);
      size_t calls = 200000 / (sizes[z] + 50) + 1;
      for (int r = 0; r < rounds; r++)
        for (int s = 0; s < forms; s++) {
          double t = time_of(sets[s]->crcs[c], buffer + 3, sizes[z], calls, &state[s]);
          best[s] = r && best[s] < t ? best[s] : t;
        }
      printf("%s %zu", names[c], sizes[z]);
      for (int s = 0; s < forms; s++) {
        if (state[s] != state[0])
          return fprintf(stderr, "%s of %zu bytes differs\n", names[c], sizes[z]), 1;
        printf(" %.3f", (double)sizes[z] / best[s]);
      }
      puts("");
    }
  return 0;
}
#endif
