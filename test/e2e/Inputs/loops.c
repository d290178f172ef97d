/* loops.c - loops that fill, copy and move, and near misses; compiled twice, into TABLE.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "loops.h"

#define LOOP(name) static void name(void *to, const void *from, size_t count, uint64_t value)
#define UNUSED (void)from, (void)value

#define FILL(bits)                                                                                 \
  LOOP(fill##bits) {                                                                               \
    UNUSED;                                                                                        \
    uint##bits##_t *d = to;                                                                        \
    for (size_t i = 0; i < count; i++)                                                             \
      d[i] = (uint##bits##_t)value;                                                                \
  }
FILL(8)
FILL(16)
FILL(32)
FILL(64)

LOOP(clear) {
  UNUSED;
  char *d = to, *end = d + count;
  while (d != end)
    *d++ = 0;
}

LOOP(fill_pointer_down) { /* from the end to the start */
  UNUSED;
  uint32_t *d = (uint32_t *)to + count;
  while (count--)
    *--d = (uint32_t)value;
}

struct rgb {
  uint8_t r, g, b;
};

LOOP(fill_rgb) { /* three stores that together are contiguous */
  UNUSED;
  struct rgb *d = to;
  for (size_t i = 0; i < count; i++) {
    d[i].r = (uint8_t)value;
    d[i].g = (uint8_t)(value >> 8);
    d[i].b = (uint8_t)(value >> 16);
  }
}

LOOP(fill_rows) { /* rows of a nest: 4 words a row */
  UNUSED;
  uint16_t *d = to;
  for (size_t row = 0; row < count; row++)
    for (int column = 0; column < 4; column++)
      d[row * 4 + column] = (uint16_t)value;
}

LOOP(fill_gaps) { /* a near miss: every other byte */
  UNUSED;
  uint8_t *d = to;
  for (size_t i = 0; i < count; i++)
    d[i * 2] = (uint8_t)value;
}

LOOP(fill_counting) { /* a near miss: the value varies */
  UNUSED;
  uint8_t *d = to;
  for (size_t i = 0; i < count; i++)
    d[i] = (uint8_t)(value + i);
}

LOOP(fill_some) { /* a near miss: not every element is stored */
  UNUSED;
  uint8_t *d = to;
  for (size_t i = 0; i < count; i++)
    if (d[i] & 1)
      d[i] = (uint8_t)value;
}

LOOP(fill_reloading) { /* the value lies where the loop may write */
  UNUSED;
  uint32_t *d = to;
  const uint32_t *s = from;
  for (size_t i = 0; i < count; i++)
    d[i] = *s;
}

#define COPY(bits)                                                                                 \
  LOOP(copy##bits) {                                                                               \
    UNUSED;                                                                                        \
    uint##bits##_t *d = to;                                                                        \
    const uint##bits##_t *s = from;                                                                \
    for (size_t i = 0; i < count; i++)                                                             \
      d[i] = s[i];                                                                                 \
  }
COPY(8)
COPY(16)
COPY(32)
COPY(64)

