// by-words-main.c - compares each function of by-words.c with a build without memlift
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All numbers of elements up to 100, and sources at all distances from the destination at which
// words of 32 bytes may meet it, on both sides.
#include "by-words.h"

#include <stdio.h>
#include <string.h>

#define DECLARE(name, bytes)                                                                       \
  void plain_##name(void *, const void *, const void *, size_t, uint32_t);                         \
  void lifted_##name(void *, const void *, const void *, size_t, uint32_t);
ELEMENTS(DECLARE)

enum { most = 100, room = 2048, middle = 1024 };
static unsigned char start[room], want[room], got[room];

static int compare(const char *name,
                   void (*plain)(void *, const void *, const void *, size_t, uint32_t),
                   void (*lifted)(void *, const void *, const void *, size_t, uint32_t),
                   int bytes) {
  for (int far = 0; far < 2; far++)
    for (int apart = -72; apart <= 72; apart++)
      for (size_t n = 0; n <= most; n += n < 70 ? 1 : 3) {
        if (apart % bytes)
          continue;
        long from = middle + apart, other = far ? middle - 600 : middle + apart / 8 / bytes * bytes;
        memcpy(want, start, room);
        memcpy(got, start, room);
        plain(want + middle, want + from, want + other, n, (uint32_t)(n * 77));
        lifted(got + middle, got + from, got + other, n, (uint32_t)(n * 77));
        if (memcmp(want, got, room)) {
          printf("%s: %zu elements, %d bytes apart\n", name, n, apart);
          return 1;
        }
      }
  return 0;
}

#define COMPARE(name, bytes) failures += compare(#name, plain_##name, lifted_##name, bytes);

int main(void) {
  int failures = 0;
  for (unsigned i = 0, v = 1; i < room; i++, v = v * 1103515245 + 12345)
    start[i] = (unsigned char)(v >> 16);
  ELEMENTS(COMPARE)
  return failures != 0;
}
