/* real.c - bounds, counters and values as real code holds them; compiled twice, into TABLE.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "loops.h"

#include <string.h>

#define LOOP(name) static void name(void *to, const void *from, size_t count, uint64_t value)
#define UNUSED (void)from, (void)value

LOOP(byte_counter) {
  uint8_t *d = to, at = count < 2 ? 0 : (uint8_t)(count > 255 ? 255 : count - 1);
  UNUSED;
  while (at > 0) {
    d[at] = d[at - 1];
    at--;
  }
}

LOOP(until_bound) { /* which is among what is written, or not */
  uint8_t *d = to;
  const uint8_t *bound = from;
  (void)value;
  if (count < 300)
    return;
  for (size_t i = 0; i < *bound; i++)
    d[i] = 200;
}

LOOP(bound_behind) { /* the bound is needed after the loop */
  uint8_t *d = to;
  const uint8_t *bound = from;
  size_t at = count - 1;
  (void)value;
  if (count < 300)
    return;
  while (at > *bound) {
    d[at] = d[at - 1];
    at--;
  }
  d[*bound] = (uint8_t)at;
}

LOOP(to_power) {
  uint32_t *d = to;
  unsigned bits = 0;
  (void)from;
  while ((2u << bits) <= count)
    bits++;
  if (count)
    for (unsigned i = 0; i < (1u << bits); i++)
      d[i] = (uint32_t)value;
}

LOOP(by_fours) {
  uint32_t *d = to;
  const uint32_t *s = from;
  size_t bytes = 4 * count;
  (void)value;
  if (!bytes)
    return;
  do {
    *d++ = *s++;
    bytes -= sizeof *d;
  } while (bytes > 0);
}

LOOP(by_threes) {
  uint8_t *d = to;
  const uint8_t *s = from;
  uint32_t bytes = (uint32_t)(count / 3 * 3);
  (void)value;
  if (!bytes)
    return;
  do {
    d[0] = s[0];
    d[1] = s[1];
    d[2] = s[2];
    d += 3;
    s += 3;
    bytes -= 3;
  } while (bytes != 0);
}

LOOP(value_again) { /* the destination may reach the value */
  uint8_t *d = to;
  const uint8_t *s = from;
  (void)value;
  while (count--)
    *d++ = *s;
}

LOOP(words_again) {
  uint32_t *d = to;
  const uint32_t *s = from;
  (void)value;
  for (size_t i = 0; i < count; i++)
    d[i] = *s;
}

LOOP(value_plus_again) {
  uint8_t *d = to;
  const uint8_t *s = from;
  (void)value;
  for (size_t i = 0; i < count; i++)
    d[i] = (uint8_t)(*s + 1);
}

LOOP(own_element) {
  uint16_t *d = to;
  UNUSED;
  if (count > 7)
    for (size_t i = 0; i < count; i++)
      d[i] = d[7];
}

LOOP(local_pattern) {
  uint8_t *d = to, *end = d + count * 8, v[8];
  (void)from;
  if (!count)
    return;
  if (value & 1)
    memset(v, (uint8_t)value, 8);
  else
    memcpy(v, &value, 8);
  memcpy(d, v, 8);
  d += 8;
  while (d < end) {
    memcpy(d, v, 8);
    d += 8;
  }
}

LOOP(two_ends) {
  uint8_t *d = to, *dend = d + count;
  const uint8_t *s = from, *send = s + (count > 50 ? 50 : 2 * count);
  (void)value;
  while (d < dend && s < send)
    *d++ = *s++;
  if (count)
    dend[-1] = (uint8_t)(d - dend);
}

LOOP(two_counts) {
  uint16_t *d = to;
  const uint16_t *s = from;
  int n = (int)count, room = 40 + (int)(value & 15);
  for (int i = 0; i < n && i < room; i++)
    d[i] = s[i];
}

LOOP(base_and_counter) { /* an int and an unsigned: what is counted may wrap */
  uint8_t *d = to;
  const uint8_t *s = from;
  int base = -(int)(value & 7);
  uint32_t n = (uint32_t)count;
  d += value & 7;
  s += value & 7;
  if (count < 8)
    return;
  while (n > 8) {
    n--;
    d[base + n] = s[base + n];
  }
}

LOOP(unrolled_at) { /* i + 1 is a narrow number, too */
  uint16_t *d = to;
  const uint16_t *s = from;
  uint32_t at = -(uint32_t)(value & 1) + 1;
  for (uint32_t i = 0; i < (uint32_t)(count / 2 * 2); i += 2, at += 2) {
    d[at] = s[i];
    d[at + 1] = s[i + 1];
  }
}

