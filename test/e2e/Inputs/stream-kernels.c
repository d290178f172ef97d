// stream-kernels.c - loops over arrays that are to be cut into blocks: table TABLE of them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stream-kernels.h"

#ifdef STREAM
#define BLOCKS __attribute__((memlift("stream")))
#else
#define BLOCKS
#endif
#define KERNEL(NAME) BLOCKS static uint64_t NAME(struct job *j)

static uint64_t bits(float f) {
  uint32_t u;
  __builtin_memcpy(&u, &f, 4);
  return u;
}

KERNEL(saxpy) {
  float *d = j->d;
  const float *a = j->a;
  for (size_t i = 0; i < j->n; i++)
    d[i] += 1.5f * a[i];
  return 0;
}

KERNEL(sum) {
  const float *a = j->a;
  float s = 0;
  for (size_t i = 0, n = j->n; i < n; i++)
    s += a[i];
  return bits(s);
}

KERNEL(dot) {
  const float *a = j->a, *b = j->b;
  float s = 0;
  for (size_t i = 0, n = j->n; i < n; i++)
    s += a[i] * b[i];
  return bits(s);
}

KERNEL(xors) {
  uint8_t *d = j->d;
  const uint8_t *a = j->a, *b = j->b;
  for (size_t i = 0, n = j->n; i < n; i++)
    d[i] = a[i] ^ b[i];
  return 0;
}

KERNEL(grayscale) {
  uint8_t *d = j->d;
  const uint8_t *a = j->a;
  for (size_t y = 0, h = j->h, w = j->w, p = j->pitch; y < h; y++)
    for (size_t x = 0; x < w; x++)
      d[y * p + x] = (uint8_t)((a[y * 3 * p + 3 * x] * 77 + a[y * 3 * p + 3 * x + 1] * 150 +
                                a[y * 3 * p + 3 * x + 2] * 29) >>
                               8);
  return 0;
}

KERNEL(blend) {
  uint8_t *d = j->d;
  const uint8_t *a = j->a, *b = j->b;
  for (size_t y = 0, h = j->h, w = j->w, p = j->pitch; y < h; y++)
    for (size_t x = 0; x < w; x++)
      d[y * p + x] = (uint8_t)((a[y * p + x] * 100 + b[y * p + x] * 156) >> 8);
  return 0;
}

KERNEL(fir) {
  float *d = j->d;
  const float *a = j->a;
  for (size_t i = 0, n = j->n; i < n; i++)
    d[i] = a[i] * 0.25f + a[i + 1] * 0.5f + a[i + 2] * 0.125f + a[i + 3] * 0.0625f + a[i + 4];
  return 0;
}

/// Bytes are swapped and added up: a swap alone is a routine's.
KERNEL(byteswap) {
  uint32_t *d = j->d;
  const uint32_t *a = j->a;
  uint32_t h = 7;
  for (size_t i = 0, n = j->n; i < n; i++) {
    d[i] = __builtin_bswap32(a[i]) ^ 1;
    h = h * 31 + d[i];
  }
  return h;
}

KERNEL(histogram) {
  const uint8_t *a = j->a;
  const uint8_t *restrict table = j->table;
  uint32_t bins[16] = {0};
  for (size_t i = 0, n = j->n; i < n; i++)
    bins[table[a[i]] & 15] += i;
  uint64_t h = 0;
  for (int i = 0; i < 16; i++)
    h ^= (h >> 3) + bins[i];
  return h;
}

KERNEL(threshold) {
  int16_t *d = j->d;
  const int16_t *a = j->a;
  size_t count = 0;
  for (size_t i = 0, n = j->n; i < n; i++) {
    d[i] = a[i] > 100 ? a[i] : 0;
    count += a[i] > 100;
  }
  return count;
}

KERNEL(complex) {
  float *d = j->d;
  const float *a = j->a, *b = j->b;
  for (size_t i = 0, n = j->n / 2; i < n; i++) {
    d[2 * i] = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
    d[2 * i + 1] = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
  }
  return 0;
}

