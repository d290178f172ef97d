/* maps.c - loops that are no operation of any library, and near misses; compiled twice, into TABLE.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "loops.h"

#define LOOP(name) static void name(void *to, const void *from, size_t count, uint64_t value)
#define UNUSED (void)from, (void)value

/* One element of each, one after the other. */
#define MAP(name, type, what) \
  LOOP(name) { \
    UNUSED; \
    type *d = to, v = (type)value; \
    const type *s = from; \
    (void)v; \
    for (size_t i = 0; i < count; i++) \
      d[i] = (type)(what); \
  }
#define IN_PLACE(name, type, what) \
  LOOP(name) { \
    UNUSED; \
    type *d = to, v = (type)value; \
    (void)v; \
    for (size_t i = 0; i < count; i++) \
      d[i] = (type)(what); \
  }

MAP(xor8, uint8_t, s[i] ^ 0x5a)
MAP(not16, uint16_t, ~s[i])
MAP(mask32, uint32_t, (s[i] & v) | (d[i] & ~v))
MAP(plus8, uint8_t, s[i] + v)
MAP(minus8, uint8_t, v - s[i])
MAP(minus16, uint16_t, s[i] - d[i])
MAP(plus32, uint32_t, s[i] + v)
MAP(scaled16, uint16_t, d[i] + v * s[i])
MAP(scaled32, uint32_t, d[i] + v * s[i])
MAP(scaled64, uint64_t, d[i] + v * s[i])
MAP(turned16, uint16_t, s[i] << 8 | s[i] >> 8)
MAP(turned32, uint32_t, __builtin_bswap32(s[i]))
MAP(turned64, uint64_t, __builtin_bswap64(s[i]) ^ v)
MAP(rotated, uint32_t, s[i] << 7 | s[i] >> 25)
MAP(halved, int32_t, s[i] >> 3)
MAP(digit, uint8_t, s[i] % 10)
MAP(counted, uint32_t, s[i] + i)
MAP(square, int16_t, s[i] * s[i])
MAP(equal, uint8_t, s[i] == v)
MAP(least, uint32_t, s[i] < v ? s[i] : v) /* kept: chosen */
MAP(divided, uint32_t, s[i] / 7)
IN_PLACE(flip8, uint8_t, d[i] ^ 0xff)
IN_PLACE(more8, uint8_t, d[i] + v)
IN_PLACE(more64, uint64_t, d[i] * 3 + v)

LOOP(before) { /* of words, what is one and four in front */
  UNUSED;
  uint32_t *d = to;
  for (size_t i = 1; i < count; i++)
    d[i] += d[i - 1]; /* kept: what is loaded was stored just before */
}

LOOP(far_before) {
  UNUSED;
  uint32_t *d = to;
  for (size_t i = 4; i < count; i++)
    d[i] += 3 * d[i - 4];
}

LOOP(behind) {
  UNUSED;
  uint16_t *d = to;
  for (size_t i = 0; i + 1 < count; i++)
    d[i] = (uint16_t)(d[i] + d[i + 1]);
}

LOOP(behind_down) {
  UNUSED;
  uint32_t *d = to;
  for (size_t i = count; i-- > 1;)
    d[i] = d[i] ^ d[i - 1];
}

LOOP(neighbours) {
  UNUSED;
  uint32_t *d = to;
  const uint32_t *s = from;
  for (size_t i = 1; i + 1 < count; i++)
    d[i] = s[i - 1] + 2 * s[i] + s[i + 1];
}

LOOP(down) {
  UNUSED;
  uint8_t *d = to;
  const uint8_t *s = from;
  for (size_t i = count; i-- > 0;)
    d[i] = s[i] ^ 0x11;
}

LOOP(reversed) {
  UNUSED;
  uint16_t *d = to;
  const uint16_t *s = from;
  for (size_t i = 0; i < count; i++)
    d[count - 1 - i] = s[i] ^ 7;
}

LOOP(every_other) {
  UNUSED;
  uint16_t *d = to;
  const uint16_t *s = from;
  for (size_t i = 0; i + 1 < count; i += 2)
    d[i] = s[i] ^ 7;
}

LOOP(widened) { /* the first bytes of the source */
  UNUSED;
  uint32_t *d = to;
  const uint8_t *s = from;
  for (size_t i = 0; i < count; i++)
    d[i] = s[i] * 16u;
}

LOOP(narrowed) {
  UNUSED;
  uint8_t *d = to;
  const uint32_t *s = from;
  for (size_t i = 0; i < count; i++)
    d[i] = (uint8_t)(s[i] >> 8);
}

