/* calibrate.c - memlift-info --calibrate: measures where copies and fills should change method, and
 * from which size on copies should go to the engine in use, if there is one
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * At each size all methods take turns, so that other work on the machine meets them all; the median
 * of a method's rounds counts. Then, of all pairs of limits among the sizes, the pair is taken that
 * loses least to the best method, summed over the sizes in parts of the best time. Losses of less
 * than 3 % count as none and ties go to the limits in use now, so that noise does not move them.
 */
#define _GNU_SOURCE
#include "calibrate.h"
#include "../engine/registry.h"
#include "../include/memlift/memlift.h"
#include "../kernels/dispatch.h"
#include "../kernels/limits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum method { VECTORS, STRING, STREAM, METHODS };
/* Fills with words have no string instructions of their own: "string" is to repeat them. */
/* ENGINE: copies by the CPU, and by the engine as "string" */
enum kind { COPIES, FILLS, WORDS, ENGINE, KINDS };

#define SMALLEST ((size_t)8 << 10)
#define LARGEST ((size_t)256 << 20)
#define SIZES 31 /* from 8 KiB to 256 MiB, two for each doubling */
#define ROUNDS 7
#define ROUND_NS 100000.0
#define SLACK 4096

struct series {
  size_t count;
  size_t size[SIZES];
  double ns[SIZES][METHODS];
};

static struct series all[KINDS];
static unsigned char *buffers[2];
static size_t largest;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void use_method(enum kind kind, enum method method) {
  if (kind == ENGINE) {
    __atomic_store_n(&memlift_engine_min, method == STRING ? 0 : SIZE_MAX, __ATOMIC_RELAXED);
    return;
  }
  const struct memlift_limits limits = {
      .copy_string = method == STRING ? 0 : SIZE_MAX,
      .copy_stream = method == STREAM ? 0 : SIZE_MAX,
      .fill_string = kind != WORDS && method == STRING ? 0 : SIZE_MAX,
      .fill_repeat = kind == WORDS && method == STRING ? 0 : SIZE_MAX,
  };
  memlift_set_limits(&limits);
}

