/* grid.c - copies, moves and fills beside the C library's, at every size
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * usage: bench-grid [--bar] [--all] [--most BYTES] [--rounds ROUNDS]
 *
 * All sizes to 64 bytes, in steps of 16 to 256 and of 64 to 2,048, then a quarter more each time,
 * to 256 MiB unless --most says less. A call has its own addresses within a page, any or multiples
 * of 64; the two sides take turns, and the fastest round counts. Prints the cells in which memlift
 * is slower than 0.97 of the C library, all cells with --all, and how many there are of each.
 * Exit status: 0, 1 with --bar if there are slower ones, 2 bad usage.
 */
#include "memlift/memlift.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { Places = 512, Page = 4096, Operations = 3 };
static const double bar = 0.97;

/* The libraries are called through pointers that no compiler knows. */
static void *(*volatile libc_copy)(void *, const void *, size_t) = memcpy;
static void *(*volatile libc_move)(void *, const void *, size_t) = memmove;
static void *(*volatile libc_fill)(void *, int, size_t) = memset;
static void (*volatile own_copy)(void *, const void *, size_t) = memlift_copy;
static void (*volatile own_move)(void *, const void *, size_t) = memlift_move;
static void (*volatile own_fill)(void *, uint8_t, size_t) = memlift_fill8;

static unsigned to[Places], from[Places];
static unsigned char *d, *s;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Nanoseconds a call. */
#define TIMED(call)                                                                                \
  do {                                                                                             \
    double before = now();                                                                         \
    for (unsigned i = 0; i < calls; i++)                                                           \
      call;                                                                                        \
    return (now() - before) / calls;                                                               \
  } while (0)

static double once(int operation, int own, size_t n, unsigned calls) {
  switch (2 * operation + own) {
  case 0: TIMED(libc_copy(d + to[i], s + from[i], n));
  case 1: TIMED(own_copy(d + to[i], s + from[i], n));
  case 2: TIMED(libc_move(d + to[i], s + from[i], n));
  case 3: TIMED(own_move(d + to[i], s + from[i], n));
  case 4: TIMED(libc_fill(d + to[i], 7, n));
  default: TIMED(own_fill(d + to[i], 7, n));
  }
}

static void choose_places(unsigned align) {
  static uint32_t state = 1;
  for (unsigned i = 0; i < Places; i++) {
    state = state * 1664525 + 1013904223;
    to[i] = (state >> 8) % Page & -align;
    state = state * 1664525 + 1013904223;
    from[i] = (state >> 8) % Page & -align;
  }
}

static size_t next_size(size_t n) {
  return n < 64 ? n + 1 : n < 256 ? n + 16 : n < 288 ? 288 : n < 2048 ? n + 64 : n + n / 4;
}

struct wanted {
  size_t most;
  unsigned rounds;
  int all, fails;
};

/* Returns whether the cell is below the bar. */
static int cell(const struct wanted *w, int operation, size_t n, unsigned align) {
  static const char *const names[Operations] = {"copy", "move", "fill"};
  const unsigned calls = n < 4096 ? Places : n < 65536 ? 64 : n < (4u << 20) ? 8 : 1;
  const unsigned rounds = n < (1u << 20) ? w->rounds : w->rounds / 8 + 4;
  double fastest[2] = {1e30, 1e30};
  for (unsigned round = 0; round < rounds; round++)
    for (int own = 0; own < 2; own++) {
      double t = once(operation, own, n, calls);
      if (t < fastest[own])
        fastest[own] = t;
    }
  const double ratio = fastest[0] / fastest[1];
  if (w->all || ratio < bar)
    printf("%s %10zu  %-7s %5.2f  %12.1f %12.1f\n", names[operation], n,
           align == 1 ? "any" : "aligned", ratio, fastest[0], fastest[1]);
  return ratio < bar;
}

static int read_options(int argc, char **argv, struct wanted *w) {
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--bar") == 0)
      w->fails = 1;
    else if (strcmp(argv[i], "--all") == 0)
      w->all = 1;
    else if (strcmp(argv[i], "--most") == 0 && i + 1 < argc)
      w->most = strtoull(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
      w->rounds = (unsigned)strtoul(argv[++i], NULL, 10);
    else
      return 0;
  return w->most && w->rounds;
}

int main(int argc, char **argv) {
  struct wanted w = {(size_t)256 << 20, 200, 0, 0};
  if (!read_options(argc, argv, &w)) {
    fprintf(stderr, "usage: bench-grid [--bar] [--all] [--most BYTES] [--rounds ROUNDS]\n");
    return 2;
  }
  d = aligned_alloc(Page, w.most / Page * Page + 2 * Page);
  s = aligned_alloc(Page, w.most / Page * Page + 2 * Page);
  if (!d || !s)
    return 2;
  memset(d, 1, w.most + Page);
  memset(s, 2, w.most + Page);
  unsigned cells = 0, slower = 0;
  printf("            bytes  places  ratio      libc, ns  memlift, ns a call\n");
  for (size_t n = 1; n <= w.most; n = next_size(n))
    for (unsigned align = 1; align <= 64; align *= 64) {
      choose_places(align);
      for (int operation = 0; operation < Operations; operation++, cells++)
        slower += (unsigned)cell(&w, operation, n, align);
    }
  printf("%u of %u cells below %.2f\n", slower, cells, bar);
  free(d), free(s);
  return w.fails && slower;
}
