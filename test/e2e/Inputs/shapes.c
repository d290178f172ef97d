/* shapes.c - loops over rows, over patterns and over words with their bytes turned; compiled twice,
 * into TABLE.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "loops.h"

#include <string.h>

#define LOOP(name) static void name(void *to, const void *from, size_t count, uint64_t value)
#define UNUSED (void)from, (void)value

struct wide {
  uint64_t a, b;
};

LOOP(fill_wide) {
  UNUSED;
  struct wide *d = to;
  for (size_t i = 0; i < count; i++) {
    d[i].a = value;
    d[i].b = value * 3;
  }
}

struct vertex {
  uint32_t x, y, z;
};

LOOP(fill_vertices) {
  UNUSED;
  struct vertex *d = to;
  for (size_t i = 0; i < count; i++) {
    d[i].z = (uint32_t)value;
    d[i].x = (uint32_t)(value >> 32);
    d[i].y = 1;
  }
}

LOOP(fill_tens) {
  UNUSED;
  uint16_t *d = to;
  for (size_t i = 0; i < count; i++, d += 5) {
    d[0] = (uint16_t)value;
    d[1] = 2;
    d[2] = (uint16_t)(value >> 16);
    d[3] = 4;
    d[4] = (uint16_t)(value >> 32);
  }
}

struct __attribute__((packed)) five {
  uint8_t tag;
  uint32_t word;
};

LOOP(fill_fives) {
  UNUSED;
  struct five *d = to;
  for (size_t i = 0; i < count; i++) {
    d[i].tag = 9;
    d[i].word = (uint32_t)value;
  }
}

LOOP(encode_signed) {
  (void)value;
  uint8_t *d = to;
  const int16_t *s = from;
  for (size_t i = 0; i < count; i++, d += 2) {
    d[0] = (uint8_t)(s[i] >> 8);
    d[1] = (uint8_t)s[i];
  }
}

LOOP(encode_signed_little) {
  (void)value;
  uint8_t *d = to;
  const int32_t *s = from;
  for (size_t i = 0; i < count; i++, d += 4) {
    d[3] = (uint8_t)(s[i] >> 24);
    d[2] = (uint8_t)(s[i] >> 16);
    d[1] = (uint8_t)(s[i] >> 8);
    d[0] = (uint8_t)s[i];
  }
}

LOOP(encode_sign) { /* near miss: the highest byte of the widened number */
  (void)value;
  uint8_t *d = to;
  const int16_t *s = from;
  for (size_t i = 0; i < count; i++, d += 2) {
    d[0] = (uint8_t)(s[i] >> 15);
    d[1] = (uint8_t)s[i];
  }
}

LOOP(fill_big_endian) { /* four byte stores, highest first */
  UNUSED;
  uint8_t *d = to;
  for (size_t i = 0; i < count; i++, d += 4) {
    d[0] = (uint8_t)(value >> 24);
    d[1] = (uint8_t)(value >> 16);
    d[2] = (uint8_t)(value >> 8);
    d[3] = (uint8_t)value;
  }
}

#define SWAP(bits)                                                                                 \
  LOOP(swap##bits) {                                                                               \
    UNUSED;                                                                                        \
    uint##bits##_t *d = to;                                                                        \
    const uint##bits##_t *s = from;                                                                \
    for (size_t i = 0; i < count; i++)                                                             \
      d[i] = __builtin_bswap##bits(s[i]);                                                          \
  }                                                                                                \
  LOOP(swap##bits##_down) {                                                                        \
    UNUSED;                                                                                        \
    uint##bits##_t *d = to;                                                                        \
    const uint##bits##_t *s = from;                                                                \
    for (size_t i = count; i-- > 0;)                                                               \
      d[i] = __builtin_bswap##bits(s[i]);                                                          \
  }                                                                                                \
  LOOP(swap##bits##_in_place) {                                                                    \
    UNUSED;                                                                                        \
    uint##bits##_t *d = to;                                                                        \
    for (size_t i = 0; i < count; i++)                                                             \
      d[i] = __builtin_bswap##bits(d[i]);                                                          \
  }
SWAP(16)
SWAP(32)
SWAP(64)

LOOP(swap_pairs) { /* a store before a load of the same iteration */
  UNUSED;
  uint8_t *d = to;
  const uint8_t *s = from;
  for (size_t i = 0; i + 1 < count; i += 2) {
    d[i] = s[i + 1];
    d[i + 1] = s[i];
  }
}

