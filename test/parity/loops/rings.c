// rings.c - loops over ring buffers, whose index starts again at 0 behind the last place
//
// From `at` on, the index is at + i until it comes to the end of the ring. A test before the loop
// decides whether the loop ends before that; else the loop runs as it was written. `size` is the
// ring's, `at` the first index, `n` the iterations. The index after the loop is a result, too.
#include "parity.h"

PARITY(put_masked, "copy guarded")
u64 put_masked(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  for (u32 i = 0; i < n; i++) {
    ring[at] = flat[i];
    at = (at + 1) & 255;
  }
  return at;
}

PARITY(put_mask, "copy guarded")
u64 put_mask(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  u32 mask = size - 1;
  for (u32 i = 0; i < n; i++) {
    ring[at] = flat[i];
    at = (at + 1) & mask;
  }
  return at;
}

PARITY(get_mask, "copy guarded")
u64 get_mask(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  u32 mask = size - 1;
  for (u32 i = 0; i < n; i++) {
    flat[i] = ring[at];
    at = (at + 1) & mask;
  }
  return at;
}

PARITY(get_long, "copy guarded")
u64 get_long(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  u64 t = at, mask = size - 1;
  for (u64 i = 0; i < n; i++) {
    flat[i] = ring[t];
    t = (t + 1) & mask;
  }
  return t;
}

// The two regions may overlap.
PARITY(get_near, "move guarded")
u64 get_near(u8 *ring, u8 *flat, u32 at, u32 n, u32 size) {
  u32 mask = size - 1;
  for (u32 i = 0; i < n; i++) {
    flat[i] = ring[at];
    at = (at + 1) & mask;
  }
  return at;
}

PARITY(put_words, "copy guarded")
u64 put_words(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  u32 mask = size - 1, *d = (u32 *)ring;
  const u32 *s = (const u32 *)flat;
  for (u32 i = 0; i < n; i++) {
    d[at] = s[i];
    at = (at + 1) & mask;
  }
  return at;
}

PARITY(put_thousand, "copy guarded")
u64 put_thousand(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  for (u32 i = 0; i < n; i++) {
    ring[at] = flat[i];
    at = (at + 1) % 1000;
  }
  return at;
}

PARITY(put_remainder, "copy guarded")
u64 put_remainder(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  for (u32 i = 0; i < n; i++) {
    ring[at] = flat[i];
    at = (at + 1) % size;
  }
  return at;
}

PARITY(get_signed, "copy guarded")
u64 get_signed(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  int t = (int)at;
  for (int i = 0; i < (int)n; i++) {
    flat[i] = ring[t];
    t = (t + 1) % 256;
  }
  return (u32)t;
}

PARITY(get_signed_any, "copy guarded")
u64 get_signed_any(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  int t = (int)at, places = (int)size;
  for (int i = 0; i < (int)n; i++) {
    flat[i] = ring[t];
    t = (t + 1) % places;
  }
  return (u32)t;
}

PARITY(get_signed_mask, "copy guarded")
u64 get_signed_mask(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  int t = (int)at, mask = (int)size - 1;
  for (int i = 0; i < (int)n; i++) {
    flat[i] = ring[t];
    t = (t + 1) & mask;
  }
  return (u32)t;
}

PARITY(put_if, "copy guarded")
u64 put_if(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  for (u32 i = 0; i < n; i++) {
    ring[at] = flat[i];
    if (++at == size)
      at = 0;
  }
  return at;
}

PARITY(put_if_not_below, "copy guarded")
u64 put_if_not_below(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  for (u32 i = 0; i < n; i++) {
    ring[at] = flat[i];
    if (++at >= size)
      at = 0;
  }
  return at;
}

PARITY(get_if_signed, "copy guarded")
u64 get_if_signed(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  int t = (int)at;
  for (int i = 0; i < (int)n; i++) {
    flat[i] = ring[t];
    if (++t >= (int)size)
      t = 0;
  }
  return (u32)t;
}

PARITY(put_if_last, "copy guarded")
u64 put_if_last(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  for (u32 i = 0; i < n; i++) {
    ring[at] = flat[i];
    if (at == size - 1)
      at = 0;
    else
      at++;
  }
  return at;
}

