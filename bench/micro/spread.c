/* spread.c - what memlift_spread costs where it calls nobody, and from which length on units help
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * usage: bench-spread
 * The loop is a division for each iteration, which no cache limits. For each length the body's own
 * call and memlift_spread alternate; printed are the least and the middle of each, in nanoseconds,
 * and the ratios of those and of the means. There is one unit: with two CPUs half the time at best.
 */
#include "memlift/spread.h"
#include "tasks/context.h"

#include <stdio.h>
#include <stdlib.h>

#define RUNS 201
#define MOST (1u << 22)

static float data[MOST];

static void body(void *environment, uint64_t first, uint64_t end, uint64_t *values) {
  float *d = (float *)environment;
  (void)values;
  for (uint64_t i = first; i < end; i++)
    d[i] = 1.0f / (d[i] + 1.0f);
}

static int less(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

struct times {
  uint64_t least, middle, mean;
};

/* Sorts times of `each` calls; the times are of one, in picoseconds. */
static struct times of(uint64_t *t, unsigned each) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < RUNS; i++)
    sum += t[i];
  qsort(t, RUNS, sizeof *t, less);
  return (struct times){t[0] * 1000 / each, t[RUNS / 2] * 1000 / each, sum * 1000 / RUNS / each};
}

static double ns(uint64_t ps) { return (double)ps / 1000; }

static void compare(const char *what, uint64_t iterations, uint32_t cycles16) {
  const struct memlift_spread_plan plan = {cycles16, 0, {0}, 16};
  static uint64_t alone[RUNS], spread[RUNS];
  unsigned each = iterations < 4096 ? 1000 : 1;
  for (unsigned i = 0; i < RUNS; i++) {
    uint64_t since = memlift_now();
    for (unsigned k = 0; k < each; k++)
      body(data, 0, iterations, NULL);
    alone[i] = memlift_now() - since;
    since = memlift_now();
    for (unsigned k = 0; k < each; k++)
      memlift_spread(&plan, body, data, iterations, NULL);
    spread[i] = memlift_now() - since;
  }
  struct times a = of(alone, each), s = of(spread, each);
  printf(
      "%-22s %8llu iterations: alone %11.1f %11.1f, spread %11.1f %11.1f, ratio %.3f %.3f %.3f\n",
      what, (unsigned long long)iterations, ns(a.least), ns(a.middle), ns(s.least), ns(s.middle),
      (double)s.least / (double)a.least, (double)s.middle / (double)a.middle,
      (double)s.mean / (double)a.mean);
}

int main(void) {
  struct memlift_context_options options = {.units = 1};
  memlift_context *context;
  compare("nothing bound", 16, 32);
  compare("nothing bound", MOST, 32);
  if (memlift_context_create(&context, &options, sizeof options) != MEMLIFT_OK ||
      memlift_spread_bind(context) != MEMLIFT_OK)
    return 1;
  compare("short by the estimate", 16, 32);
  for (uint64_t iterations = 4096; iterations <= MOST; iterations *= 2)
    compare("one unit", iterations, 32);
  memlift_spread_ns = 0;
  for (uint64_t iterations = 8192; iterations <= MOST; iterations *= 2)
    compare("always called", iterations, 32);
  memlift_spread_bind(NULL);
  return memlift_context_destroy(context) != MEMLIFT_OK;
}
