// distances-main.c - runs loops that end by a distance plain and lowered
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distances from -9 to 300, at 8 alignments; what is read ends, and what is written
// ends, where a page begins that nobody may touch.
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint64_t function(u8 *, const u8 *, const u8 *, size_t);
#include "pairs.h"

int main(void) {
  static u8 want[Room];
  const u8 *from = filled();
  u8 *to = guarded();
  unsigned long cases = 0, bad = 0;
  for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
    for (int n = -9; n <= 300; n++)
      for (int gap = 0; gap < 8; gap++, cases++) {
        size_t size = n < 0 ? 0 : (size_t)n;
        const u8 *end = from + Room - gap, *p = end - n;
        u8 *d = to + Room - size - (size_t)gap;
        if (p > from + Room)
          continue;
        memset(to, 0xa5, Room);
        uint64_t expected = functions[f].plain(d, p, end, size);
        memcpy(want, to, Room);
        memset(to, 0xa5, Room);
        uint64_t found = functions[f].lifted(d, p, end, size);
        if ((expected != found || memcmp(want, to, Room)) && ++bad < 20)
          printf("%s of %d, %d from the end: wrong\n", functions[f].name, n, gap);
      }
  printf("%lu cases, %lu differ\n", cases, bad);
  return bad != 0;
}