LOOP(unrolled_down) {
  uint8_t *d = to;
  uint32_t n = (uint32_t)count;
  int base = -(int)(value & 3);
  UNUSED;
  d += value & 3;
  while (n > 4) {
    int z = base + n;
    d[z - 1] = d[z - 2];
    d[z - 2] = d[z - 3];
    n -= 2;
  }
}

LOOP(append_bytes) { /* the counter may be among what is written */
  uint8_t *d = to, *used = (uint8_t *)(uintptr_t)from;
  if (count)
    *used = 0;
  for (size_t i = 0; i < count; i++)
    d[(*used)++] = (uint8_t)value;
}

LOOP(append_copy) { /* and is among what is read */
  uint8_t *d = to, *used = (uint8_t *)(uintptr_t)from;
  const uint8_t *s = from;
  (void)value;
  if (count)
    *used = 0;
  for (size_t i = 0; i < count; i++) {
    uint8_t byte = s[i];
    d[(*used)++] = byte;
  }
}

LOOP(append_behind) { /* or in front of it */
  uint8_t *d = to, *used = (uint8_t *)(uintptr_t)from;
  const uint8_t *s = used + 1;
  (void)value;
  if (count)
    *used = 0;
  for (size_t i = 1; i < count; i++) {
    uint8_t byte = s[i - 1];
    d[(*used)++] = byte;
  }
}

LOOP(through_pointer) { /* whose last value is an address, which differs */
  uint8_t **place = (uint8_t **)(uintptr_t)from, *old = count ? *place : 0;
  size_t n = count * 8;
  if (!count)
    return;
  *place = to;
  while (n--)
    *(*place)++ = (uint8_t)value;
  old += *place - (uint8_t *)to;
  *place = old;
}

struct buffer {
  uint32_t used, left;
  uint8_t data[8];
};

LOOP(append_in_struct) {
  struct buffer *b = to;
  const uint8_t *s = from;
  (void)value;
  if (count < 16)
    return;
  b->used = 3;
  for (size_t i = 0; i < count; i++) {
    uint8_t byte = s[i];
    b->data[b->used++] = byte;
  }
}

LOOP(until_none_left) {
  struct buffer *b = to;
  UNUSED;
  if (count < 16)
    return;
  b->used = 0;
  b->left = (uint32_t)count;
  while (b->left > 0) {
    b->left--;
    b->data[b->used++] = 5;
  }
}

LOOP(counts_beside) { /* stored each time, never read */
  uint8_t *d = to;
  uint32_t *done = (uint32_t *)(uintptr_t)from;
  for (size_t i = 0; i < 4 * count; i++) {
    d[i] = (uint8_t)value;
    *done = (uint32_t)i;
  }
}

LOOP(at_most_a_line) {
  uint8_t *d = to;
  const uint8_t *s = from;
  for (size_t i = 0; i < count && i < 40; i++)
    d[i] = s[i];
}

LOOP(down_to_three) { /* the counter counts down beside a pointer that counts up */
  uint8_t *d = to;
  const uint8_t *s = from, *end = s + count;
  for (int i = 43 - (int)(value & 7); i >= 3 && s < end; i--)
    *d++ = *s++;
}

const struct loop TABLE[] = {
    {"byte_counter", byte_counter, 1, 0, 0},
    {"until_bound", until_bound, 1, 1, 0},
    {"bound_behind", bound_behind, 1, 1, 0},
    {"to_power", to_power, 4, 0, 0},
    {"by_fours", by_fours, 4, 1, 0},
    {"by_threes", by_threes, 1, 1, 0},
    {"value_again", value_again, 1, 1, 0},
    {"words_again", words_again, 4, 1, 0},
    {"value_plus_again", value_plus_again, 1, 1, 0},
    {"own_element", own_element, 2, 0, 0},
    {"local_pattern", local_pattern, 8, 0, 0},
    {"two_ends", two_ends, 1, 1, 0},
    {"two_counts", two_counts, 2, 1, 0},
    {"base_and_counter", base_and_counter, 1, 1, 0},
    {"unrolled_at", unrolled_at, 2, 1, 0},
    {"unrolled_down", unrolled_down, 1, 0, 0},
    {"append_bytes", append_bytes, 1, 1, 0},
    {"append_copy", append_copy, 1, 1, 0},
    {"append_behind", append_behind, 1, 1, 0},
    {"through_pointer", through_pointer, 8, 1, 1},
    {"append_in_struct", append_in_struct, 4, 1, 0},
    {"until_none_left", until_none_left, 4, 0, 0},
    {"counts_beside", counts_beside, 4, 1, 0},
    {"at_most_a_line", at_most_a_line, 1, 1, 0},
    {"down_to_three", down_to_three, 1, 1, 0},
    {0, 0, 0, 0, 0},
};
