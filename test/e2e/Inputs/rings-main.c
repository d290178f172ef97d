// rings-main.c - runs loops over ring buffers plain and lowered
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes, first indices (in the ring, behind it, before it) and numbers of iterations, those around
// the end of the ring most of all. The ring ends, and what is read or written beside it ends, where
// a page begins that nobody may touch.
#include "ring-pairs.h"

static int starts(const char *name, const char *with) {
  return strncmp(name, with, strlen(with)) == 0;
}

static void run(size_t f, u32 at, u32 n, u32 size) {
  const char *name = functions[f].name;
  int cut = strstr(name, "_cut") || strstr(name, "_free");
  int isSigned = strstr(name, "signed") != 0, both = starts(name, "both");
  u32 unit = strstr(name, "_words") || starts(name, "fill") ? 4 : 1;
  const int fixed = !strcmp(name, "put_masked") || !strcmp(name, "get_signed") ||
                    !strcmp(name, "get_cut") || !strcmp(name, "put_before") ||
                    !strcmp(name, "kept_get_near");
  u32 places = fixed ? 256 : strstr(name, "thousand") ? 1000 : size;
  int divides = strstr(name, "remainder") || strstr(name, "any") || starts(name, "crc");
  if ((divides && !size) || (isSigned && !divides && !fixed && !size) ||
      (!cut && n && (isSigned ? (int)at < -8 : (int)at < 0)))
    return;
  u32 reach = cut ? places : (int)at < 0 ? places + n : at < places ? places : at + n + 1;
  if (cut && !places)
    return;
  u32 beside = both ? 512 + at / 2 + n : n;
  if ((uint64_t)reach * unit + 16 > Room || (uint64_t)beside * unit > Room)
    return;
  u8 *r = ring + Room - reach * unit, *s = flat + Room - beside * unit;
  compareNear(f, r, s, beside * unit, at, n, size);
}

int main(void) {
  static const u32 sizes[] = {0, 1, 2, 3, 15, 16, 17, 64, 100, 255, 256, 257, 512, 1000};
  ring = guarded();
  flat = guarded();
  for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      u32 size = sizes[k];
      const u32 starts[] = {0,        1,    2,        7,   size / 2, size - 17, size - 2,
                            size - 1, size, size + 1, 300, 511,      512,       -1u,
                            -3u,      -8u,  1u << 31, 256, 999};
      for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        u32 at = starts[i], left = size - at;
        const u32 counts[] = {
            0,        1,        2,         3,         8,        17,   40,       left - 1,
            left,     left + 1, 255 - at,  256 - at,  257 - at, size, size + 1, 2 * size + 3,
            511 - at, 512 - at, 1000 - at, 1001 - at, 999 - at, 900};
        for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
          if (counts[n] <= 1001)
            run(f, at, counts[n], size);
      }
    }
  printf("%lu cases, %lu differ\n", cases, bad);
  return bad != 0;
}