/* Nanoseconds a call; addresses change as those of a program do. */
static double round_of(enum kind kind, size_t n, unsigned calls) {
  double start = now();
  for (unsigned i = 0; i < calls; i++) {
    unsigned char *to = buffers[0] + i * 27 % 64, *from = buffers[1] + i * 9 % 64;
    if (kind == ENGINE)
      memlift_copy(to, from, n);
    else if (kind != COPIES)
      memlift_cpu_fill(to, kind == FILLS ? 0x5a5a5a5a5a5a5a5au : 0x5a5a5a5aa5a5a5a5u, n);
    else
      memlift_cpu_copy(to, from, n);
  }
  return (now() - start) / calls;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void measure_size(enum kind kind, size_t n, double *ns) {
  double rounds[METHODS][ROUNDS];
  const int methods = kind == COPIES ? METHODS : STREAM;
  use_method(kind, VECTORS);
  round_of(kind, n, 1);
  double once = round_of(kind, n, 1);
  unsigned calls = once < ROUND_NS ? (unsigned)(ROUND_NS / (once < 20 ? 20 : once)) : 1;
  for (int i = 0; i < ROUNDS; i++)
    for (int m = 0; m < methods; m++) {
      use_method(kind, (enum method)m);
      rounds[m][i] = round_of(kind, n, calls);
    }
  for (int m = 0; m < METHODS; m++) {
    if (m < methods)
      qsort(rounds[m], ROUNDS, sizeof rounds[m][0], compare);
    ns[m] = m < methods ? rounds[m][ROUNDS / 2] : 1e300;
  }
}

static void measure(enum kind kind, struct series *s) {
  s->count = 0;
  for (size_t n = SMALLEST; n <= largest; n *= 2)
    for (size_t size = n; size < 2 * n && size <= largest; size += n / 2) {
      s->size[s->count] = size;
      measure_size(kind, size, s->ns[s->count]);
      s->count++;
    }
}

static double best_of(const double *ns) {
  double best = ns[0];
  for (int m = 1; m < METHODS; m++)
    best = ns[m] < best ? ns[m] : best;
  return best;
}

/* Returns the loss of the limits against the best method, summed over sizes, as a fraction of the
 * best time. */
static double loss(const struct series *s, size_t string, size_t stream) {
  double sum = 0;
  for (size_t i = 0; i < s->count; i++) {
    enum method m = s->size[i] >= stream ? STREAM : s->size[i] >= string ? STRING : VECTORS;
    double part = s->ns[i][m] / best_of(s->ns[i]) - 1;
    sum += part > 0.03 ? part : 0;
  }
  return sum;
}

/* Changes *string and *stream to what loses least. The last limit tried is "never". */
static void choose(const struct series *s, size_t *string, size_t *stream, int streams) {
  double least = loss(s, *string, *stream);
  for (size_t i = 0; i <= s->count; i++)
    for (size_t j = streams ? i : s->count; j <= s->count; j++) {
      size_t a = i < s->count ? s->size[i] : SIZE_MAX, b = j < s->count ? s->size[j] : SIZE_MAX;
      double lost = loss(s, a, b);
      if (lost < least - 1e-9)
        least = lost, *string = a, *stream = b;
    }
}

static void print_series(const char *title, const struct series *s, int streams) {
  printf("%-8s %14s %10s %10s%s\n", title, "bytes", s == &all[ENGINE] ? "cpu" : "vectors",
         s == &all[ENGINE] ? "engine" : "string", streams ? "  streaming" : "");
  for (size_t i = 0; i < s->count; i++) {
    printf("%23zu %10.1f %10.1f", s->size[i], (double)s->size[i] / s->ns[i][VECTORS],
           (double)s->size[i] / s->ns[i][STRING]);
    if (streams)
      printf(" %10.1f", (double)s->size[i] / s->ns[i][STREAM]);
    putchar('\n');
  }
}

static void write_size(FILE *to, const char *name, size_t size) {
  if (size == SIZE_MAX)
    fprintf(to, "%s=never", name);
  else if (size >> 20 << 20 == size)
    fprintf(to, "%s=%zuM", name, size >> 20);
  else
    fprintf(to, "%s=%zuK", name, size >> 10);
}

static void write_setting(FILE *to, const struct memlift_limits *limits) {
  fputs("MEMLIFT_LIMITS=", to);
  write_size(to, "copy-string", limits->copy_string);
  write_size(to, ",copy-stream", limits->copy_stream);
  write_size(to, ",fill-string", limits->fill_string);
  write_size(to, ",fill-repeat", limits->fill_repeat);
  if (all[ENGINE].count)
    write_size(to, ",engine", limits->engine);
  fputc('\n', to);
}

/* As much as there is, down to what shows the first caches; backed by memory before it is timed. */
static int get_buffers(void) {
  for (largest = LARGEST; largest >= (size_t)1 << 20; largest /= 2) {
    size_t length = 2 * (largest + SLACK);
    void *both = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (both == MAP_FAILED)
      continue;
    madvise(both, length, MADV_HUGEPAGE);
    memset(both, 1, length);
    buffers[0] = (unsigned char *)both;
    buffers[1] = buffers[0] + largest + SLACK;
    return 1;
  }
  fprintf(stderr, "memlift-info: error: no memory to measure in\n");
  return 0;
}

static int cannot_write(const char *path) {
  fprintf(stderr, "memlift-info: error: cannot write %s: %s\n", path, strerror(errno));
  return 1;
}

/* Prints everything, and the setting into the file as well if there is one. */
static int report(const struct memlift_limits *limits, const char *output, FILE *file) {
  puts("GB/s on one core, medians of rounds in turns");
  print_series("copies", &all[COPIES], 1);
  print_series("fills", &all[FILLS], 0);
  print_series("words", &all[WORDS], 0);
  if (all[ENGINE].count)
    print_series(memlift_active_engine_name(), &all[ENGINE], 0);
  write_setting(stdout, limits);
  if (fflush(stdout) != 0)
    return cannot_write("the table");
  if (file)
    write_setting(file, limits);
  return file && fclose(file) != 0 ? cannot_write(output) : 0;
}

int calibrate(const char *output) {
  struct memlift_limits limits = memlift_limits;
  const int engine = strcmp(memlift_active_engine_name(), "cpu") != 0;
  size_t no_stream = SIZE_MAX;
  if (memlift_level_in_use() == MEMLIFT_LEVEL_GENERIC) {
    fprintf(stderr, "memlift-info: error: nothing to measure: the kernels in use have one method "
                    "for all sizes\n");
    return 1;
  }
  FILE *file = output ? fopen(output, "w") : NULL; /* before seconds are spent for it */
  if (output && !file)
    return cannot_write(output);
  if (!get_buffers())
    return 1;
  for (int kind = COPIES; kind <= WORDS; kind++)
    measure((enum kind)kind, &all[kind]);
  choose(&all[COPIES], &limits.copy_string, &limits.copy_stream, 1);
  choose(&all[FILLS], &limits.fill_string, &no_stream, 0);
  choose(&all[WORDS], &limits.fill_repeat, &no_stream, 0);
  memlift_set_limits(&limits);
  if (engine) { /* against the CPU with its new limits */
    size_t own = __atomic_load_n(&memlift_engine_min, __ATOMIC_RELAXED);
    measure(ENGINE, &all[ENGINE]);
    limits.engine = own;
    choose(&all[ENGINE], &limits.engine, &no_stream, 0);
    __atomic_store_n(&memlift_engine_min, limits.engine, __ATOMIC_RELAXED);
  }
  return report(&limits, output, file);
}
