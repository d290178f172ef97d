/* swaps.c - loops that swap bytes of numbers, built with memlift and without, side by side
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   for o in -O2 -O3 "-O3 -march=native"; do for cc in gcc clang-22; do
 *     memlift-$cc $o --memlift-off -DLOOPS=plain -c bench/micro/swaps.c -o plain.o
 *     memlift-$cc $o -DLOOPS=lifted -c bench/micro/swaps.c -o lifted.o
 *     memlift-$cc -O2 bench/micro/swaps.c plain.o lifted.o -o swaps && ./swaps
 *   done; done
 *
 * Prints for each loop and number of bytes the time of the build without memlift by that of the
 * build with it: each the seventh of 41 interleaved runs, from the fastest. 0..N: at random.
 */
#include <stddef.h>
#include <stdint.h>

typedef void loop(void *to, const void *from, size_t n);
struct entry {
  const char *name;
  loop *run;
  unsigned bytes; /* of an element */
};

#ifdef LOOPS
#define LOOP(name, out, in, ...)                                                                   \
  static void name(void *to, const void *from, size_t n) {                                         \
    out *restrict d = to;                                                                          \
    const in *restrict s = from;                                                                   \
    for (size_t i = 0; i < n; i++) {                                                               \
      __VA_ARGS__;                                                                                 \
    }                                                                                              \
  }

LOOP(whole16, uint16_t, uint16_t, d[i] = __builtin_bswap16(s[i]))
LOOP(whole32, uint32_t, uint32_t, d[i] = __builtin_bswap32(s[i]))
LOOP(whole64, uint64_t, uint64_t, d[i] = __builtin_bswap64(s[i]))
LOOP(store16, uint8_t, uint16_t, d[2 * i] = (uint8_t)(s[i] >> 8); d[2 * i + 1] = (uint8_t)s[i])
LOOP(store32, uint8_t, uint32_t, d[4 * i] = (uint8_t)(s[i] >> 24);
     d[4 * i + 1] = (uint8_t)(s[i] >> 16); d[4 * i + 2] = (uint8_t)(s[i] >> 8);
     d[4 * i + 3] = (uint8_t)s[i])
LOOP(load16, uint16_t, uint8_t, d[i] = (uint16_t)(s[2 * i] << 8 | s[2 * i + 1]))
LOOP(load32, uint32_t, uint8_t,
     d[i] = (uint32_t)s[4 * i] << 24 | (uint32_t)s[4 * i + 1] << 16 | (uint32_t)s[4 * i + 2] << 8 |
            s[4 * i + 3])

const struct entry LOOPS[] = {{"whole16", whole16, 2}, {"whole32", whole32, 4},
                              {"whole64", whole64, 8}, {"store16", store16, 2},
                              {"store32", store32, 4}, {"load16", load16, 2},
                              {"load32", load32, 4},   {0, 0, 0}};
#else
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

extern const struct entry plain[], lifted[];
enum { RUNS = 41, LENGTHS = 128, TIMES = 20, ROOM = 8192 };
static _Alignas(4096) char to[ROOM], from[ROOM];

static int less(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double timed(loop *run, const size_t *lengths) {
  struct timespec a, b;
  clock_gettime(CLOCK_MONOTONIC, &a);
  for (int j = 0; j < TIMES; j++)
    for (int i = 0; i < LENGTHS; i++)
      run(to + 16, from + 48, lengths[i]);
  clock_gettime(CLOCK_MONOTONIC, &b);
  return (double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec);
}

/* Returns the ratio for so many bytes; `any`: up to so many, at random. */
static double ratio(size_t k, size_t bytes, int any) {
  size_t lengths[LENGTHS];
  double times[2][RUNS];
  for (int i = 0; i < LENGTHS; i++)
    lengths[i] = (any ? (size_t)rand() % (bytes + 1) : bytes) / plain[k].bytes;
  for (int r = 0; r < RUNS; r++) {
    times[0][r] = timed(plain[k].run, lengths);
    times[1][r] = timed(lifted[k].run, lengths);
  }
  qsort(times[0], RUNS, sizeof times[0][0], less);
  qsort(times[1], RUNS, sizeof times[1][0], less);
  return times[0][6] / times[1][6];
}

int main(void) {
  static const size_t sizes[] = {16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 1500, 3800};
  for (size_t k = 0; plain[k].name; k++) {
    printf("%s 0..16:%.2f 0..64:%.2f", plain[k].name, ratio(k, 16, 1), ratio(k, 64, 1));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
      printf(" %zu:%.2f", sizes[i], ratio(k, sizes[i], 0));
    printf("\n");
  }
}
#endif
