/* short.c - copies and fills of lengths at random, beside those of the C library
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *     gcc-12 -O2 bench/micro/short.c build/lib/libmemlift.a -lpthread -o short
 *     ./short                           as this machine does them
 *     MEMLIFT_CPU=avx2 GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512VL_Usable ./short
 *                                       as a machine without AVX-512 does them
 *
 * Prints ns a call, the fastest of 400 rounds of 4,096 lengths, and the C library's by memlift's.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void *memlift_copy(void *dst, const void *src, size_t n);
void *memlift_fill8(void *dst, int value, size_t n);

enum { Calls = 4096, Rounds = 400, Places = 256, Stride = 64 };

static unsigned char to[1 << 16], from[1 << 16];
static unsigned lengths[Calls];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

__attribute__((noinline)) static double run(int which) {
  double start = now();
  for (int i = 0; i < Calls; i++) {
    unsigned char *d = to + i % Places * Stride, *s = from + i % Places * Stride;
    switch (which) {
    case 0: memcpy(d, s, lengths[i]); break;
    case 1: memlift_copy(d, s, lengths[i]); break;
    case 2: memset(d, i, lengths[i]); break;
    default: memlift_fill8(d, i, lengths[i]);
    }
    __asm__ volatile("" ::: "memory");
  }
  return (now() - start) / Calls;
}

int main(void) {
  static const unsigned ranges[][2] = {{0, 16},     {17, 40},     {0, 64}, {65, 300},
                                       {288, 2048}, {1500, 1500}, {8, 8},  {32, 32}};
  memset(to, 1, sizeof to), memset(from, 2, sizeof from);
  puts("| bytes | memcpy, copy | ratio | memset, fill | ratio |\n|---|---|---:|---|---:|");
  for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
    double best[4] = {1e9, 1e9, 1e9, 1e9};
    for (int i = 0; i < Calls; i++)
      lengths[i] = ranges[k][0] + rand() % (ranges[k][1] - ranges[k][0] + 1);
    for (int round = 0; round < Rounds; round++)
      for (int which = 0; which < 4; which++) {
        double t = run(which);
        best[which] = t < best[which] ? t : best[which];
      }
    printf("| %u..%u | %.2f, %.2f | %.2f | %.2f, %.2f | %.2f |\n", ranges[k][0], ranges[k][1],
           best[0], best[1], best[0] / best[1], best[2], best[3], best[2] / best[3]);
  }
}
