/* rings.c - copies, fills and sums through a ring buffer, built with memlift and without
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   memlift-gcc -O2 --memlift-off '-DF(x)=plain_##x' -DLOOPS -c rings.c -o plain.o
 *   memlift-gcc -O2 '-DF(x)=lifted_##x' -DLOOPS -c rings.c -o lifted.o
 *   gcc -O2 rings.c plain.o lifted.o
 *
 * Prints the time of the build without memlift by that of the build with it, the least of
 * interleaved runs each, for numbers of bytes: those that do not come to the end of the ring, and
 * those of which half are before its end and half at its beginning.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define FORMS(X) X(put_masked) X(put_compared) X(get_masked) X(clear_masked) X(sum_masked)

#ifdef LOOPS
unsigned F(put_masked)(uint8_t *ring, uint8_t *flat, unsigned n, unsigned at, unsigned size) {
  for (unsigned i = 0; i < n; i++) {
    ring[at] = flat[i];
    at = (at + 1) & (size - 1);
  }
  return at;
}

unsigned F(put_compared)(uint8_t *ring, uint8_t *flat, unsigned n, unsigned at, unsigned size) {
  for (unsigned i = 0; i < n; i++) {
    ring[at] = flat[i];
    if (++at == size)
      at = 0;
  }
  return at;
}

unsigned F(get_masked)(uint8_t *ring, uint8_t *flat, unsigned n, unsigned at, unsigned size) {
  for (unsigned i = 0; i < n; i++) {
    flat[i] = ring[at];
    at = (at + 1) & (size - 1);
  }
  return at;
}

unsigned F(clear_masked)(uint8_t *ring, uint8_t *flat, unsigned n, unsigned at, unsigned size) {
  (void)flat;
  for (unsigned i = 0; i < n; i++) {
    ring[at] = 0;
    at = (at + 1) & (size - 1);
  }
  return at;
}

unsigned F(sum_masked)(uint8_t *ring, uint8_t *flat, unsigned n, unsigned at, unsigned size) {
  unsigned sum = 0;
  (void)flat;
  for (unsigned i = 0; i < n; i++) {
    sum += ring[at];
    at = (at + 1) & (size - 1);
  }
  return sum;
}
#else
typedef unsigned loop(uint8_t *ring, uint8_t *flat, unsigned n, unsigned at, unsigned size);
#define DECLARE(name) loop plain_##name, lifted_##name;
FORMS(DECLARE)

enum { SIZE = 1024 };
/* No byte of one is 4,096 bytes from its like of the other, for which some cores wait. */
static _Alignas(64) uint8_t ring[SIZE + 1088], flat[SIZE];

static double once(loop *f, unsigned n, unsigned at) {
  struct timespec begin, end;
  enum { CALLS = 3000 };
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int i = 0; i < CALLS; i++) {
    f(ring, flat, n, at, SIZE);
    __asm__ volatile("" ::"r"(ring) : "memory");
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  return ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) /
         CALLS;
}

static void compare(loop *plain, loop *lifted, unsigned n, unsigned at) {
  double best[2] = {1e18, 1e18};
  for (int run = 0; run < 60; run++)
    for (int which = 0; which < 2; which++) {
      double took = once(which ? lifted : plain, n, at);
      best[which] = took < best[which] ? took : best[which];
    }
  printf(" %u: %.2f", n, best[0] / best[1]);
}

int main(void) {
  static const unsigned sizes[] = {0, 1, 2, 4, 8, 12, 16, 24, 32, 64, 256, 1000};
#define EACH(name)                                                                                 \
  for (int wraps = 0; wraps < 2; wraps++) {                                                        \
    printf(#name "%s", wraps ? ", wraps" : "");                                                    \
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)                                      \
      compare(plain_##name, lifted_##name, sizes[i], wraps ? SIZE - 1 - sizes[i] / 2 : 3);         \
    printf("\n");                                                                                  \
  }
  FORMS(EACH)
  return 0;
}
#endif