/// The table is no CRC's, so no routine does the loop.
KERNEL(crc) {
  const uint8_t *a = j->a;
  const uint32_t *restrict table = (const uint32_t *)j->table;
  uint32_t state = 0xffffffff;
  for (size_t i = 0, n = j->n; i < n; i++)
    state = table[(state ^ a[i]) & 63] ^ state >> 8;
  return state;
}

// Beyond the twelve: shapes that the rules are about.

KERNEL(backwards) {
  uint16_t *d = j->d;
  const uint16_t *a = j->a;
  uint16_t s = 3;
  for (size_t i = j->n; i-- > 0;)
    d[i] = s = (uint16_t)(s * 5 ^ a[i]);
  return s;
}

KERNEL(inplace) {
  float *d = j->d, v = 0;
  for (size_t i = 0, n = j->n; i < n; i++)
    d[i] = v = v * 0.5f + d[i];
  return bits(v);
}

KERNEL(conditional) {
  int32_t *d = j->d;
  const int32_t *a = j->a, *b = j->b;
  for (size_t i = 0, n = j->n; i < n; i++) {
    int32_t v = a[i];
    if (v & 1)
      v += b[i];
    d[i] = v * 3;
  }
  return 0;
}

KERNEL(gaps) {
  uint8_t *d = j->d;
  const uint8_t *a = j->a;
  unsigned s = 1;
  for (size_t i = 0, n = j->n / 4; i < n; i++) {
    s = s * 33 ^ a[3 * i + 1];
    d[i] = (uint8_t)s;
  }
  return s;
}

/// Rows upwards, each from its end.
KERNEL(mirrored) {
  uint16_t *d = j->d;
  const uint16_t *a = j->a;
  for (size_t y = 0, h = j->h, w = j->w, p = j->pitch; y < h; y++)
    for (size_t x = 0; x < w; x++)
      d[y * w + x] = (uint16_t)(a[y * p + w - 1 - x] * 3);
  return 0;
}

/// One place that is added to in each iteration.
KERNEL(place) {
  uint32_t *d = j->d;
  const uint32_t *a = j->a;
  for (size_t i = 0, n = j->n; i < n; i++)
    *d = *d * 3 ^ a[i];
  return 0;
}

/// Records of three words, which a call copies or clears.
KERNEL(records) {
  struct record {
    uint32_t key, size, flags;
  } *d = j->d;
  const struct record *a = j->a;
  uint32_t h = 1;
  for (size_t i = 0, n = j->n / 3; i < n; i++) {
    __builtin_memcpy(&d[i], &a[i], sizeof *d);
    h = h * 31 + d[i].size;
  }
  return h;
}

KERNEL(clears) {
  struct record {
    uint32_t key, size, flags;
  } *d = j->d;
  const uint32_t *a = j->a;
  uint32_t h = 1;
  for (size_t i = 0, n = j->n / 3; i < n; i++) {
    __builtin_memset(&d[i], 0x55, sizeof *d);
    h = h * 31 + a[i];
  }
  return h;
}

/// A byte counter that wraps, and a pointer that is used afterwards.
KERNEL(pointer) {
  const uint8_t *a = j->a, *end = a + j->n;
  uint8_t *d = j->d;
  uint8_t k = 0;
  while (a != end) {
    *d++ = (uint8_t)(*a++ + k * k);
    k++;
  }
  return (uint64_t)(d - (uint8_t *)j->d) * 256 + k;
}

const struct kernel TABLE[] = {{"saxpy", saxpy, 4},
                               {"sum", sum, 4},
                               {"dot", dot, 4},
                               {"xors", xors, 1},
                               {"grayscale", grayscale, 1},
                               {"blend", blend, 1},
                               {"fir", fir, 4},
                               {"byteswap", byteswap, 4},
                               {"histogram", histogram, 1},
                               {"threshold", threshold, 2},
                               {"complex", complex, 4},
                               {"crc", crc, 1},
                               {"backwards", backwards, 2},
                               {"inplace", inplace, 4},
                               {"conditional", conditional, 4},
                               {"gaps", gaps, 1},
                               {"mirrored", mirrored, 2},
                               {"place", place, 4},
                               {"records", records, 4},
                               {"clears", clears, 4},
                               {"pointer", pointer, 1},
                               {0, 0, 0}};