LOOP(pairs) { /* a load behind a store */
  UNUSED;
  uint16_t *d = to;
  const uint16_t *s = from;
  for (size_t i = 0; i + 1 < count; i += 2) {
    d[i + 1] = s[i] ^ 1;
    d[i] = s[i + 1] ^ 2;
  }
}

LOOP(three) {
  UNUSED;
  uint32_t *d = to;
  const uint32_t *s = from;
  size_t half = count / 2;
  for (size_t i = 0; i < half; i++)
    d[i] = s[i] - s[half + i];
}

LOOP(factor) { /* which may be among what is stored */
  UNUSED;
  uint32_t *d = to;
  const uint32_t *s = from;
  if (count)
    for (size_t i = 0; i < count; i++)
      d[i] *= s[count / 2];
}

LOOP(counter32) { /* wraps for counts that no memory holds */
  UNUSED;
  uint8_t *d = to;
  const uint8_t *s = from;
  for (uint32_t i = 0; i != (uint32_t)count; i++)
    d[i] = s[i] ^ 3;
}

LOOP(counter_int) {
  UNUSED;
  uint32_t *d = to;
  const uint32_t *s = from;
  for (int i = 0; i < (int)count; i++)
    d[i] = s[i] + 99;
}

LOOP(hundred) { /* a constant count */
  UNUSED;
  uint32_t *d = to;
  const uint32_t *s = from;
  if (count >= 100)
    for (int i = 0; i < 100; i++)
      d[i] = s[i] ^ 0x01020304;
}

LOOP(through_volatile) { /* kept */
  UNUSED;
  volatile uint8_t *d = to;
  const uint8_t *s = from;
  for (size_t i = 0; i < count; i++)
    d[i] = s[i] ^ 3;
}

static void scale_restrict(uint32_t *restrict d, const uint32_t *restrict s, uint32_t a, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] += a * s[i];
}

LOOP(scaled_restrict) { scale_restrict(to, from, (uint32_t)value, count); }

LOOP(used_behind) { /* where the loop has come to */
  UNUSED;
  uint8_t *d = to;
  const uint8_t *s = from, *end = s + count;
  while (s != end)
    *d++ = *s++ | 0x80;
  if (count)
    d[-1] = (uint8_t)(s - (const uint8_t *)from);
}

const struct loop TABLE[] = {
    {"xor8", xor8, 1, 1, 0},
    {"not16", not16, 2, 1, 0},
    {"mask32", mask32, 4, 1, 0},
    {"plus8", plus8, 1, 1, 0},
    {"minus8", minus8, 1, 1, 0},
    {"minus16", minus16, 2, 1, 0},
    {"plus32", plus32, 4, 1, 0},
    {"scaled16", scaled16, 2, 1, 0},
    {"scaled32", scaled32, 4, 1, 0},
    {"scaled64", scaled64, 8, 1, 0},
    {"turned16", turned16, 2, 1, 0},
    {"turned32", turned32, 4, 1, 0},
    {"turned64", turned64, 8, 1, 0},
    {"rotated", rotated, 4, 1, 0},
    {"halved", halved, 4, 1, 0},
    {"digit", digit, 1, 1, 0},
    {"counted", counted, 4, 1, 0},
    {"square", square, 2, 1, 0},
    {"equal", equal, 1, 1, 0},
    {"least", least, 4, 1, 0},
    {"divided", divided, 4, 1, 0},
    {"flip8", flip8, 1, 0, 0},
    {"more8", more8, 1, 0, 0},
    {"more64", more64, 8, 0, 0},
    {"before", before, 4, 0, 0},
    {"far_before", far_before, 4, 0, 0},
    {"behind", behind, 2, 0, 0},
    {"behind_down", behind_down, 4, 0, 0},
    {"neighbours", neighbours, 4, 1, 0},
    {"down", down, 1, 1, 0},
    {"reversed", reversed, 2, 1, 0},
    {"every_other", every_other, 2, 1, 0},
    {"widened", widened, 4, 1, 0},
    {"narrowed", narrowed, 4, 1, 0},
    {"pairs", pairs, 2, 1, 0},
    {"three", three, 4, 1, 0},
    {"factor", factor, 4, 1, 0},
    {"counter32", counter32, 1, 1, 0},
    {"counter_int", counter_int, 4, 1, 0},
    {"hundred", hundred, 4, 1, 0},
    {"through_volatile", through_volatile, 1, 1, 0},
    {"scaled_restrict", scaled_restrict, 4, 1, 1},
    {"used_behind", used_behind, 1, 1, 0},
    {0, 0, 0, 0, 0},
};
