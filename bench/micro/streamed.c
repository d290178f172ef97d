/* streamed.c - loops that a compiler has cut into blocks, beside the same loops as it has them
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * usage: bench-streamed [--bar] [KERNEL]
 *
 * streamed.py builds and runs it. The kernels are those of test/e2e/Inputs/stream-kernels.c, once
 * by the plain compiler and once with memlift("stream"), in one process. No thread has a local
 * store, which is the most common case. Nanoseconds a call: the calls take turns, and the
 * difference is the median of those of the pairs, so that what disturbs both does not count. With
 * --bar the exit code is 1 where a loop by blocks is more than 15 ns slower below 1 KiB, or more
 * than 2 % from there on.
 */
#include "stream-kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 201, TWELVE = 12, TRIES = 5 };
static const size_t most = (size_t)1 << 20; /* elements of an array */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static uint64_t kept; /* results, so that no call is in vain */

/* Nanoseconds of one call, of as many as take some 10 us. */
static double time_of(const struct kernel *k, struct job *j, unsigned calls) {
  double start = now();
  for (unsigned i = 0; i < calls; i++)
    kept += k->run(j);
  return (now() - start) / calls;
}

static int ascending(const void *x, const void *y) {
  double p = *(const double *)x, q = *(const double *)y;
  return p < q ? -1 : p > q;
}

static double median(double *values) {
  qsort(values, ROUNDS, sizeof *values, ascending);
  return values[ROUNDS / 2];
}

struct figure {
  double plain, more; /* nanoseconds */
};

/* Measures pairs of a plain and a streamed call; their order changes from pair to pair. */
static struct figure measure(const struct kernel *p, const struct kernel *b, struct job *j) {
  static double plain[ROUNDS], more[ROUNDS];
  double once = time_of(p, j, 3);
  unsigned calls = once < 10000 ? (unsigned)(10000 / (once + 1)) + 1 : 1;
  for (int i = -3; i < ROUNDS; i++) {
    double first = time_of(i & 1 ? p : b, j, calls), second = time_of(i & 1 ? b : p, j, calls);
    if (i < 0)
      continue;
    plain[i] = i & 1 ? first : second;
    more[i] = i & 1 ? second - first : first - second;
  }
  return (struct figure){median(plain), median(more)};
}

/* Returns 1 if the bar is kept; the figure is then in *f. What other programs do to a measurement
 * is not the loop's: a figure beyond the bar is measured again. */
static int is_kept(const struct kernel *p, const struct kernel *b, struct job *j, size_t bytes,
                   struct figure *f) {
  for (int i = 0; i < TRIES; i++) {
    *f = measure(p, b, j);
    if (bytes < 1024 ? f->more <= 15 : f->more <= f->plain * 0.02)
      return 1;
  }
  return 0;
}

static int run(const struct kernel *p, const struct kernel *b, struct job *j) {
  int all = 1;
  for (size_t n = 16; n <= most; n *= 4) {
    struct figure f;
    j->n = n;
    j->w = n < 64 ? 16 : 64;
    j->h = n / j->w;
    j->pitch = j->w + 16;
    int good = is_kept(p, b, j, n * p->element, &f);
    printf("%-12s %8zu %12.1f %9.1f ns %7.2f %% %s\n", p->name, n, f.plain, f.more,
           100 * f.more / f.plain, good ? "" : "beyond the bar");
    fflush(stdout);
    all &= good;
  }
  return all;
}

int main(int argc, char **argv) {
  int bar = argc > 1 && strcmp(argv[1], "--bar") == 0, all = 1;
  const char *only = argc > 1 + bar ? argv[1 + bar] : NULL;
  size_t bytes = 4 * most * 4;
  unsigned char *memory = aligned_alloc(64, 3 * bytes), table[256];
  if (!memory)
    return 2;
  for (size_t i = 0; i < 3 * bytes; i += 4) {
    float f = (float)(i % 1000) * 0.001f;
    memcpy(memory + i, &f, 4);
  }
  for (int i = 0; i < 256; i++)
    table[i] = (unsigned char)(i * 7);
  struct job j = {memory, memory + bytes + 64, memory + 2 * bytes, table, 0, 0, 0, 0};
  printf("%-12s %8s %12s %12s %9s\n", "", "n", "plain, ns", "more", "");
  for (int k = 0; k < TWELVE; k++)
    if (!only || strcmp(only, plain[k].name) == 0)
      all &= run(&plain[k], &blocks[k], &j);
  free(memory);
  return bar && !all;
}
