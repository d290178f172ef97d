/* counts-main.c - runs each loop of counts.c as it was written and as it was lifted
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The region lies between pages that may not be read: it ends at one of them, or begins at one. Of
 * few values, so that there is much to count, also more than bytes hold.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef long loop(const uint8_t *p, size_t n, int c);
#include "twins.h"

enum { PAGE = 4096, ROOM = 16 * PAGE };

static const int values[] = {'a', 0, 0xff, 0xfe, 0x80, '\n', '\r', ',', 1, 300, -1, -128};

int main(void) {
  int differ = 0;
  uint8_t *m =
      mmap(NULL, ROOM + 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (m == MAP_FAILED || mprotect(m, PAGE, PROT_NONE) || mprotect(m + PAGE + ROOM, PAGE, PROT_NONE))
    return 2;
  uint8_t *begin = m + PAGE, *end = begin + ROOM;
  for (unsigned turn = 0; turn < 1500; turn++) {
    size_t n = turn < 600 ? turn / 2 : below(turn % 50 ? 3000 : ROOM + 1);
    uint8_t *p = turn & 1 ? begin : end - n;
    if (n + 64 < ROOM && below(2))
      p = turn & 1 ? begin + below(64) : p - below(64);
    int c = values[below(12)];
    unsigned mostly = below(3);
    for (size_t i = 0; i < n; i++)
      p[i] = mostly == 0 || below(5) == 0 ? (uint8_t)values[below(12)]
             : mostly == 1                ? (uint8_t)c
                                          : 'x';
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
      long want = loops[i].plain(p, n, c), have = loops[i].lifted(p, n, c);
      if (want != have && differ++ < 20)
        printf("differs: %s n %zu c %d: %ld, not %ld\n", loops[i].name, n, c, have, want);
    }
  }
  printf("%zu loops, %d differ\n", sizeof loops / sizeof *loops, differ);
  return differ != 0;
}