PARITY(put_choice, "copy guarded")
u64 put_choice(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  for (u32 i = 0; i < n; i++) {
    ring[at] = flat[i];
    at = at + 1 == size ? 0 : at + 1;
  }
  return at;
}

// Behind the last place comes one that is not the first.
PARITY(put_back_to, "copy guarded")
u64 put_back_to(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  for (u32 i = 0; i < n; i++) {
    ring[at] = flat[i];
    at = at + 1 < size ? at + 1 : size / 2;
  }
  return at;
}

PARITY(put_cut, "copy guarded")
u64 put_cut(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  u32 mask = size - 1;
  for (u32 i = 0; i < n; i++)
    ring[(at + i) & mask] = flat[i];
  return at;
}

PARITY(get_cut, "copy guarded")
u64 get_cut(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  for (u32 i = 0; i < n; i++)
    flat[i] = ring[(at + i) & 255];
  return at;
}

PARITY(get_cut_remainder, "copy guarded")
u64 get_cut_remainder(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  for (u32 i = 0; i < n; i++)
    flat[i] = ring[(at + i) % size];
  return at;
}

// The index runs on, and is cut where it is used.
PARITY(put_free, "copy guarded")
u64 put_free(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  u32 mask = size - 1;
  while (n--)
    ring[at++ & mask] = *flat++;
  return at;
}

PARITY(put_before, "copy guarded")
u64 put_before(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  for (u32 i = 0; i < n; i++) {
    at = (at + 1) & 255;
    ring[at] = flat[i];
  }
  return at;
}

PARITY(both_rings, "copy guarded")
u64 both_rings(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  u32 from = at / 2;
  for (u32 i = 0; i < n; i++) {
    ring[at] = flat[from];
    if (++at == size)
      at = 0;
    from = (from + 1) & 511;
  }
  return (u64)from << 32 | at;
}

PARITY(fill_ring, "fill guarded")
u64 fill_ring(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  u32 *d = (u32 *)ring, v = size * 0x1010101;
  while (n--) {
    d[at] = v;
    if (++at == size)
      at = 0;
  }
  return at;
}

PARITY(sum_ring, "sum guarded")
u64 sum_ring(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  u32 s = 0, mask = size - 1;
  while (n--) {
    s += ring[at];
    at = (at + 1) & mask;
  }
  return (u64)at << 32 | s;
}

PARITY(crc_ring, "crc guarded")
u64 crc_ring(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  u32 c = ~0u;
  for (u32 i = 0; i < n; i++) {
    c ^= ring[at];
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ 0xedb88320 : c >> 1;
    at = (at + 1) % size;
  }
  return (u64)at << 32 | c;
}

struct device {
  u32 head, size;
  u8 *data;
};

// The ring's fields are read before the loop, and its head is written after it.
PARITY(put_fields, "copy guarded")
PARITY_BUT(put_fields, "gcc-15", "move guarded",
           "GCC 15 does not tell a pointer read through a volatile one from a restrict parameter")
u64 put_fields(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  struct device own = {at, size, ring}, *volatile hidden = &own;
  struct device *d = hidden;
  u32 head = d->head, places = d->size;
  u8 *data = d->data;
  for (u32 i = 0; i < n; i++) {
    data[head] = flat[i];
    if (++head == places)
      head = 0;
  }
  d->head = head;
  return own.head;
}

// An index that is kept in memory, four bytes before the ring; what is read may overlap it.
typedef u32 __attribute__((aligned(1), may_alias)) loose;

PARITY(kept_mask_near, "move guarded")
u64 kept_mask_near(u8 *ring, u8 *flat, u32 at, u32 n, u32 size) {
  loose *head = (loose *)(ring - 4);
  u32 mask = size - 1;
  *head = at;
  while (n--) {
    ring[*head] = *flat++;
    *head = (*head + 1) & mask;
  }
  return *head;
}

