// size-first.c - loops beside many a question whether there is anything to do: what they leave, and return
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef unsigned char byte;
#define LOOP __attribute__((noinline)) static size_t

// One value behind the loop, another one without it.
LOOP other_value(byte *d, const byte *s, size_t n, byte *far) {
  if (!n)
    return 0;
  byte *begin = d;
  do
    *d++ = *s++;
  while (--n);
  return (size_t)(d - begin) + 1;
}

LOOP computed(byte *d, const byte *s, size_t n, byte *far) {
  size_t result = 7;
  if (n) {
    for (size_t i = 0; i < n; i++)
      d[i] = 3;
    result = n * 5;
  }
  return result;
}

// Nothing, inside another loop: on with the next round.
LOOP rounds(byte *d, const byte *s, size_t n, byte *far) {
  size_t none = 0;
  for (size_t k = 0; k < 4; k++) {
    size_t m = k == 1 ? 0 : n;
    if (m == 0) {
      none += 10;
      continue;
    }
    for (size_t i = 0; i < m; i++)
      d[i + k] = (byte)(k * 3);
    none++;
  }
  return none;
}

// Out of the loop around it.
LOOP leaves(byte *d, const byte *s, size_t n, byte *far) {
  for (size_t k = 0; k < 5; k++) {
    size_t m = n * (4 - k);
    if (!m)
      return k;
    for (size_t i = 0; i < m; i++)
      d[i] = s[i];
  }
  return 9;
}

// Sizes below 0, and such that wrap.
LOOP below(byte *d, const byte *s, size_t n, byte *far) {
  for (int i = 0; i < (int)n - 40; i++)
    d[i] = s[i];
  return 1;
}
LOOP narrow(byte *d, const byte *s, size_t n, byte *far) {
  unsigned short m = (unsigned short)(n * 3000);
  if (!m)
    return 0;
  m = (unsigned short)(m & 127);
  for (unsigned short i = 0; i < m; i++)
    d[i] = 9;
  return m;
}

// Elements, of which there are fewer than bytes; and half of a size.
LOOP elements(byte *d, const byte *s, size_t n, byte *far) {
  uint32_t *words = (uint32_t *)(d - (uintptr_t)d % 4);
  for (size_t i = 0; i < n / 4; i++)
    words[i] = 0x01020304u + (uint32_t)n;
  return 0;
}
LOOP halves(byte *d, const byte *s, size_t n, byte *far) {
  size_t half = n >> 1, i = 0;
  if (half != 0)
    do
      far[i] = 5;
    while (++i != half);
  return i;
}

// To an end, and backwards.
LOOP to_end(byte *d, const byte *s, size_t n, byte *far) {
  const byte *end = s + n;
  byte *begin = d;
  while (s != end)
    *d++ = *s++;
  return (size_t)(d - begin);
}
LOOP backwards(byte *d, const byte *s, size_t n, byte *far) {
  for (size_t i = n; i-- > 0;)
    d[i] = s[i];
  return 2;
}

// By pieces.
LOOP pieces(byte *d, const byte *s, size_t n, byte *far) {
  size_t count = 0;
  for (; n > 0; count++) {
    size_t m = n > 50 ? 50 : n;
    for (size_t i = 0; i < m; i++)
      d[i] = s[i];
    d += m, s += m, n -= m;
  }
  return count;
}

int main(void) {
  static size_t (*const loops[])(byte *, const byte *, size_t, byte *) = {
      other_value, computed, rounds, leaves, below, narrow, elements, halves, to_end, backwards, pieces};
  static _Alignas(64) byte to[2048], from[2048], far[512];
  for (unsigned k = 0; k < sizeof loops / sizeof *loops; k++)
    for (size_t a = 0; a < 9; a++)
      for (size_t b = 0; b < 9; b++)
        for (size_t n = 0; n < 330; n += n < 80 ? 1 : 29) {
          for (size_t i = 0; i < sizeof to; i++)
            to[i] = (byte)(i * 7), from[i] = (byte)(i * 13 + 5), far[i % sizeof far] = (byte)i;
          size_t left = loops[k](to + 64 + a, from + 64 + b, n, far);
          for (size_t i = 0; i < sizeof to; i++)
            left = left * 31 + to[i] + 3u * far[i % sizeof far];
          printf("%u +%zu +%zu %zu: %zx\n", k, a, b, n, left);
        }
}
