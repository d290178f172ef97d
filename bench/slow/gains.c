// gains.c - cycles that loops of test/e2e/gain.c take, stock and through memlift, in turns
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   CC=gcc-12 LIFT=build/bin/memlift-gcc-12; $CC -O2 -c test/e2e/gain.c -o stock.o
//   objcopy --prefix-symbols=stock_ stock.o && $LIFT -O2 -c test/e2e/gain.c -o lift.o
//   $CC -O2 bench/slow/gains.c stock.o lift.o build/lib/libmemlift.a -lpthread -o gains && ./gains
#include <stdint.h>
#include <stdio.h>
#include <time.h>

uint32_t crc(uint32_t, const uint8_t *), stock_crc(uint32_t, const uint8_t *);
uint32_t hash(const uint8_t *), stock_hash(const uint8_t *);
uint32_t adler(uint32_t, const uint8_t *), stock_adler(uint32_t, const uint8_t *);

static uint8_t bytes[1024];
static volatile uint32_t sink;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double cycle(void) { // an addition of a chain of them
  double best = 1e9;
  for (int round = 0; round < 200; ++round) {
    uint64_t sum = 1;
    double begin = now();
    for (int i = 0; i < 40000; ++i) {
      sum += 3;
      __asm__ volatile("" : "+r"(sum));
    }
    double each = (now() - begin) / 40000;
    best = each < best ? each : best;
  }
  return best;
}

#define MEASURE(WHAT, CALL)                                                                        \
  do {                                                                                             \
    double least = 1e9;                                                                            \
    for (int round = 0; round < 2000; ++round) {                                                   \
      double begin = now();                                                                        \
      for (int k = 0; k < 8; ++k)                                                                  \
        sink = (CALL) + sink;                                                                      \
      double took = (now() - begin) / 8;                                                           \
      least = took < least ? took : least;                                                         \
    }                                                                                              \
    printf("%-12s %7.0f\n", WHAT, least / each);                                                   \
  } while (0)

int main(void) {
  double each = cycle();
  MEASURE("crc stock", stock_crc(sink, bytes));
  MEASURE("crc", crc(sink, bytes));
  MEASURE("hash stock", stock_hash(bytes));
  MEASURE("hash", hash(bytes));
  MEASURE("adler stock", stock_adler(sink, bytes));
  MEASURE("adler", adler(sink, bytes));
  return 0;
}