LOOP(encode) {
  UNUSED;
  uint8_t *d = to;
  const uint8_t *s = from;
  for (size_t i = 0; i + 3 < count; i += 4) {
    uint32_t v = (uint32_t)s[i] | (uint32_t)s[i + 1] << 8 | (uint32_t)s[i + 2] << 16 |
                 (uint32_t)s[i + 3] << 24;
    d[i] = (uint8_t)(v >> 24);
    d[i + 1] = (uint8_t)(v >> 16);
    d[i + 2] = (uint8_t)(v >> 8);
    d[i + 3] = (uint8_t)v;
  }
}

LOOP(decode) {
  UNUSED;
  uint16_t *d = to;
  const uint8_t *s = from;
  for (size_t i = 0; i < count; i++)
    d[i] = (uint16_t)(s[2 * i] << 8 | s[2 * i + 1]);
}

/* Some bytes are shifted as int: by 16 they are never negative, by 24 they may be. */
#define DECODE(name, fourth)                                                                       \
  LOOP(name) {                                                                                     \
    UNUSED;                                                                                        \
    uint64_t *d = to;                                                                              \
    const uint8_t *s = from;                                                                       \
    for (size_t i = 0; i < count; i++, s += 8)                                                     \
      d[i] = (uint64_t)s[0] << 56 | (uint64_t)s[1] << 48 | (uint64_t)s[2] << 40 |                  \
             (uint64_t)s[3] << 32 | (fourth) | s[5] << 16 | s[6] << 8 | s[7];                      \
  }
DECODE(decode_mixed, (uint64_t)s[4] << 24)
DECODE(decode_by_sign, (uint64_t)(int)((unsigned)s[4] << 24))

/* Lines of 48 bytes, of which up to 48 are used. */
enum { PITCH = 48 };
static size_t lines(size_t count) { return count / PITCH; }
static size_t used(size_t count) { return count * 7 % (PITCH + 1); }

LOOP(fill_window) {
  uint8_t *d = to;
  size_t w = used(count);
  UNUSED;
  for (size_t y = 0; y < lines(count); y++)
    for (size_t x = 0; x < w; x++)
      d[y * PITCH + x] = (uint8_t)value;
}

LOOP(fill_window_up) { /* the last line first, each from its end */
  uint8_t *d = (uint8_t *)to + lines(count) * PITCH;
  size_t w = used(count);
  UNUSED;
  for (size_t y = 0; y < lines(count); y++) {
    d -= PITCH;
    for (size_t x = w; x-- > 0;)
      d[x] = (uint8_t)value;
  }
}

LOOP(fill_window_words) {
  uint32_t *d = to;
  size_t w = used(count) / 4;
  UNUSED;
  for (size_t y = 0; y < lines(4 * count); y++)
    for (size_t x = 0; x < w; x++)
      d[y * (PITCH / 4) + x] = (uint32_t)value;
}

LOOP(set_lines) {
  uint8_t *d = to;
  size_t w = used(count);
  UNUSED;
  for (size_t y = 0; y < lines(count); y++, d += PITCH)
    memset(d, (int)value, w);
}

LOOP(copy_window) {
  uint8_t *d = to;
  const uint8_t *s = from;
  size_t w = used(count);
  UNUSED;
  for (size_t y = 0; y < lines(count); y++)
    for (size_t x = 0; x < w; x++)
      d[y * PITCH + x] = s[y * PITCH + x];
}

LOOP(copy_window_restrict) {
  uint8_t *restrict d = to;
  const uint8_t *restrict s = from;
  size_t w = used(count);
  UNUSED;
  for (size_t y = 0; y < lines(count); y++)
    for (size_t x = 0; x < w; x++)
      d[y * PITCH + x] = s[y * PITCH + x];
}

LOOP(copy_window_up) {
  uint8_t *d = (uint8_t *)to + lines(count) * PITCH;
  const uint8_t *s = (const uint8_t *)from + lines(count) * PITCH;
  size_t w = used(count);
  UNUSED;
  for (size_t y = 0; y < lines(count); y++) {
    d -= PITCH;
    s -= PITCH;
    for (size_t x = w; x-- > 0;)
      d[x] = s[x];
  }
}

LOOP(pack_lines) { /* two pitches; the source's is larger */
  uint8_t *d = to;
  const uint8_t *s = from;
  size_t w = used(count);
  UNUSED;
  for (size_t y = 0; y < lines(count); y++)
    for (size_t x = 0; x < w; x++)
      d[y * w + x] = s[y * PITCH + x];
}

LOOP(move_lines) { /* upside down */
  uint8_t *d = (uint8_t *)to + lines(count) * PITCH;
  const uint8_t *s = from;
  size_t w = used(count);
  UNUSED;
  for (size_t y = 0; y < lines(count); y++, s += PITCH) {
    d -= PITCH;
    memmove(d, s, w);
  }
}

