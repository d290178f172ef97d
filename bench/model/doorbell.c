/* doorbell.c - how long a submission takes until its doorbell is rung, on the soft device
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * usage: bench-doorbell [--bar NANOSECONDS]
 * Copies of 4 KiB, one at a time, through memlift_submit_copy. Two times are measured of
 * each: from the call to the point right after the store to the doorbell, and from the call to its
 * return, by which the device is awake. Both times contain one reading of the clock.
 *
 * Each of twenty rounds has a median. The program prints the median of all calls and the lowest
 * median of a round. Other load on the machine only adds time, so the bar is for the latter.
 *
 * Exit codes: 0 measured (and the quietest round's median to the doorbell within the bar), 1 not,
 * 2 bad usage.
 */
#include "queue/wait.h"

#include <stdint.h>

/* The soft engine as it is, with a look at the clock between doorbell and notification. */
static void stamp_and_notify(struct memlift_event *event);
#define memlift_event_notify stamp_and_notify
#define memlift_engine_soft timed_engine
#define memlift_soft_inject timed_inject
#include "engine/soft/soft.c"
#undef memlift_event_notify

#include "kernels/dispatch.h"

#include <memlift/async.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS 200000u
#define ROUNDS 20u

static double to_nanoseconds = 1;

#if defined(__x86_64__)
static uint64_t clock_now(void) { return __builtin_ia32_rdtsc(); }

static void calibrate_clock(void) {
  uint64_t ticks = clock_now(), start = memlift_now(), now;
  while ((now = memlift_now()) - start < 50000000u) {
  }
  to_nanoseconds = (double)(now - start) / (double)(clock_now() - ticks);
}
#else
static uint64_t clock_now(void) { return memlift_now(); }
static void calibrate_clock(void) {}
#endif

static uint64_t rung;

static void stamp_and_notify(struct memlift_event *event) {
  rung = clock_now();
  memlift_event_notify(event);
}

static int by_size(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The lowest median of a round, in nanoseconds; sorts the times. */
static double show(const char *what, uint64_t *times, unsigned count) {
  double quietest = 1e300;
  for (unsigned r = 0; r < ROUNDS; r++) {
    uint64_t *round = times + r * (count / ROUNDS);
    qsort(round, count / ROUNDS, sizeof *times, by_size);
    double median = (double)round[count / ROUNDS / 2] * to_nanoseconds;
    quietest = median < quietest ? median : quietest;
  }
  qsort(times, count, sizeof *times, by_size);
  double median = (double)times[count / 2] * to_nanoseconds;
  printf("%-24s median %6.0f ns   quietest round %6.0f ns   nine in ten %6.0f ns\n", what, median,
         quietest, (double)times[count / 10 * 9] * to_nanoseconds);
  return quietest;
}

static unsigned measure(uint64_t *doorbells, uint64_t *returns) {
  static unsigned char from[4096], to[4096];
  unsigned count = 0;
  for (unsigned i = 0; i < CALLS; i++) {
    memlift_token token;
    rung = 0;
    uint64_t start = clock_now();
    memlift_status status = memlift_submit_copy(to, from, sizeof to, (memlift_token){0}, &token);
    uint64_t end = clock_now();
    if (status != MEMLIFT_OK || memlift_wait(token, UINT64_MAX) != MEMLIFT_OK)
      return 0;
    if (!rung) /* the CPU did it */
      continue;
    doorbells[count] = rung - start;
    returns[count++] = end - start;
  }
  return count;
}

int main(int argc, char **argv) {
  static uint64_t doorbells[CALLS], returns[CALLS];
  double bar = 0;
  if (argc == 3 && !strcmp(argv[1], "--bar"))
    bar = atof(argv[2]);
  if (argc != 1 && bar <= 0) {
    fprintf(stderr, "usage: bench-doorbell [--bar NANOSECONDS]\n");
    return 2;
  }
  const char *reason;
  if (timed_engine.probe(&reason) != MEMLIFT_OK ||
      memlift_session_start(&timed_engine) != MEMLIFT_OK) {
    fprintf(stderr, "bench-doorbell: the soft engine does not start here\n");
    return 1;
  }
  __atomic_store_n(&memlift_engine_active, &timed_engine, __ATOMIC_RELEASE);
  __atomic_store_n(&memlift_engine_min, 4096, __ATOMIC_RELAXED);
  calibrate_clock();
  unsigned count = measure(doorbells, returns);
  if (count < CALLS / 2) {
    fprintf(stderr, "bench-doorbell: only %u of %u went to the engine\n", count, CALLS);
    return 1;
  }
  double quietest = show("call to doorbell", doorbells, count);
  show("call to return", returns, count);
  return bar > 0 && quietest > bar;
}
