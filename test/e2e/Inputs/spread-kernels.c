/* spread-kernels.c - loops that threads may compute, and some that they may not
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * spread.test compiles it plain, and with SPREAD by memlift, also with STREAM. TABLE is the name of
 * the list.
 * Each kernel works on n elements of the arrays, and returns a number.
 */
#include "spread-kernels.h"

#if defined(SPREAD) && defined(STREAM)
#define ON __attribute__((memlift("spread"), memlift("stream=64K")))
#elif defined(SPREAD)
#define ON __attribute__((memlift("spread")))
#else
#define ON
#endif
#define K(name) ON static uint64_t name(struct arrays *s, size_t n)

/* ---- Loops that are spread ---- */

K(scale) {
  float *restrict d = s->f;
  const float *restrict a = s->g;
  for (size_t i = 0; i < n; i++)
    d[i] = a[i] * 1.5f + 2.0f;
  return n;
}

K(overlap) { /* the regions are compared: sometimes they meet */
  uint32_t *d = s->d;
  const uint32_t *a = s->a;
  for (size_t i = 0; i < n; i++)
    d[i] = a[i] * 3 + 1;
  return 0;
}

K(in_place) {
  uint32_t *restrict d = s->w;
  for (size_t i = 0; i < n; i++)
    d[i] = (d[i] ^ d[i] >> 7) * 9;
  return 0;
}

K(backwards) {
  uint32_t *restrict d = s->w;
  const uint16_t *restrict a = s->h;
  for (size_t i = n; i-- > 0;)
    d[i] = a[i] * 5u + (uint32_t)i;
  return 0;
}

K(conditional) {
  uint32_t *restrict d = s->w;
  const uint16_t *restrict a = s->h;
  for (size_t i = 0; i < n; i++)
    if (a[i] & 1)
      d[i] = a[i];
  return 0;
}

K(holes) {
  struct pair *restrict d = s->pairs;
  const uint16_t *restrict a = s->h;
  for (size_t i = 0; i < n; i++)
    d[i].second = (uint32_t)(a[i] * i);
  return 0;
}

K(stencil) {
  float *restrict d = s->f;
  const float *restrict a = s->g;
  for (size_t i = 0; i < n; i++)
    d[i] = a[i] * 0.25f + a[i + 1] * 0.5f + a[i + 2] * 0.25f;
  return 0;
}

K(table) {
  uint32_t *restrict d = s->w;
  const uint8_t *restrict a = s->b;
  const uint32_t *restrict t = s->table;
  for (size_t i = 0; i < n; i++)
    d[i] = t[a[i]];
  return 0;
}

K(products) { /* a sum of int, which must not overflow in a block */
  const int16_t *a = (const int16_t *)s->h;
  const uint8_t *b = s->b;
  int sum = -5;
  for (size_t i = 0; i < n; i++)
    sum += (a[i] & 15) * (b[i] & 7) - 17;
  return (uint64_t)(int64_t)sum;
}

K(sum_and_store) {
  uint32_t *restrict d = s->w;
  const uint16_t *restrict a = s->h;
  uint64_t sum = 1;
  uint32_t x = 7, all = 0xffffff, any = 0;
  for (size_t i = 0; i < n; i++) {
    d[i] = a[i] * 11u;
    sum += (uint64_t)a[i] * i;
    x ^= d[i] << (i & 7);
    all &= a[i] | 0xff00ffu;
    any |= a[i] & 0x3cu;
  }
  return sum + x * 3 + ((uint64_t)all << 32) + any;
}

K(count_some) { /* joined under a condition */
  const uint16_t *a = s->h;
  unsigned count = 3;
  for (size_t i = 0; i < n; i++)
    if (a[i] % 3 == 1)
      count++;
  return count;
}

K(less) {
  const uint16_t *a = s->h;
  const uint8_t *b = s->b;
  int64_t left = 1 << 20;
  for (size_t i = 0; i < n; i++)
    left -= a[i] * b[i];
  return (uint64_t)left;
}

K(extremes) { /* of numbers with and without a sign, of several widths */
  const uint16_t *h = s->h;
  const uint32_t *a = s->a;
  uint32_t *restrict d = s->w;
  uint16_t least = 60000;
  uint64_t most = 5;
  int32_t low = 1000, high = -1000;
  int8_t lowByte = 100;
  for (size_t i = 0; i < n; i++) {
    d[i] = h[i] * 7u;
    least = h[i] < least ? h[i] : least;
    if (a[i] * 3ull > most)
      most = a[i] * 3ull;
    low = (int32_t)a[i] >> 8 < low ? (int32_t)a[i] >> 8 : low;
    if ((int32_t)a[i] >> 1 > high)
      high = (int32_t)a[i] >> 1;
    int8_t byte = (int8_t)(h[i] >> 3);
    if (lowByte > byte)
      lowByte = byte;
  }
  return least + most * 3 + (uint64_t)(int64_t)low * 5 + (uint64_t)(int64_t)high * 7 +
         (uint64_t)(int64_t)lowByte * 11;
}

K(extreme_of_some) { /* an extremum under a condition, and without a store */
  const uint16_t *h = s->h;
  const uint8_t *b = s->b;
  int most = -7;
  for (size_t i = 0; i < n; i++)
    if (b[i] & 1 && h[i] * b[i] > most)
      most = h[i] * b[i];
  return (uint64_t)(int64_t)most;
}

