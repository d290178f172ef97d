/* rings.c - copies, fills and sums through a ring buffer, built with memlift and without
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   memlift-gcc -O2 --memlift-off '-DF(x)=plain_##x' -DLOOPS -c rings.c -o plain.o
 *   memlift-gcc -O2 '-DF(x)=lifted_##x' -DLOOPS -c rings.c -o lifted.o
 *   gcc -O2 rings.c plain.o lifted.o
 *
 * Prints the time of the build without memlift by that of the build with it, the least of
 * interleaved runs each: for numbers of bytes that do not come to the end of the ring, for those of
 * which half are before its end and half at its beginning, and for lengths at random, each of which
 * begins where the last one ended.
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

enum { SIZE = 1024, LARGEST = 4096, LENGTHS = 512 };
/* No byte of one is 4,096 bytes from its like of the other, for which some cores wait. */
static _Alignas(64) uint8_t ring[LARGEST + 1088], flat[LARGEST];
static unsigned lengths[LENGTHS];

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double again(loop *f, unsigned n, unsigned at) {
  enum { CALLS = 3000 };
  double begin = seconds();
  for (int i = 0; i < CALLS; i++) {
    f(ring, flat, n, at, SIZE);
    __asm__ volatile("" ::"r"(ring) : "memory");
  }
  return seconds() - begin;
}

static double atRandom(loop *f, unsigned size, unsigned at) {
  enum { TIMES = 8 };
  double begin = seconds();
  for (int i = 0; i < TIMES * LENGTHS; i++) {
    f(ring, flat, lengths[i % LENGTHS], at, size);
    at = (at + lengths[i % LENGTHS]) & (size - 1);
  }
  return seconds() - begin;
}

static double compare(double (*once)(loop *, unsigned, unsigned), loop *plain, loop *lifted,
                      unsigned n, unsigned at) {
  double best[2] = {1e18, 1e18};
  for (int run = 0; run < 60; run++)
    for (int which = 0; which < 2; which++) {
      double took = once(which ? lifted : plain, n, at);
      best[which] = took < best[which] ? took : best[which];
    }
  return best[0] / best[1];
}

static void compareAtRandom(unsigned size, unsigned least, unsigned most) {
  uint64_t seed = 88172645463325252u;
  for (int i = 0; i < LENGTHS; i++) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    lengths[i] = least + (unsigned)(seed % (most - least + 1));
  }
  printf("%u to %u in %u:", least, most, size);
#define AT_RANDOM(name) printf(" %.2f", compare(atRandom, plain_##name, lifted_##name, size, 0));
  FORMS(AT_RANDOM)
  printf("\n");
}

int main(void) {
  static const unsigned sizes[] = {0, 1, 2, 4, 8, 12, 16, 24, 32, 64, 256, 1000};
  static const unsigned rings[] = {64, 256, 1024, LARGEST};
  static const unsigned from[] = {0, 17, 0, 65, 288}, to[] = {16, 40, 64, 300, 2048};
#define EACH(name)                                                                                 \
  for (int wraps = 0; wraps < 2; wraps++) {                                                        \
    printf(#name "%s", wraps ? ", wraps" : "");                                                    \
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)                                      \
      printf(" %u: %.2f", sizes[i],                                                                \
             compare(again, plain_##name, lifted_##name, sizes[i],                                 \
                     wraps ? SIZE - 1 - sizes[i] / 2 : 3));                                        \
    printf("\n");                                                                                  \
  }
  FORMS(EACH)
  printf("at random, in this order\n");
  for (size_t i = 0; i < sizeof rings / sizeof *rings; i++)
    for (size_t k = 0; k < sizeof from / sizeof *from; k++)
      if (to[k] <= rings[i])
        compareAtRandom(rings[i], from[k], to[k]);
  return 0;
}
#endif
