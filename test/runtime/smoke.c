/* smoke.c - a self-checking program over the whole public API, in plain C for any target
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Freestanding (no libc) when SMOKE_FREESTANDING is defined; then smoke() is called by the
 * test's own start code. Returns 0, or the number of the check that failed.
 */
#include <memlift/memlift.h>

#define SIZE 700

static unsigned char from[SIZE + 64], to[SIZE + 64], big[600000], large[600000];

static unsigned char value(size_t i) { return (unsigned char)(i * 37 + (i >> 3) * 11 + 5); }

static void paint(unsigned char *bytes, size_t n) {
  for (volatile size_t i = 0; i < n; i = i + 1)
    bytes[i] = value(i);
}

/* Everything outside of [at, at + n) is still 0xC3. */
static int untouched(size_t at, size_t n) {
  for (size_t i = 0; i < sizeof to; i++)
    if ((i < at || i >= at + n) && to[i] != 0xC3)
      return 0;
  return 1;
}

static void clear(void) {
  for (volatile size_t i = 0; i < sizeof to; i = i + 1)
    to[i] = 0xC3;
}

static int check_copy(size_t n, size_t a, size_t b) {
  clear();
  memlift_copy(to + a, from + b, n);
  for (size_t i = 0; i < n; i++)
    if (to[a + i] != value(b + i))
      return 0;
  return untouched(a, n);
}

static int check_move(size_t n, size_t a, size_t b) {
  paint(to, sizeof to);
  memlift_move(to + a, to + b, n);
  for (size_t i = 0; i < sizeof to; i++)
    if (to[i] != (i >= a && i < a + n ? value(b + i - a) : value(i)))
      return 0;
  return 1;
}

static int check_pattern(size_t n, size_t a, size_t period) {
  const uint64_t pattern = 0xf1e2d3c4b5a69788u;
  clear();
  memlift_fill_pattern(to + a, pattern, period, n);
  for (size_t i = 0; i < n; i++)
    if (to[a + i] != (unsigned char)(pattern >> (8 * (i % period))))
      return 0;
  return untouched(a, n);
}

/* value's own bytes in memory, again and again */
static int repeats(const void *bytes, size_t size, size_t n, size_t a) {
  for (size_t i = 0; i < n; i++)
    if (to[a + i] != ((const unsigned char *)bytes)[i % size])
      return 0;
  return untouched(a, n);
}

static int check_fills(size_t n, size_t a) {
  const uint8_t v8 = 0x9d;
  const uint16_t v16 = 0x9d81;
  const uint32_t v32 = 0x9d81f273;
  const uint64_t v64 = 0x9d81f273c4b5a697u;
  int good;
  clear(), memlift_fill8(to + a, v8, n), good = repeats(&v8, 1, n, a);
  clear(), memlift_fill16(to + a, v16, n), good &= repeats(&v16, 2, n, a);
  clear(), memlift_fill32(to + a, v32, n), good &= repeats(&v32, 4, n, a);
  clear(), memlift_fill64(to + a, v64, n), good &= repeats(&v64, 8, n, a);
  return good;
}

static int check_large(void) {
  paint(big, sizeof big);
  memlift_copy(large + 3, big + 8, sizeof big - 8);
  for (size_t i = 0; i < sizeof big - 8; i++)
    if (large[3 + i] != value(8 + i))
      return 0;
  memlift_fill32(large + 1, 0x01010101, sizeof large - 1);
  for (size_t i = 1; i < sizeof large; i++)
    if (large[i] != 1)
      return 0;
  return 1;
}

int smoke(void);
int smoke(void) {
  paint(from, sizeof from);
  for (size_t n = 0; n <= SIZE - 40; n += n < 80 ? 1 : 37)
    for (size_t a = 0; a < 17; a += 1 + (n & 1)) {
      for (size_t b = 0; b < 9; b++)
        if (!check_copy(n, a, b) || !check_move(n, a, b) || !check_move(n, b, a))
          return 1;
      for (size_t period = 1; period <= 8; period++)
        if (!check_pattern(n, a, period))
          return 2;
      if (!check_fills(n, a))
        return 3;
    }
  return check_large() ? 0 : 4;
}

#if !defined(SMOKE_FREESTANDING)
#include <stdio.h>

int main(void) {
  int failed = smoke();
  printf("libmemlift %s: %s\n", memlift_version_string(), failed ? "FAILED" : "ok");
  return failed;
}
#endif
