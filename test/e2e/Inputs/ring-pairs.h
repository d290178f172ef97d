// ring-pairs.h - one call of a loop over a ring, plain and lowered, that begin with the same bytes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t function(u8 *, u8 *, u32, u32, u32);
#include "pairs.h"

static u8 *ring, *flat; // Room bytes each
static unsigned long cases, bad;

static void set(void) {
  for (unsigned i = 0; i < Room; i++) {
    ring[i] = (u8)(i * 13 + (i >> 7));
    flat[i] = (u8)(i * 7 + (i >> 5) + 1);
  }
}

/// Compares result and bytes; `n` is the number of iterations, or where the loop ends.
static void compare(size_t f, u8 *r, u8 *s, u32 at, u32 n, u32 size) {
  static u8 wantRing[Room], wantFlat[Room];
  cases++;
  set();
  uint64_t expected = functions[f].plain(r, s, at, n, size);
  memcpy(wantRing, ring, Room);
  memcpy(wantFlat, flat, Room);
  set();
  uint64_t found = functions[f].lifted(r, s, at, n, size);
  if ((expected != found || memcmp(wantRing, ring, Room) || memcmp(wantFlat, flat, Room)) &&
      ++bad < 20)
    printf("%s: from %u, %u, size %u: wrong\n", functions[f].name, at, n, size);
}

/// Compares. If the function's regions may overlap, does so again with `beside` bytes that lie in the
/// ring or across one of its ends, in place of those at s.
static void compareNear(size_t f, u8 *r, u8 *s, u32 beside, u32 at, u32 n, u32 size) {
  static const int offsets[] = {-40, -9, -1, 0, 1, 3, 17};
  compare(f, r, s, at, n, size);
  for (size_t i = 0; strstr(functions[f].name, "near") && i < sizeof offsets / sizeof *offsets;
       i++) {
    ptrdiff_t first = r - ring + offsets[i];
    if (first >= 0 && first + beside <= Room)
      compare(f, r, ring + first, at, n, size);
    if (first >= 0 && first + at + beside <= Room) // where the loop begins
      compare(f, r, ring + first + at, at, n, size);
  }
}
