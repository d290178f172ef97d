/* strings-main.c - runs each loop of strings.c as it was written and as it was lifted
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Source and destination lie in one region that ends at a page that may not be read, at every small
 * distance of each other and at large ones. A run in which the written loop leaves the region is no
 * run that it accepts: it is passed over. Else memory and result have to be equal.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef uint64_t loop(uint8_t *d, const uint8_t *p, size_t n, int c);
#include "twins.h"

enum { PAGE = 4096, ROOM = 3 * PAGE };

static sigjmp_buf outside;
static void leave(int number) { siglongjmp(outside, number); }

/* Returns whether the loop stayed inside. */
static int run(loop *f, uint8_t *d, const uint8_t *p, size_t n, int c, uint64_t *result) {
  if (sigsetjmp(outside, 1))
    return 0;
  *result = f(d, p, n, c);
  return 1;
}

static int differ, compared, left_out;

static void compare(size_t i, uint8_t *m, size_t to, size_t from, size_t n, int c) {
  static uint8_t before[ROOM], wanted[ROOM];
  uint64_t want = 0, have = 0;
  memcpy(before, m, ROOM);
  if (!run(loops[i].plain, m + to, m + from, n, c, &want)) {
    memcpy(m, before, ROOM);
    left_out++;
    return;
  }
  memcpy(wanted, m, ROOM);
  memcpy(m, before, ROOM);
  int inside = run(loops[i].lifted, m + to, m + from, n, c, &have);
  compared++;
  if ((!inside || want != have || memcmp(wanted, m, ROOM)) && differ++ < 20)
    printf("differs: %s to %zu from %zu n %zu c %d\n", loops[i].name, to, from, n, c);
}

int main(int argc, char **argv) {
  uint8_t *m =
      mmap(NULL, ROOM + 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (m == MAP_FAILED || mprotect(m, PAGE, PROT_NONE) || mprotect(m + PAGE + ROOM, PAGE, PROT_NONE))
    return 2;
  m += PAGE;
  struct sigaction act = {.sa_handler = leave};
  sigaction(SIGSEGV, &act, NULL);
  sigaction(SIGBUS, &act, NULL);
  state = argc > 1 ? strtoull(argv[1], NULL, 0) : 21;
  for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
    for (unsigned k = 0; k < 1500; k++) {
      size_t n = 1 + (below(8) ? below(100) : below(3000));
      size_t from = k & 1 ? ROOM - n : PAGE + below(PAGE - 100), to = below(ROOM - (unsigned)n + 1);
      if (below(3)) /* near one another, or at the very length */
        to = from + (below(4) ? below(2 * (unsigned)n + 8) - n - 4 : below(3) + n - 1);
      if (to > ROOM - n)
        to = below(3) ? ROOM - n : 0;
      int c = "ax,*"[below(4)];
      for (size_t b = 0; b < ROOM; b++)
        m[b] = (uint8_t)('a' + below(16));
      for (unsigned few = below(3); few; few--)
        m[from + below((unsigned)n)] = (uint8_t) ",*x"[below(3)];
      m[from + n - 1] = 0;
      compare(i, m, to, from, n, c);
    }
  printf("%zu loops, %d differ; %d runs, %d left out\n", sizeof loops / sizeof *loops, differ,
         compared, left_out);
  return differ != 0 || compared < left_out;
}