/* The value is read again in each round; with no round at all, never. */
#define FILL_FROM(n)                                                                               \
  struct bytes##n {                                                                                \
    uint8_t b[n];                                                                                  \
  };                                                                                               \
  static __attribute__((noinline)) void paint##n(struct bytes##n *restrict d,                      \
                                                 const struct bytes##n *restrict c, size_t count) { \
    for (size_t i = 0; i < count; i++)                                                             \
      d[i] = *c;                                                                                   \
  }                                                                                                \
  LOOP(fill_from##n) { UNUSED, paint##n(to, from, count); }
FILL_FROM(3)
FILL_FROM(7)
FILL_FROM(8)
FILL_FROM(12)
FILL_FROM(16)

LOOP(copy_restrict) {
  UNUSED;
  uint8_t *restrict d = to;
  const uint8_t *restrict s = from;
  for (size_t i = 0; i < count; i++)
    d[i] = s[i];
}

LOOP(copy_down) { /* from the end to the start */
  UNUSED;
  uint8_t *d = to;
  const uint8_t *s = from;
  for (size_t i = count; i-- > 0;)
    d[i] = s[i];
}

struct pair {
  uint64_t first;
  uint32_t second, third;
};

LOOP(copy_structs) {
  UNUSED;
  struct pair *d = to;
  const struct pair *s = from;
  for (size_t i = 0; i < count; i++)
    d[i] = s[i];
}

LOOP(copy_fields) {
  UNUSED;
  struct pair *d = to;
  const struct pair *s = from;
  for (size_t i = 0; i < count; i++) {
    d[i].first = s[i].first;
    d[i].second = s[i].second;
    d[i].third = s[i].third;
  }
}

LOOP(shift_down) { /* within one array: a move */
  UNUSED;
  uint8_t *d = to;
  for (size_t i = 0; i + 3 < count; i++)
    d[i] = d[i + 3];
}

LOOP(repeat_up) { /* a near miss: writes what it reads later, so that 3 bytes repeat */
  UNUSED;
  uint8_t *d = to;
  for (size_t i = 3; i < count; i++)
    d[i] = d[i - 3];
}

LOOP(repeat_one) { /* the first byte again and again */
  UNUSED;
  uint8_t *d = to;
  for (size_t i = 1; i < count; i++)
    d[i] = d[i - 1];
}

LOOP(repeat_words) { /* the first eight */
  UNUSED;
  uint64_t *d = to;
  for (size_t i = 0; i + 1 < count; i++)
    d[i + 1] = d[i];
}

LOOP(copy_by_three) { /* three bytes, one after the other */
  UNUSED;
  uint8_t *d = to;
  const uint8_t *s = from;
  for (; count >= 3; count -= 3) {
    *d++ = *s++;
    *d++ = *s++;
    *d++ = *s++;
  }
}

LOOP(copy_narrow_index) { /* the index is narrower than the bound */
  UNUSED;
  uint16_t *d = to;
  const uint16_t *s = from;
  for (unsigned i = 0; i < count; i++)
    d[i] = s[i];
}

LOOP(copy_wrapping_index) { /* some of the lengths do not fit the second counter */
  UNUSED;
  uint8_t *d = to;
  const uint8_t *s = from;
  uint8_t j = 0;
  for (size_t i = 0; i < count; i++, j++)
    d[i] = s[j];
}

LOOP(copy_perhaps) { /* all of it, or nothing */
  UNUSED;
  uint8_t *d = to;
  const uint8_t *s = from;
  size_t odd = count & 1;
  for (size_t i = 0; i < count; i++)
    if (odd)
      d[i] = s[i];
}

LOOP(copy_whole_groups) { /* the rest is left out */
  UNUSED;
  uint16_t *d = to;
  const uint16_t *s = from;
  for (size_t i = 0; i + 3 <= count; i += 3) {
    d[i] = s[i];
    d[i + 1] = s[i + 1];
    d[i + 2] = s[i + 2];
  }
}

LOOP(copy_up_to_bound) { /* the bound lies where the loop may write */
  UNUSED;
  uint8_t *d = to;
  const uint8_t *n = from;
  uint8_t mask = count > 255 ? 255 : count > 31 ? 31 : 3;
  if (count < 4)
    return;
  for (size_t i = 0; i < (*n & mask); i++)
    d[i] = (uint8_t)(value >> 8);
}

#define STEP(p, n) ((void *)((uintptr_t)(p) + (n)))
LOOP(copy_stepped_integers) {
  UNUSED;
  void *d = to;
  const void *s = from, *end = STEP(s, 4 * count);
  for (; s != end; s = STEP(s, 4), d = STEP(d, 4))
    *(uint32_t *)d = *(const uint32_t *)s;
}

LOOP(reverse) { /* a near miss: the source goes the other way */
  UNUSED;
  uint8_t *d = to;
  const uint8_t *s = from;
  for (size_t i = 0; i < count; i++)
    d[i] = s[count - 1 - i];
}

LOOP(copy_swapped) { /* a near miss: the bytes change on the way */
  UNUSED;
  uint8_t *d = to;
  const uint8_t *s = from;
  for (size_t i = 0; i < count; i++)
    d[i] = (uint8_t)(s[i] ^ 0x55);
}

const struct loop TABLE[] = {
    {"fill8", fill8, 1, 0, 0},
    {"fill16", fill16, 2, 0, 0},
    {"fill32", fill32, 4, 0, 0},
    {"fill64", fill64, 8, 0, 0},
    {"clear", clear, 1, 0, 0},
    {"fill_pointer_down", fill_pointer_down, 4, 0, 0},
    {"fill_rgb", fill_rgb, 3, 0, 0},
    {"fill_rows", fill_rows, 8, 0, 0},
    {"fill_gaps", fill_gaps, 2, 0, 0},
    {"fill_counting", fill_counting, 1, 0, 0},
    {"fill_some", fill_some, 1, 0, 0},
    {"fill_reloading", fill_reloading, 4, 1, 0},
    {"copy8", copy8, 1, 1, 0},
    {"copy16", copy16, 2, 1, 0},
    {"copy32", copy32, 4, 1, 0},
    {"copy64", copy64, 8, 1, 0},
    {"fill_from3", fill_from3, 3, 1, 1},
    {"fill_from7", fill_from7, 7, 1, 1},
    {"fill_from8", fill_from8, 8, 1, 1},
    {"fill_from12", fill_from12, 12, 1, 1},
    {"fill_from16", fill_from16, 16, 1, 1},
    {"copy_restrict", copy_restrict, 1, 1, 1},
    {"copy_down", copy_down, 1, 1, 0},
    {"copy_structs", copy_structs, sizeof(struct pair), 1, 0},
    {"copy_fields", copy_fields, sizeof(struct pair), 1, 0},
    {"shift_down", shift_down, 1, 0, 0},
    {"repeat_up", repeat_up, 1, 0, 0},
    {"repeat_one", repeat_one, 1, 0, 0},
    {"repeat_words", repeat_words, 8, 0, 0},
    {"copy_by_three", copy_by_three, 1, 1, 0},
    {"copy_narrow_index", copy_narrow_index, 2, 1, 0},
    {"copy_wrapping_index", copy_wrapping_index, 1, 1, 0},
    {"copy_perhaps", copy_perhaps, 1, 1, 0},
    {"copy_whole_groups", copy_whole_groups, 2, 1, 0},
    {"copy_up_to_bound", copy_up_to_bound, 1, 1, 0},
    {"copy_stepped_integers", copy_stepped_integers, 4, 1, 0},
    {"reverse", reverse, 1, 1, 0},
    {"copy_swapped", copy_swapped, 1, 1, 0},
    {0, 0, 0, 0, 0},
};
