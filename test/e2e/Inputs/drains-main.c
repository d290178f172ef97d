// drains-main.c - runs loops that end at a place of a ring, plain and lowered
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each first index and end around the ends of the ring and of what is called, and first indices
// behind the ring, from which the loop comes back into it. The ring ends, and what is written beside
// it ends, where a page begins that nobody may touch.
#include "ring-pairs.h"

static unsigned long wrapped;

enum { Endless = 1u << 30 };

/// Returns the number of iterations. `reach` becomes the places up to the furthest one that the loop
/// visits, at least those of the ring.
static u32 iterations(const char *name, u32 at, u32 end, u32 size, u32 places, u32 *reach) {
  const u32 most = strstr(name, "limit") ? size : Endless;
  int full = strstr(name, "full") != 0;
  u32 n = 0;
  *reach = places;
  for (u32 t = at; (t != end || (full && !n)) && n < most; n++) {
    if (n > 2 * places)
      return Endless;
    *reach = t < *reach ? *reach : t + 1;
    t = t + 1 < places                                      ? t + 1
        : strstr(name, "compared") || strstr(name, "break") ? (t + 1 == places ? 0 : t + 1)
        : strstr(name, "chosen") || strstr(name, "words")   ? 0
                                                            : (t + 1) % places;
  }
  return n;
}

static void run(size_t f, u32 at, u32 end, u32 size) {
  const char *name = functions[f].name;
  const int any = strstr(name, "_mask") != 0 && strstr(name, "_masked") == 0;
  const int sized = any || strstr(name, "compared") || strstr(name, "chosen") ||
                    strstr(name, "remainder") || strstr(name, "words");
  const u32 places = sized ? size : 256, unit = strstr(name, "_words") ? 4 : 1;
  if (at >= Room || places == 0 || (any && (size & (size - 1))))
    return;
  u32 reach, n = iterations(name, at, end, size, places, &reach);
  if (n == Endless || reach * unit > Room || n * unit > Room)
    return;
  u8 *r = ring + Room - reach * unit, *s = flat + Room - n * unit;
  wrapped += end < at;
  compareNear(f, r, s, n, at, end, size);
}

int main(void) {
  static const u32 sizes[] = {0, 1, 2, 16, 17, 64, 100, 256, 512, 1000};
  ring = guarded();
  flat = guarded();
  for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      u32 size = sizes[k];
      const u32 indices[] = {0,   1,        2,        7,        8,    9,        15,  16,  17,
                             63,  size / 2, size - 2, size - 1, size, size + 1, 99,  200, 254,
                             255, 256,      257,      300,      511,  512,      998, 999, 1000};
      for (size_t i = 0; i < sizeof indices / sizeof *indices; i++)
        for (size_t j = 0; j < sizeof indices / sizeof *indices; j++)
          run(f, indices[i], indices[j], size);
    }
  printf("%lu cases, %lu through the end, %lu differ\n", cases, wrapped, bad);
  return bad != 0;
}