LOOP(scroll_up) { /* within one region, rows from below */
  uint8_t *d = to;
  size_t w = used(count);
  UNUSED;
  for (size_t y = 0; y + 1 < lines(count); y++)
    for (size_t x = 0; x < w; x++)
      d[y * PITCH + x] = d[(y + 1) * PITCH + x];
}

LOOP(scroll_down) { /* ... and from above: the first row is spread over all */
  uint8_t *d = to;
  size_t w = used(count);
  UNUSED;
  for (size_t y = 0; y + 1 < lines(count); y++)
    for (size_t x = 0; x < w; x++)
      d[(y + 1) * PITCH + x] = d[y * PITCH + x];
}

LOOP(smear) { /* rows that overlap each other and their sources */
  uint8_t *d = to;
  size_t w = used(count);
  UNUSED;
  for (size_t y = 0; y + 3 < lines(count); y++)
    for (size_t x = 0; x < w; x++)
      d[y * 20 + 7 + x] = d[y * 20 + x];
}

#define REVERSED(name, type)                       \
  LOOP(name) {                                     \
    (void)value;                                   \
    type *d = to;                                  \
    const type *s = from;                          \
    for (size_t i = 0; i < count; i++)             \
      d[i] = s[count - 1 - i];                     \
  }
REVERSED(reverse_bytes, uint8_t)
REVERSED(reverse_halves, uint16_t)
REVERSED(reverse_words, uint32_t)
REVERSED(reverse_wide, uint64_t)

LOOP(reverse_down) {
  (void)value;
  uint8_t *d = (uint8_t *)to + count;
  const uint8_t *s = from;
  while (count--)
    *--d = *s++;
}

LOOP(reverse_each) {
  (void)value;
  uint8_t *d = to;
  const uint8_t *s = from;
  for (size_t i = 0; i < count; i++, d += 8, s += 8)
    for (int k = 0; k < 8; k++)
      d[k] = s[7 - k];
}

LOOP(reverse_first) {
  (void)value;
  uint8_t *d = to;
  const uint8_t *s = from;
  if (count)
    for (int k = 0; k < 8; k++)
      d[k] = s[7 - k];
}

const struct loop TABLE[] = {
    {"reverse_bytes", reverse_bytes, 1, 1, 0},
    {"reverse_halves", reverse_halves, 2, 1, 0},
    {"reverse_words", reverse_words, 4, 1, 0},
    {"reverse_wide", reverse_wide, 8, 1, 0},
    {"reverse_down", reverse_down, 1, 1, 0},
    {"reverse_each", reverse_each, 8, 1, 0},
    {"reverse_first", reverse_first, 8, 1, 0},
    {"fill_wide", fill_wide, 16, 0, 0},
    {"fill_vertices", fill_vertices, 12, 0, 0},
    {"fill_tens", fill_tens, 10, 0, 0},
    {"fill_fives", fill_fives, 5, 0, 0},
    {"fill_big_endian", fill_big_endian, 4, 0, 0},
    {"swap16", swap16, 2, 1, 0},
    {"swap16_down", swap16_down, 2, 1, 0},
    {"swap16_in_place", swap16_in_place, 2, 0, 0},
    {"swap32", swap32, 4, 1, 0},
    {"swap32_down", swap32_down, 4, 1, 0},
    {"swap32_in_place", swap32_in_place, 4, 0, 0},
    {"swap64", swap64, 8, 1, 0},
    {"swap64_down", swap64_down, 8, 1, 0},
    {"swap64_in_place", swap64_in_place, 8, 0, 0},
    {"swap_pairs", swap_pairs, 1, 1, 0},
    {"encode", encode, 1, 1, 0},
    {"encode_signed", encode_signed, 2, 1, 0},
    {"encode_signed_little", encode_signed_little, 4, 1, 0},
    {"encode_sign", encode_sign, 2, 1, 0},
    {"decode", decode, 2, 1, 0},
    {"decode_mixed", decode_mixed, 8, 1, 0},
    {"decode_by_sign", decode_by_sign, 8, 1, 0},
    {"fill_window", fill_window, 1, 0, 0},
    {"fill_window_up", fill_window_up, 1, 0, 0},
    {"fill_window_words", fill_window_words, 4, 0, 0},
    {"set_lines", set_lines, 1, 0, 0},
    {"copy_window", copy_window, 1, 1, 0},
    {"copy_window_restrict", copy_window_restrict, 1, 1, 1},
    {"copy_window_up", copy_window_up, 1, 1, 0},
    {"pack_lines", pack_lines, 1, 1, 0},
    {"move_lines", move_lines, 1, 1, 0},
    {"scroll_up", scroll_up, 1, 0, 0},
    {"scroll_down", scroll_down, 1, 0, 0},
    {"smear", smear, 1, 0, 0},
    {0, 0, 0, 0, 0},
};
