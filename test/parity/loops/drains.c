// drains.c - loops over ring buffers that end where the index comes to a place, as when it is empty
//
// The loop runs end - at times if `at` is not behind `end`, and `end` is a place of the ring. A test
// before the loop decides whether that is so; else the loop runs as it was written. `size` is the
// ring's.
#include "parity.h"

PARITY(drain_masked, "copy guarded")
u64 drain_masked(u8 *restrict ring, u8 *restrict flat, u32 at, u32 end, u32 size) {
  u32 n = 0;
  while (at != end) {
    flat[n++] = ring[at];
    at = (at + 1) & 255;
  }
  return (u64)n << 32 | at;
}

PARITY(drain_mask, "copy guarded")
u64 drain_mask(u8 *restrict ring, u8 *restrict flat, u32 at, u32 end, u32 size) {
  u32 mask = size - 1;
  while (end != at) {
    *flat++ = ring[at];
    at = (at + 1) & mask;
  }
  return at;
}

PARITY(drain_compared, "copy guarded")
u64 drain_compared(u8 *restrict ring, u8 *restrict flat, u32 at, u32 end, u32 size) {
  while (at != end) {
    *flat++ = ring[at];
    if (++at == size)
      at = 0;
  }
  return at;
}

PARITY(drain_chosen, "copy guarded")
u64 drain_chosen(u8 *restrict ring, u8 *restrict flat, u32 at, u32 end, u32 size) {
  for (u32 n = 0; at != end; n++) {
    flat[n] = ring[at];
    at = at + 1 < size ? at + 1 : 0;
  }
  return at;
}

PARITY(drain_remainder, "copy guarded")
u64 drain_remainder(u8 *restrict ring, u8 *restrict flat, u32 at, u32 end, u32 size) {
  for (; at != end; at = (at + 1) % size)
    *flat++ = ring[at];
  return at;
}

PARITY(drain_signed, "copy guarded")
u64 drain_signed(u8 *restrict ring, u8 *restrict flat, u32 at, u32 end, u32 size) {
  int t = (int)at, n = 0;
  while (t != (int)end) {
    flat[n++] = ring[t];
    t = (t + 1) % 256;
  }
  return (u64)n << 32 | (u32)t;
}

// The body runs before the first test: a ring that is full.
PARITY(drain_full, "copy guarded")
u64 drain_full(u8 *restrict ring, u8 *restrict flat, u32 at, u32 end, u32 size) {
  do {
    *flat++ = ring[at];
    at = (at + 1) & 255;
  } while (at != end);
  return at;
}

// Not more than `size` bytes.
PARITY(drain_limit, "copy guarded")
u64 drain_limit(u8 *restrict ring, u8 *restrict flat, u32 at, u32 end, u32 size) {
  u32 n = 0;
  while (at != end && n < size) {
    flat[n++] = ring[at];
    at = (at + 1) & 255;
  }
  return (u64)n << 32 | at;
}

PARITY(drain_limit_first, "copy guarded")
u64 drain_limit_first(u8 *restrict ring, u8 *restrict flat, u32 at, u32 end, u32 size) {
  u32 left = size;
  while (left && at != end) {
    *flat++ = ring[at];
    at = (at + 1) & 255;
    left--;
  }
  return (u64)left << 32 | at;
}

PARITY(drain_limit_break, "copy guarded")
u64 drain_limit_break(u8 *restrict ring, u8 *restrict flat, u32 at, u32 end, u32 size) {
  u32 i;
  for (i = 0; i < size; i++) {
    if (at == end)
      break;
    flat[i] = ring[at];
    at = at == 255 ? 0 : at + 1;
  }
  return (u64)i << 32 | at;
}

PARITY(drain_limit_sum, "sum guarded")
u64 drain_limit_sum(u8 *restrict ring, u8 *restrict flat, u32 at, u32 end, u32 size) {
  u32 s = 0;
  for (u32 i = 0; i < size && at != end; i++) {
    s += ring[at];
    at = (at + 1) & 255;
  }
  return (u64)at << 32 | s;
}

// The two regions may overlap.
PARITY(drain_near, "move guarded")
u64 drain_near(u8 *ring, u8 *flat, u32 at, u32 end, u32 size) {
  u32 n = 0;
  while (at != end) {
    flat[n++] = ring[at];
    at = (at + 1) & 255;
  }
  return at;
}

PARITY(drain_words, "copy guarded")
u64 drain_words(u8 *restrict ring, u8 *restrict flat, u32 at, u32 end, u32 size) {
  const u32 *s = (const u32 *)ring;
  u32 *d = (u32 *)flat;
  while (at != end) {
    *d++ = s[at];
    if (++at >= size)
      at = 0;
  }
  return at;
}

PARITY(drain_sum, "sum guarded")
u64 drain_sum(u8 *restrict ring, u8 *restrict flat, u32 at, u32 end, u32 size) {
  u32 s = 0;
  for (u32 t = at; t != end; t = (t + 1) & 255)
    s += ring[t];
  return s;
}

PARITY(drain_fill, "fill guarded")
u64 drain_fill(u8 *restrict ring, u8 *restrict flat, u32 at, u32 end, u32 size) {
  while (at != end) {
    ring[at] = 0x55;
    at = (at + 1) & 255;
  }
  return at;
}

struct queue {
  u32 head, tail;
  u8 *data;
};

// The fields are read before the loop, and the tail is written after it.
PARITY(drain_fields, "copy guarded")
PARITY_BUT(drain_fields, "gcc-15", "move guarded",
           "GCC 15 does not tell a pointer read through a volatile one from a restrict parameter")
u64 drain_fields(u8 *restrict ring, u8 *restrict flat, u32 at, u32 end, u32 size) {
  struct queue own = {end, at, ring}, *volatile hidden = &own;
  struct queue *q = hidden;
  u32 head = q->head, tail = q->tail;
  const u8 *data = q->data;
  while (tail != head) {
    *flat++ = data[tail];
    tail = (tail + 1) & 255;
  }
  q->tail = tail;
  return own.tail;
}

// Near misses.

PARITY(drain_by_two, "copy kept MLF2010 MLF2013 MLF2016")
u64 drain_by_two(u8 *restrict ring, u8 *restrict flat, u32 at, u32 end, u32 size) {
  u64 n = 0;
  while (at != end) {
    flat[n++] = ring[at];
    at = (at + 2) & 255;
  }
  return n;
}

// The place where it ends moves on.
PARITY(drain_behind, "copy kept MLF2010 MLF2016")
u64 drain_behind(u8 *restrict ring, u8 *restrict flat, u32 at, u32 end, u32 size) {
  while (at != end) {
    *flat++ = ring[at];
    at = (at + 1) & 255;
    end += at == 3;
  }
  return at;
}

// It ends where the index is not below, whether that has wrapped or not.
PARITY(drain_below, "copy kept MLF2010 MLF2016")
u64 drain_below(u8 *restrict ring, u8 *restrict flat, u32 at, u32 end, u32 size) {
  while (at < end) {
    *flat++ = ring[at];
    at = (at + 1) & 255;
  }
  return at;
}