K(pointers) { /* counters that are pointers, and one of 32 bits */
  const uint16_t *a = s->h, *end = a + n;
  uint32_t *restrict d = s->w;
  unsigned k = 40;
  while (a != end) {
    *d++ = *a++ + k;
    k += 3;
  }
  return k;
}

K(rows) {
  size_t width = 61, height = n / 64;
  uint32_t *restrict d = s->w;
  const uint16_t *restrict a = s->h;
  uint32_t sum = 0;
  for (size_t y = 0; y < height; y++)
    for (size_t x = 0; x < width; x++) {
      d[y * 64 + x] = a[y * 64 + x] * 3u;
      sum += a[y * 64 + x] ^ (uint32_t)x;
    }
  return sum;
}

/* ---- Sums and checksums, which are calls ---- */

K(sum_bytes) {
  uint64_t sum = 5;
  for (size_t i = 0; i < n; i++)
    sum += s->b[i];
  return sum;
}

K(internet) {
  const uint16_t *a = s->h;
  uint64_t sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += a[i];
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return sum;
}

K(adler) {
  uint32_t a = 1, b = 0;
  for (size_t i = 0; i < n; i++) {
    a = (a + s->b[i]) % 65521;
    b = (b + a) % 65521;
  }
  return (uint64_t)b << 16 | a;
}

K(fletcher) {
  const uint16_t *h = s->h;
  uint32_t a = 1, b = 7;
  for (size_t i = 0; i < n; i++) {
    a = (a + h[i]) % 65535;
    b = (b + a) % 65535;
  }
  return (uint64_t)b << 32 | a;
}

K(carries) {
  const uint32_t *a = s->a;
  uint32_t sum = 3;
  for (size_t i = 0; i < n; i++) {
    sum += a[i];
    sum += sum < a[i];
  }
  return sum;
}

K(crc32) {
  uint32_t crc = 0xffffffff;
  for (size_t i = 0; i < n; i++) {
    crc ^= s->b[i];
    for (int k = 0; k < 8; k++)
      crc = crc >> 1 ^ (0xEDB88320 & (0 - (crc & 1)));
  }
  return ~crc;
}

/* ---- Loops that stay ---- */

K(recurrence) {
  float *restrict d = s->f;
  const float *restrict a = s->g;
  float v = 0;
  for (size_t i = 0; i < n; i++)
    d[i] = v = v * 0.5f + a[i];
  return 0;
}

K(float_sum) {
  float v = 0;
  for (size_t i = 0; i < n; i++)
    v += s->g[i] * 1.25f;
  uint32_t bits;
  __builtin_memcpy(&bits, &v, 4);
  return bits;
}

K(next_one) {
  uint32_t *d = s->w;
  for (size_t i = 0; i < n; i++)
    d[i + 1] = d[i] * 3 + 1;
  return 0;
}

K(bins) {
  uint32_t *restrict d = s->table;
  const uint8_t *restrict a = s->b;
  for (size_t i = 0; i < n; i++)
    d[a[i]] += 1;
  return 0;
}

K(last_value) {
  uint32_t *restrict d = s->w;
  const uint16_t *restrict a = s->h;
  uint32_t v = 0;
  for (size_t i = 0; i < n; i++)
    d[i] = v = a[i] * 3u;
  return v;
}

K(sum_used) { /* the sum is used in the loop */
  uint32_t *restrict d = s->w;
  const uint16_t *restrict a = s->h;
  uint32_t sum = 0;
  for (size_t i = 0; i < n; i++)
    d[i] = sum += a[i] * 3u;
  return sum;
}

static _Thread_local uint32_t mine[2048] = {1, 2, 3};
K(clamped) { /* least and greatest in turn: the order counts */
  const uint16_t *h = s->h;
  uint32_t v = 500;
  for (size_t i = 0; i < n; i++) {
    v = v < h[i] ? v : h[i];
    v = v > 100u + (h[i] & 7) ? v : 100u + (h[i] & 7);
  }
  return v;
}

K(where) { /* the place of the greatest one */
  const uint16_t *h = s->h;
  uint32_t most = 0;
  size_t at = 0;
  for (size_t i = 0; i < n; i++)
    if (h[i] > most) {
      most = h[i];
      at = i;
    }
  return at * 3 + most;
}

K(of_thread) {
  uint32_t *restrict d = s->w;
  const uint8_t *restrict a = s->b;
  for (size_t i = 0; i < n; i++)
    d[i] = mine[a[i]];
  return 0;
}

#define ENTRY(name) {#name, name}
const struct kernel TABLE[] = {
    ENTRY(scale),       ENTRY(overlap),       ENTRY(in_place),   ENTRY(backwards),
    ENTRY(conditional), ENTRY(holes),         ENTRY(stencil),    ENTRY(table),
    ENTRY(products),    ENTRY(sum_and_store), ENTRY(count_some), ENTRY(less),
    ENTRY(pointers),    ENTRY(rows),          ENTRY(sum_bytes),  ENTRY(internet),
    ENTRY(adler),       ENTRY(crc32),         ENTRY(fletcher),   ENTRY(carries),
    ENTRY(recurrence),  ENTRY(float_sum),     ENTRY(next_one),   ENTRY(bins),
    ENTRY(last_value),  ENTRY(sum_used),      ENTRY(extremes),   ENTRY(extreme_of_some),
    ENTRY(clamped),     ENTRY(where),         ENTRY(of_thread),  {0, 0}};
