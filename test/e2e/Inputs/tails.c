/* tails.c - word loops with loops over what is left; compiled twice, into TABLE.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "loops.h"

#include <string.h>

#define LOOP(name) static void name(void *to, const void *from, size_t count, uint64_t value)
#define UNUSED (void)from, (void)value

typedef uint64_t __attribute__((may_alias, aligned(1))) w64;
typedef uint32_t __attribute__((may_alias, aligned(1))) w32;
typedef uint16_t __attribute__((may_alias, aligned(1))) w16;

LOOP(words_then_bytes) {
  uint8_t *d = to;
  const uint8_t *s = from;
  size_t n = count;
  (void)value;
  while (n >= 8) {
    *(w64 *)d = *(const w64 *)s;
    d += 8;
    s += 8;
    n -= 8;
  }
  while (n--)
    *d++ = *s++;
}

static void apart(uint8_t *restrict d, const uint8_t *restrict s, size_t n) {
  for (; n >= 8; n -= 8, d += 8, s += 8)
    *(w64 *)d = *(const w64 *)s;
  for (; n >= 4; n -= 4, d += 4, s += 4)
    *(w32 *)d = *(const w32 *)s;
  for (; n; n--)
    *d++ = *s++;
}

LOOP(three_stages_apart) {
  (void)value;
  apart(to, from, count);
}

LOOP(by_int) {
  uint8_t *d = to;
  const uint8_t *s = from;
  int i = 0, n = (int)count;
  (void)value;
  for (; i + 4 <= n; i += 4) {
    d[i] = s[i];
    d[i + 1] = s[i + 1];
    d[i + 2] = s[i + 2];
    d[i + 3] = s[i + 3];
  }
  for (; i < n; i++)
    d[i] = s[i];
}

LOOP(by_size) {
  uint8_t *d = to;
  const uint8_t *s = from;
  size_t i = 0;
  (void)value;
  for (; i + 4 <= count; i += 4)
    *(w32 *)(d + i) = *(const w32 *)(s + i);
  for (; i < count; i++)
    d[i] = s[i];
}

/* The end goes to memory, so it has to be right. */
LOOP(end_is_used) {
  uint8_t *d = to, *first = to;
  const uint8_t *s = from;
  size_t n = count;
  (void)value;
  for (; n >= 4; n -= 4, d += 4, s += 4)
    *(w32 *)d = *(const w32 *)s;
  for (; n; n--)
    *d++ = *s++;
  if (count)
    first[0] ^= (uint8_t)(d - first);
}

LOOP(backwards) {
  uint8_t *d = (uint8_t *)to + count;
  const uint8_t *s = (const uint8_t *)from + count;
  size_t n = count;
  (void)value;
  while (n >= 8) {
    d -= 8;
    s -= 8;
    n -= 8;
    *(w64 *)d = *(const w64 *)s;
  }
  while (n--)
    *--d = *--s;
}

LOOP(clear) {
  uint8_t *d = to;
  size_t n = count;
  UNUSED;
  for (; n >= 8; n -= 8, d += 8)
    *(w64 *)d = 0;
  while (n--)
    *d++ = 0;
}

LOOP(set) {
  uint8_t *d = to, c = (uint8_t)value;
  uint64_t all = c * 0x0101010101010101;
  size_t n = count;
  UNUSED;
  for (; n >= 8; n -= 8, d += 8)
    *(w64 *)d = all;
  while (n--)
    *d++ = c;
}

/* Not one pattern: the loops have to stay two. */
LOOP(set_two) {
  uint8_t *d = to, c = (uint8_t)value;
  size_t n = count;
  UNUSED;
  for (; n >= 8; n -= 8, d += 8)
    *(w64 *)d = value;
  while (n--)
    *d++ = c;
}

LOOP(sum) {
  const uint8_t *p = from;
  uint8_t *d = to;
  size_t n = count;
  uint64_t s = value;
  while (n >= 4) {
    s += p[0] + p[1] + p[2] + p[3];
    p += 4;
    n -= 4;
  }
  while (n--)
    s += *p++;
  for (size_t i = 0; i < 8 && i < count; i++)
    d[i] = (uint8_t)(s >> 8 * i);
}

/* Counts below zero, in steps of 32, 8 and 2 bytes. */
LOOP(sum_halves) {
  const w16 *w = from;
  uint8_t *d = to;
  int n = (int)count;
  uint32_t s = (uint32_t)value;
  while ((n -= 32) >= 0) {
    for (int i = 0; i < 16; i++)
      s += w[i];
    w += 16;
  }
  n += 32;
  while ((n -= 8) >= 0) {
    s += w[0] + w[1] + w[2] + w[3];
    w += 4;
  }
  n += 8;
  while ((n -= 2) >= 0)
    s += *w++;
  for (size_t i = 0; i < 4 && i < count; i++)
    d[i] = (uint8_t)(s >> 8 * i);
}

LOOP(fold) {
  const uint8_t *p = from;
  uint8_t *d = to, x = (uint8_t)value;
  size_t i;
  for (i = 0; i < count / 4 * 4; i += 4)
    x ^= p[i] ^ p[i + 1] ^ p[i + 2] ^ p[i + 3];
  for (; i < count; i++)
    x ^= p[i];
  if (count)
    d[0] = x;
}

const struct loop TABLE[] = {
    {"words_then_bytes", words_then_bytes, 1, 1, 0},
    {"three_stages_apart", three_stages_apart, 1, 1, 1},
    {"by_int", by_int, 1, 1, 0},
    {"by_size", by_size, 1, 1, 0},
    {"end_is_used", end_is_used, 1, 1, 0},
    {"backwards", backwards, 1, 1, 0},
    {"clear", clear, 1, 0, 0},
    {"set", set, 1, 0, 0},
    {"set_two", set_two, 1, 0, 0},
    {"sum", sum, 1, 1, 0},
    {"sum_halves", sum_halves, 1, 1, 0},
    {"fold", fold, 1, 1, 0},
    {0, 0, 0, 0, 0},
};
