/* built_twice.c - loops of test/e2e/Inputs that are built with memlift and without, side by side
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   cd test/e2e/Inputs
 *   memlift-gcc -O2 --memlift-off '-DF(x)=plain_##x' -c generators.c -o plain.o
 *   memlift-gcc -O2 '-DF(x)=lifted_##x' -c generators.c -o lifted.o
 *   gcc -O2 -I. -DGENERATORS ../../../bench/micro/built_twice.c plain.o lifted.o
 *
 * For by-words.c without -DGENERATORS, and with -fno-strict-aliasing. Prints the time of the build
 * without memlift by that of the build with it, the least of interleaved runs each: of generators
 * with both times in nanoseconds, of the others for numbers of elements.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { ROOM = 1 << 16, RUNS = 60 };
static _Alignas(64) unsigned char to[ROOM + 64], from[ROOM + 64], other[ROOM + 64];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

#ifdef GENERATORS
#include "generators.h"
typedef void loop(void *table, uint32_t poly);
#define EACH(X) FILLED(X)
static void call(loop *f, size_t n) {
  (void)n;
  f(to, 0xedb88320u);
}
static const size_t sizes[] = {256};
#else
#include "by-words.h"
typedef void loop(void *d, const void *s, const void *t, size_t n, uint32_t k);
#define EACH(X) ELEMENTS(X)
static void call(loop *f, size_t n) { f(to + 1, from + 3, other + 5, n, 7); }
static const size_t sizes[] = {0,  1,  2,  3,  4,  6,  8,  12,  15,  16,   20,
                               24, 31, 32, 40, 48, 63, 64, 100, 256, 1000, 16000};
#endif

static double once(loop *f, size_t n) {
  const int calls = n < 64 ? 2000 : n < 2000 ? 300 : 20;
  const double begin = now();
  for (int i = 0; i < calls; i++) {
    call(f, n);
    __asm__ volatile("" ::"r"(to) : "memory");
  }
  return (now() - begin) / calls;
}

static void compare(const char *name, loop *plain, loop *lifted) {
  printf("%s", name);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    double best[2] = {1e18, 1e18};
    for (int run = 0; run < 2 * RUNS; run++) {
      double ns = once(run % 2 ? lifted : plain, sizes[i]);
      best[run % 2] = ns < best[run % 2] ? ns : best[run % 2];
    }
#ifdef GENERATORS
    printf(" %.0f ns, %.0f ns:", best[0], best[1]);
#else
    printf(" %zu:", sizes[i]);
#endif
    printf(" %.2f", best[0] / best[1]);
  }
  printf("\n");
}

#define DECLARE(name, bytes) loop plain_##name, lifted_##name;
EACH(DECLARE)

int main(void) {
#define TIME(name, bytes) compare(#name, plain_##name, lifted_##name);
  EACH(TIME)
}