PARITY(kept_get_near, "move guarded")
u64 kept_get_near(u8 *ring, u8 *flat, u32 at, u32 n, u32 size) {
  u8 *tail = ring - 1; // what is written may change it, but to a place of the ring
  *tail = (u8)at;
  for (u32 i = 0; i < n; i++) {
    flat[i] = ring[*tail];
    *tail = (u8)(*tail + 1);
  }
  return *tail;
}

PARITY(kept_compared_near, "move guarded")
u64 kept_compared_near(u8 *ring, u8 *flat, u32 at, u32 n, u32 size) {
  loose *head = (loose *)(ring - 4);
  *head = at;
  for (u32 i = 0; i < n; i++) {
    u32 next = *head + 1;
    ring[*head] = flat[i];
    *head = next == size ? 0 : next;
  }
  return *head;
}

PARITY(kept_thousand_near, "move guarded")
u64 kept_thousand_near(u8 *ring, u8 *flat, u32 at, u32 n, u32 size) {
  loose *head = (loose *)(ring - 4);
  *head = at;
  for (u32 i = 0; i < n; i++) {
    ring[*head] = flat[i];
    *head = (*head + 1) % 1000;
  }
  return *head;
}

PARITY(kept_fill, "fill guarded")
u64 kept_fill(u8 *ring, u8 *flat, u32 at, u32 n, u32 size) {
  loose *head = (loose *)(ring - 4);
  u32 mask = size - 1;
  *head = at;
  while (n--) {
    ring[*head] = 0x5a;
    *head = (*head + 1) & mask;
  }
  return *head;
}

// Near misses.

// An index that is kept in memory.
PARITY(kept_by_two, "none kept MLF2013 MLF2016 MLF2140")
u64 kept_by_two(u8 *ring, u8 *flat, u32 at, u32 n, u32 size) {
  loose *head = (loose *)(ring - 4);
  *head = at;
  for (u32 i = 0; i < n; i++) {
    ring[*head] = flat[i];
    *head = (*head + 2) & 255;
  }
  return *head;
}

// A store of bytes may change the mask.
PARITY(mask_reread, "none kept MLF2013 MLF2016")
u64 mask_reread(u8 *ring, u8 *flat, u32 at, u32 n, u32 size) {
  const u32 *mask = (const u32 *)(flat + 2048);
  for (u32 i = 0; i < n; i++) {
    ring[at] = flat[i];
    at = (at + 1) & *mask & 255;
  }
  return at;
}

PARITY(by_two, "none kept MLF2013 MLF2016")
u64 by_two(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  for (u32 i = 0; i < n; i++) {
    ring[at] = flat[i];
    at = (at + 2) & 255;
  }
  return at;
}

PARITY(backwards, "none kept MLF2013 MLF2016")
u64 backwards(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  for (u32 i = 0; i < n; i++) {
    ring[at] = flat[i];
    at = (at - 1) & 255;
  }
  return at;
}

PARITY(holes, "none kept MLF2013 MLF2016")
u64 holes(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  for (u32 i = 0; i < n; i++) {
    ring[at] = flat[i];
    at = (at + 1) & 0x1f7;
  }
  return at;
}

PARITY(eight_places, "none kept MLF2013 MLF2016")
u64 eight_places(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  for (u32 i = 0; i < n; i++) {
    ring[at] = flat[i];
    at = (at + 1) & 7;
  }
  return at;
}

PARITY(sometimes, "none kept MLF2013 MLF2016")
u64 sometimes(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  for (u32 i = 0; i < n; i++) {
    ring[at] = flat[i];
    at = flat[i] == 7 ? at : (at + 1) & 255;
  }
  return at;
}

PARITY(turned, "none kept MLF2013 MLF2016")
u64 turned(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  for (u32 i = 0; i < n; i++) {
    ring[at] = flat[i];
    at = at + 1 > size ? at + 1 : 0;
  }
  return at;
}

PARITY(index_stored, "none kept MLF2024")
u64 index_stored(u8 *restrict ring, u8 *restrict flat, u32 at, u32 n, u32 size) {
  for (u32 i = 0; i < n; i++) {
    ring[at] = (u8)at;
    at = (at + 1) & 255;
  }
  return at;
}
