// exits-apart-main.c - runs loops that are left in several ways plain and lowered
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Either bound may be the first to end the loop, at once too, and both may be met in one
// round. What is read ends where a page begins that nobody may touch, and what is
// written ends one byte in front of one.
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint64_t function(u8 *, const u8 *, size_t, unsigned);
#include "pairs.h"

int main(void) {
  static u8 want[Room];
  const u8 *from = filled();
  u8 *to = guarded();
  unsigned long cases = 0, bad = 0;
  for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
    for (unsigned n = 0; n < 400; n += 1 + n / 40)
      for (unsigned m = 0; m < 400; m += 1 + m / 40, cases++) {
        int bounded = strcmp(functions[f].name, "apart_read"); // by m
        unsigned least = bounded && m < n ? m + 1 : n;
        const u8 *s = from + Room - least;
        u8 *d = to + Room - 1 - least;
        memset(to, 0xa5, Room);
        uint64_t expected = functions[f].plain(d, s, n, m);
        memcpy(want, to, Room);
        memset(to, 0xa5, Room);
        uint64_t found = functions[f].lifted(d, s, n, m);
        if ((expected != found || memcmp(want, to, Room)) && ++bad < 20)
          printf("%s: n %u m %u\n", functions[f].name, n, m);
        // Where both are in one place, as far as the loop allows.
        if (!strcmp(functions[f].name, "apart_moved")) {
          memcpy(want, from, Room);
          memcpy(to, from, Room);
          expected = functions[f].plain(want + 1024 + m % 9, want + 1024 + n % 5, n, m);
          found = functions[f].lifted(to + 1024 + m % 9, to + 1024 + n % 5, n, m);
          if ((expected != found || memcmp(want, to, Room)) && ++bad < 20)
            printf("%s, overlapping: n %u m %u\n", functions[f].name, n, m);
        }
      }
  printf("%lu cases, %lu differ\n", cases, bad);
  return bad != 0;
}
