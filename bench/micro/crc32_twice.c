/* crc32_twice.c - zlib's crc32() built with memlift and without, side by side
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   apt-get source zlib; cd zlib-*; cp crc32.c crc32.h zutil.h zlib.h zconf.h gzguts.h DIRECTORY
 *   gcc -O2 -c crc32.c && objcopy --prefix-symbols=plain_ crc32.o plain.o
 *   memlift-gcc -O2 -c crc32.c && objcopy --redefine-sym crc32=lifted_crc32 \
 *     --keep-global-symbol=lifted_crc32 crc32.o lifted.o
 *   memlift-gcc -O2 crc32_twice.c plain.o lifted.o && taskset -c 1 ./a.out
 *
 * Prints for numbers of bytes the ticks of rdtsc, without and with memlift, and their quotient:
 * medians of interleaved rounds.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <x86intrin.h>

unsigned long plain_crc32(unsigned long crc, const unsigned char *p, unsigned n);
unsigned long lifted_crc32(unsigned long crc, const unsigned char *p, unsigned n);

enum { ROOM = 1 << 20, ROUNDS = 201, APART = 3 };
static unsigned char bytes[ROOM + 64 * APART];

static int before(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double median(double *of) {
  qsort(of, ROUNDS, sizeof *of, before);
  return of[ROUNDS / 2];
}

int main(void) {
  static const unsigned sizes[] = {8,   16,  32,  48,   64,   96,   128,  256,   384,
                                   512, 600, 768, 1024, 1500, 2048, 4096, 16384, ROOM};
  static double plain[ROUNDS], lifted[ROUNDS];
  unsigned long a = 1, b = 1;
  for (unsigned i = 0; i < sizeof bytes; i++)
    bytes[i] = (unsigned char)rand();
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const unsigned n = sizes[k], times = n < 1000 ? 40 : n < ROOM ? 6 : 1;
    for (int r = 0; r < ROUNDS; r++) {
      const uint64_t start = __rdtsc();
      for (unsigned i = 0; i < times; i++)
        a = plain_crc32(a, bytes + APART * i, n);
      const uint64_t middle = __rdtsc();
      for (unsigned i = 0; i < times; i++)
        b = lifted_crc32(b, bytes + APART * i, n);
      plain[r] = (double)(middle - start) / times;
      lifted[r] = (double)(__rdtsc() - middle) / times;
    }
    if (a != b) {
      fprintf(stderr, "crc32_twice: %u bytes: different\n", n);
      return 1;
    }
    const double x = median(plain), y = median(lifted);
    printf("%8u %9.0f %9.0f %6.2f\n", n, x, y, x / y);
  }
  return 0;
}
