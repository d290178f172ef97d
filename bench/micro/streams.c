/* streams.c - a loop by blocks that has no local store, beside the plain loop
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * usage: bench-streams [--bar]
 *
 * d[i] = a[i] * k + b[i] over n floats, as it stands; through memlift_stream_begin, _next and _end
 * (memlift/stream.h); and with a look at memlift_stores_bound before. No thread has a local store:
 * the most common case, which must cost next to nothing. Nanoseconds a loop, of calls that take
 * turns: the best and the median of the rounds. With --bar the exit code is 1 where the best of the
 * calls is more than 15 ns and 2 % slower, or with the look before more than 15 ns below 1 KiB or
 * more than 2 % from there on.
 */
#include "queue/watch.h"

#include <memlift/stream.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST ((size_t)1 << 20) /* floats */
#define ROUNDS 101

static float *d, *a, *b;

__attribute__((noinline)) static void compute(float *restrict to, const float *x, const float *y,
                                              float k, size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] = x[i] * k + y[i];
}

__attribute__((noinline)) static void plain(float k, size_t n) { compute(d, a, b, k, n); }

static float *shifted(const float *p, intptr_t by) {
  return (float *)((uintptr_t)p + (uintptr_t)by);
}

__attribute__((noinline)) static void streamed(float k, size_t n) {
  static const struct memlift_stream_plan plan = {3, 4, 0};
  struct memlift_stream_access accesses[] = {{a, 4, 4, MEMLIFT_STREAM_IN, 0},
                                             {b, 4, 4, MEMLIFT_STREAM_IN, 0},
                                             {d, 4, 4, MEMLIFT_STREAM_OUT, 0}};
  struct memlift_stream stream;
  struct memlift_stream_shift s[3];
  memlift_stream_begin(&stream, &plan, accesses, n);
  for (size_t t = 0, m; (m = memlift_stream_next(&stream, s)) != 0; t += m)
    compute(shifted(d + t, s[2].delta), shifted(a + t, s[0].delta), shifted(b + t, s[1].delta), k,
            m);
  memlift_stream_end(&stream);
}

/* As compiled code may be: it looks first whether any thread has a local store. */
__attribute__((noinline)) static void guarded(float k, size_t n) {
  if (__atomic_load_n(&memlift_stores_bound, __ATOMIC_RELAXED))
    streamed(k, n);
  else
    compute(d, a, b, k, n);
}

/* Nanoseconds of one call, of as many as take 20 us or so. */
static double time_of(void (*run)(float, size_t), size_t n, unsigned calls) {
  uint64_t start = memlift_now();
  for (unsigned i = 0; i < calls; i++)
    run(1.5f, n);
  return (double)(memlift_now() - start) / calls;
}

static int ascending(const void *x, const void *y) {
  double p = *(const double *)x, q = *(const double *)y;
  return p < q ? -1 : p > q;
}

enum { PLAIN, STREAMED, GUARDED, WAYS };
static void (*const ways[])(float, size_t) = {plain, streamed, guarded};

/* Returns 1 if a way that is `more` nanoseconds slower than the plain loop keeps the bar. */
static int is_kept(size_t n, double more, double whole) {
  return n * sizeof(float) < 1024 ? more <= 15 : 100 * more <= 2 * whole;
}

/* The calls take turns, so that all meet the same disturbances. Returns 1 if the bar is kept. */
static int measure(size_t n) {
  double times[WAYS][ROUNDS], more[WAYS];
  unsigned calls = n < 16384 ? (unsigned)(65536 / n) : 4;
  for (int i = -3; i < ROUNDS; i++)
    for (int way = 0; way < WAYS; way++) {
      double took = time_of(ways[way], n, calls);
      if (i >= 0)
        times[way][i] = took;
    }
  for (int way = 0; way < WAYS; way++) {
    qsort(times[way], ROUNDS, sizeof times[way][0], ascending);
    more[way] = times[way][0] - times[PLAIN][0];
  }
  printf("%8zu %10.1f %10.1f", n, times[PLAIN][0], times[PLAIN][ROUNDS / 2]);
  for (int way = STREAMED; way < WAYS; way++)
    printf(" %10.1f %10.1f %8.1f %6.1f %%", times[way][0], times[way][ROUNDS / 2], more[way],
           100 * more[way] / times[PLAIN][0]);
  printf("\n");
  return more[STREAMED] <= 15 + 0.02 * times[PLAIN][0] &&
         is_kept(n, more[GUARDED], times[PLAIN][0]);
}

int main(int argc, char **argv) {
  int kept = 1, bar = argc > 1 && strcmp(argv[1], "--bar") == 0;
  float *memory = aligned_alloc(64, 3 * MOST * sizeof *memory);
  if (!memory || argc > 1 + bar)
    return 2;
  memset(memory, 0, 3 * MOST * sizeof *memory);
  d = memory, a = memory + MOST, b = memory + 2 * MOST;
  printf("%8s %10s %10s", "n", "plain", "median");
  for (int way = STREAMED; way < WAYS; way++)
    printf(" %10s %10s %8s %8s", way == STREAMED ? "streamed" : "guarded", "median", "more, ns",
           "more");
  printf("\n");
  for (size_t n = 16; n <= MOST; n *= 4)
    kept &= measure(n);
  free(memory);
  return bar && !kept;
}
