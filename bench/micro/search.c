/* search.c - searches and comparisons beside glibc's, and loops that end at a byte beside stock
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   cc -O2 -fno-builtin -I runtime/include bench/micro/search.c build/lib/libmemlift.a -lpthread
 *
 * Prints nanoseconds of glibc's routine, of ours, and their ratio: the least of interleaved runs.
 * With -DLOOPS and two objects of test/parity/loops/searches.c, whose functions have been named
 * stock_NAME and NAME, it times some of its loops instead, by where they end.
 */
#define _GNU_SOURCE
#include <memlift/memlift.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { ROOM = 1 << 17, RUNS = 60 };
static unsigned char left[ROOM], right[ROOM];
static volatile size_t sink;
static volatile int wanted = 7;

typedef const unsigned char *bytes;
typedef size_t routine(bytes p, bytes q, size_t n);

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double once(routine *f, bytes p, bytes q, size_t n, size_t size) {
  const size_t calls = 200000 / (size + 64) + 20;
  const double begin = now();
  for (size_t i = 0; i < calls; i++)
    sink = f(p, q, n);
  return (now() - begin) / (double)calls;
}

static void compare(const char *name, routine *theirs, routine *ours, bytes p, bytes q, size_t n,
                    size_t size) {
  double best[2] = {1e18, 1e18};
  for (int run = 0; run < 2 * RUNS; run++) {
    double ns = once(run % 2 ? ours : theirs, p, q, n, size);
    best[run % 2] = ns < best[run % 2] ? ns : best[run % 2];
  }
  printf("%-20s %6zu %9.2f %9.2f %6.2f\n", name, size, best[0], best[1], best[0] / best[1]);
}

#ifndef LOOPS
static size_t their_memchr(bytes p, bytes q, size_t n) {
  bytes r = memchr(p, wanted, n);
  return (void)q, r ? (size_t)(r - p) : n;
}
static size_t our_memchr(bytes p, bytes q, size_t n) {
  return (void)q, memlift_find_u8(p, n, (uint8_t)wanted);
}
static size_t their_strlen(bytes p, bytes q, size_t n) {
  return (void)q, (void)n, strlen((const char *)p);
}
static size_t our_strlen(bytes p, bytes q, size_t n) {
  return (void)q, (void)n, memlift_find_u8(p, SIZE_MAX, 0);
}
static size_t their_memrchr(bytes p, bytes q, size_t n) {
  bytes r = memrchr(p, wanted, n);
  return (void)q, r ? (size_t)(r - p) : n;
}
static size_t our_memrchr(bytes p, bytes q, size_t n) {
  return (void)q, memlift_find_last_u8(p, n, (uint8_t)wanted);
}
static size_t their_memcmp(bytes p, bytes q, size_t n) { return (size_t)memcmp(p, q, n); }
static size_t our_memcmp(bytes p, bytes q, size_t n) { return memlift_mismatch_u8(p, q, n); }
static size_t their_strcmp(bytes p, bytes q, size_t n) {
  return (void)n, (size_t)strcmp((const char *)p, (const char *)q);
}
static size_t our_strcmp(bytes p, bytes q, size_t n) {
  return (void)n, memlift_mismatch_or_u8(p, q, SIZE_MAX, 0);
}

static const struct {
  const char *name;
  routine *theirs, *ours;
} all[] = {{"memchr", their_memchr, our_memchr},
           {"strlen", their_strlen, our_strlen},
           {"memrchr", their_memrchr, our_memrchr},
           {"memcmp", their_memcmp, our_memcmp},
           {"strcmp", their_strcmp, our_strcmp}};

int main(void) {
  static const size_t sizes[] = {0, 1, 8, 16, 31, 48, 64, 128, 256, 512, 1000, 4096, 65536};
  memset(left, 1, ROOM), memset(right, 1, ROOM);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      size_t n = sizes[k];
      left[3 + n] = right[21 + n] = 0;
      compare(all[i].name, all[i].theirs, all[i].ours, left + 3, right + 21, n, n);
      left[3 + n] = right[21 + n] = 1;
    }
}
#else
typedef long loop(bytes p, bytes q, size_t n, int c);
#define EACH(X)                                                                                    \
  X(find_index) X(find_pointer) X(str_nlength) X(str_compare) X(cmp_order) X(last_index)
#define DECLARE(name)                                                                              \
  loop stock_##name, name;                                                                         \
  static size_t run_stock_##name(bytes p, bytes q, size_t n) {                                     \
    return (size_t)stock_##name(p, q, n, wanted);                                                  \
  }                                                                                                \
  static size_t run_##name(bytes p, bytes q, size_t n) { return (size_t)name(p, q, n, wanted); }
EACH(DECLARE)

static void time_loop(const char *name, routine *stock, routine *lifted) {
  static const size_t ends[] = {0, 1, 2, 3, 4, 6, 8, 12, 16, 32, 64, 256, 1000, 10000};
  const size_t n = 20000;
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
    size_t at = name[0] == 'l' ? n - 1 - ends[k] : ends[k];
    memset(left, 1, ROOM), memset(right, 1, ROOM);
    left[at] = name[0] == 's' ? 0 : (unsigned char)wanted;
    compare(name, stock, lifted, left, right, n, ends[k]);
  }
}

int main(void) {
#define TIME(name) time_loop(#name, run_stock_##name, run_##name);
  EACH(TIME)
}
#endif
