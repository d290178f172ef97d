/* written_before.c - sums of numbers that a memcpy has just written, built with memlift and without
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   memlift-gcc -O2 --memlift-off '-DF(x)=plain_##x' -DLOOPS -c written_before.c -o plain.o
 *   memlift-gcc -O2 '-DF(x)=lifted_##x' -DLOOPS -c written_before.c -o lifted.o
 *   gcc -O2 written_before.c plain.o lifted.o
 *
 * Prints the time of the build without memlift by that of the build with it, the least of
 * interleaved runs each, for numbers of bytes: those of a variable size, and of constant ones.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define VARIABLE(X) X(u8, uint8_t) X(u16, uint16_t) X(u32, uint32_t) X(u64, uint64_t)
#define CONSTANT(X) X(64) X(80) X(96) X(128) X(160) X(192) X(256) X(512)

#ifdef LOOPS
#define SUM(name, type)                                                                            \
  uint64_t F(name)(void *to, const void *from, size_t bytes) {                                     \
    type *d = to;                                                                                  \
    uint64_t sum = 0;                                                                              \
    memcpy(to, from, bytes);                                                                       \
    for (size_t i = 0; i < bytes / sizeof *d; i++)                                                 \
      sum += d[i];                                                                                 \
    return sum;                                                                                    \
  }
VARIABLE(SUM)
#define SUM_OF(bytes)                                                                              \
  uint64_t F(constant##bytes)(void *to, const void *from, size_t unused) {                         \
    uint16_t *d = to;                                                                              \
    uint32_t sum = 0;                                                                              \
    (void)unused;                                                                                  \
    memcpy(to, from, bytes);                                                                       \
    for (size_t i = 0; i < bytes / sizeof *d; i++)                                                 \
      sum += d[i];                                                                                 \
    return sum;                                                                                    \
  }
CONSTANT(SUM_OF)
#else
typedef uint64_t loop(void *to, const void *from, size_t bytes);
#define DECLARE(name, ...) loop plain_##name, lifted_##name;
VARIABLE(DECLARE)
#define DECLARE_OF(bytes) DECLARE(constant##bytes)
CONSTANT(DECLARE_OF)

/* No byte of one is 4,096 bytes from its like of the other, for which some cores wait. */
static _Alignas(64) unsigned char to[2048 + 1088], from[2048];

static double once(loop *f, size_t bytes) {
  struct timespec begin, end;
  enum { CALLS = 3000 };
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int i = 0; i < CALLS; i++) {
    f(to, from, bytes);
    __asm__ volatile("" ::"r"(to) : "memory");
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  return ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) /
         CALLS;
}

static void compare(loop *plain, loop *lifted, size_t bytes) {
  double best[2] = {1e18, 1e18};
  for (int run = 0; run < 60; run++)
    for (int which = 0; which < 2; which++) {
      double took = once(which ? lifted : plain, bytes);
      best[which] = took < best[which] ? took : best[which];
    }
  printf(" %zu: %.2f", bytes, best[0] / best[1]);
}

int main(void) {
  static const size_t sizes[] = {16, 32, 64, 80, 96, 128, 160, 192, 256, 320, 384, 512, 1024};
#define EACH(name, type)                                                                           \
  printf(#name);                                                                                   \
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)                                        \
    compare(plain_##name, lifted_##name, sizes[i]);                                                \
  printf("\n");
  VARIABLE(EACH)
  printf("constant u16");
#define EACH_OF(bytes) compare(plain_constant##bytes, lifted_constant##bytes, bytes);
  CONSTANT(EACH_OF)
  printf("\n");
  return 0;
}
#endif
