/* searches-main.c - runs each loop of searches.c as it was written and as it was lifted
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Both regions end at a page that may not be read, and begin at any byte of theirs. Few values, so
 * that bytes are found anywhere; what a loop needs to end is put at the end of its regions.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef long loop(const uint8_t *p, const uint8_t *q, size_t n, int c);
#include "twins.h"

enum { PAGE = 4096, ROOM = 2 * PAGE };

/* Returns the end of a region before a page that may not be read. */
static uint8_t *region(void) {
  uint8_t *p = mmap(NULL, ROOM + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || mprotect(p + ROOM, PAGE, PROT_NONE))
    abort();
  return p + ROOM;
}

static const int values[] = {'a', ' ', 0, 0xff, 0x80, '\n', 'A', '=', '/', ',', 300, -1};

static uint8_t any(void) { return (uint8_t)values[below(12)]; }

static int differ;

static void run(size_t i, const uint8_t *p, const uint8_t *q, size_t n, int c) {
  long want = loops[i].plain(p, q, n, c), have = loops[i].lifted(p, q, n, c);
  if (want != have && differ++ < 20)
    printf("differs: %s n %zu c %d: %ld, not %ld\n", loops[i].name, n, c, have, want);
}

static void trial(size_t i, uint8_t *left, uint8_t *right) {
  const char *kind = loops[i].name;
  size_t n = below(8) ? below(80) : below(5000);
  uint8_t *p = left - n, *q = right - n - (n + 700 < ROOM ? below(600) : 0);
  int c = values[below(12)], most = (int)any();
  /* The regions are one value but for a few bytes. */
  memset(p, most, n);
  memset(q, most, n);
  for (unsigned k = below(4); n && k; k--) {
    size_t at = below(2) ? below((unsigned)n) : n - 1 - below(n < 40 ? (unsigned)n : 40);
    p[at] = any();
    q[at] = below(3) ? p[at] : any();
  }
  size_t told = n;
  if (!strncmp(kind, "str", 3)) {
    if (!n)
      return;
    p[n - 1] = q[n - 1] = 0;
    told = below(2) ? n : n + 5000;
  }
  run(i, p, q, told, c);
}

/* The byte that ends the loop is the last one before the page, and the size lies behind it. */
static void beyond(size_t i, uint8_t *left, uint8_t *right) {
  const char *kind = loops[i].name;
  if (strncmp(kind, "find_", 5) && strncmp(kind, "cmp_", 4))
    return;
  size_t n = 8 * (1 + below(40));
  memset(left - n, 'x', n);
  memset(right - n, 'x', n);
  if (!strcmp(kind, "find_index") || !strcmp(kind, "find_pointer") || !strcmp(kind, "find_bool") ||
      !strcmp(kind, "find_not_equal_end") || !strcmp(kind, "find_goto")) {
    left[-1] = 'a';
    run(i, left - n, right - n, n + 1 + below(10000), 'a');
  }
  if (!strcmp(kind, "find_zeros") || !strcmp(kind, "find_blanks") || !strcmp(kind, "find_other")) {
    memset(left - n, kind[5] == 'z' ? 0 : ' ', n);
    left[-1] = 'a';
    run(i, left - n, right - n, n + 1 + below(10000), ' ');
  }
  if (!strcmp(kind, "cmp_order") || !strcmp(kind, "cmp_equal") || !strcmp(kind, "cmp_longs") ||
      !strcmp(kind, "cmp_end")) {
    left[-1] = 'a';
    run(i, left - n, right - n, n + 8 + below(10000), 'a');
  }
}

int main(int argc, char **argv) {
  uint8_t *left = region(), *right = region();
  state = argc > 1 ? strtoull(argv[1], NULL, 0) : 20;
  for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
    for (int k = 0; k < 1500; k++) {
      trial(i, left, right);
      beyond(i, left, right);
    }
  printf("%zu loops, %d differ\n", sizeof loops / sizeof *loops, differ);
  return differ != 0;
}
