// real-copies.c - copies and fills as compressors, image libraries and parsers write them
#include "parity.h"

#include <string.h>

// Move to front: everything up to a place moves up by one. The narrow counter never
// passes 0, which GCC proves and LLVM has to test.
PARITY(byte_counts_down, "move guarded")
PARITY_BUT(byte_counts_down, "gcc-12", "move lowered", "GCC knows the range of the counter")
void byte_counts_down(u8 *order, u8 at) {
  while (at > 0) {
    order[at] = order[at - 1];
    at--;
  }
}

struct tables {
  int first[16];
  u8 bytes[4096];
  u16 lengths[320];
  u32 used;
};
// The bound is read again, and is needed behind the loop as well.
PARITY(bound_used_behind, "move guarded")
PARITY_BUT(bound_used_behind, "gcc-12", "move lowered", "GCC tells members of a struct apart")
void bound_used_behind(struct tables *t, int at, int group) {
  while (at > t->first[group]) {
    t->bytes[at] = t->bytes[at - 1];
    at--;
  }
  t->first[group]++;
}

PARITY(int_base_down, "move guarded")
void int_base_down(struct tables *t, int base, u32 n) {
  while (n > 0) {
    t->bytes[base + n] = t->bytes[base + n - 1];
    n--;
  }
}

PARITY(counter_in_memory, "fill guarded")
PARITY_BUT(counter_in_memory, "gcc-14", "fill lowered", "GCC bounds the counter by the array")
void counter_in_memory(struct tables *t, unsigned n, unsigned length) {
  while (n--)
    t->lengths[t->used++] = (u16)length;
}

// i < 1 << bits is i >> bits == 0 for LLVM.
PARITY(up_to_power, "fill lowered")
void up_to_power(u32 *table, unsigned bits, u32 entry) {
  for (unsigned i = 0; i < (1U << bits); i++)
    table[i] = entry;
}

PARITY(until_offset, "fill guarded")
void until_offset(u8 *full, unsigned offset, unsigned end, unsigned slot) {
  do
    full[offset] = (u8)slot;
  while (++offset != end);
}

// Ends only if the size is a multiple of the element's.
PARITY(bytes_by_fours, "move guarded")
PARITY_BUT(bytes_by_fours, "clang-22", "move lowered", "LLVM 22 takes it that the loop ends")
void bytes_by_fours(u32 *d, const u32 *s, size_t bytes) {
  do {
    *d++ = *s++;
    bytes -= sizeof *d;
  } while (bytes > 0);
}

PARITY(bytes_by_threes, "move lowered")
void bytes_by_threes(u8 *d, const u8 *s, unsigned bytes) {
  do {
    d[0] = s[0];
    d[1] = s[1];
    d[2] = s[2];
    d += 3;
    s += 3;
    bytes -= 3;
  } while (bytes != 0);
}

struct stream { unsigned have; u8 *next, *out; unsigned size; };
PARITY(to_the_end, "move guarded")
void to_the_end(struct stream *s) {
  u8 *from = s->out + s->have, *to = s->out + 2 * s->size;
  while (from > s->out)
    *--to = *--from;
  s->next = to;
}

// A pattern that is put together in memory, and read from there each time.
PARITY(local_pattern, "fill already + fill lowered")
PARITY_BUT(local_pattern, "clang-19", "fill lowered", "the local array is gone")
PARITY_BUT(local_pattern, "clang-22", "fill lowered", "the local array is gone")
PARITY_BUT(local_pattern, "gcc-15", "fill already + fill guarded",
           "for GCC 15 a parameter may point to the array")
void local_pattern(u8 *d, const u8 *end, const u8 *s, int period) {
  u8 v[8];
  if (period == 1) {
    memset(v, *s, 8);
  } else {
    memcpy(v, s, 4);
    memcpy(v + 4, s, 4);
  }
  memcpy(d, v, 8);
  d += 8;
  while (d < end) {
    memcpy(d, v, 8);
    d += 8;
  }
}

// Should the destination reach what is read, it is overwritten with what it holds.
PARITY(byte_read_again, "fill lowered")
void byte_read_again(u8 *d, const u8 *s, size_t n) {
  while (n--)
    *d++ = *s;
}

struct gram { int length; };
PARITY(int_read_again, "fill lowered")
void int_read_again(int *d, int i, const struct gram *g, int n) {
  while (i < n)
    d[i++] = g->length;
}

PARITY(own_element, "fill lowered")
void own_element(u16 *d, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = d[7];
}

PARITY(own_element_plus, "fill kept MLF2063")
void own_element_plus(u8 *d, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = (u8)(d[7] + 1);
}

// Both ends are tested in each iteration.
PARITY(two_ends, "move lowered")
u8 *two_ends(u8 *d, const u8 *dend, const u8 *s, const u8 *send) {
  while (d < dend && s < send)
    *d++ = *s++;
  return d;
}

PARITY(two_int_ends, "move lowered")
void two_int_ends(u16 *d, const u16 *s, int n, int room) {
  for (int i = 0; i < n && i < room; i++)
    d[i] = s[i];
}

// Unrolled with an index narrower than a pointer: that index + 1 is the next element
// is tested.
PARITY(up_by_fours, "move guarded")
void up_by_fours(struct tables *t, int base, u32 n) {
  while (n > 3) {
    int z = base + n;
    t->bytes[z] = t->bytes[z - 1];
    t->bytes[z - 1] = t->bytes[z - 2];
    t->bytes[z - 2] = t->bytes[z - 3];
    t->bytes[z - 3] = t->bytes[z - 4];
    n -= 4;
  }
}

PARITY(ring_of_pointers, "move guarded")
void ring_of_pointers(void **ring, u32 at, void *const *from, u32 n) {
  for (u32 i = 0; i < (n & ~3u); i += 4, at += 4) {
    ring[at] = from[i];
    ring[at + 1] = from[i + 1];
    ring[at + 2] = from[i + 2];
    ring[at + 3] = from[i + 3];
  }
}

PARITY(pairs_at, "fill guarded")
void pairs_at(u16 *d, u32 at, u32 n, u16 v) {
  for (u32 i = 0; i < n; i++, at += 2) {
    d[at] = v;
    d[at + 1] = v;
  }
}

PARITY(ints_by_fours, "move lowered")
void ints_by_fours(u32 *d, const u32 *s, int n, int offset) {
  for (int i = 0; i < n; i += 4) {
    d[offset + i] = s[i];
    d[offset + i + 1] = s[i + 1];
    d[offset + i + 2] = s[i + 2];
    d[offset + i + 3] = s[i + 3];
  }
}

// A counter that is kept in memory, which what is written may reach.
struct growing { u8 *data; size_t used; };
PARITY(append_copy, "move guarded")
void append_copy(struct growing *b, const u8 *s, size_t n) {
  while (n--)
    b->data[b->used++] = *s++;
}

struct fixed_room { u32 used; u8 data[256]; };
PARITY(append_in_struct, "move guarded")
void append_in_struct(struct fixed_room *b, const u8 *s, u32 n) {
  for (u32 i = 0; i < n; i++)
    b->data[b->used++] = s[i];
}

PARITY(pad_with_blanks, "fill guarded")
void pad_with_blanks(char *text, int *used, int width, int n) {
  while (width > n) {
    text[(*used)++] = ' ';
    width--;
  }
}

PARITY(through_pointer, "fill guarded")
void through_pointer(u8 **p, size_t n) {
  while (n--)
    *(*p)++ = 0;
}

PARITY(index_from_data, "none kept MLF2013 MLF2140")
void index_from_data(struct growing *b, const u8 *s, size_t n) {
  while (n--)
    b->data[b->used += *s] = *s++;
}

// No copies and no fills: nothing of them walks through memory.
struct node { struct node *next; int mark; };
PARITY(marks_of_a_list, "none kept MLF2010 MLF2013")
void marks_of_a_list(struct node *p) {
  for (; p; p = p->next)
    p->mark = 0;
}

PARITY(flag_if_any, "none kept MLF2015 MLF2022")
void flag_if_any(const u8 *s, size_t n, int *seen) {
  for (size_t i = 0; i < n; i++)
    if (s[i] == 0)
      *seen = 1;
}

// As LZ4 copies literals: some words, perhaps past the end, again and again.
PARITY(literals, "move kept MLF3004")
u8 *literals(u8 *d, const u8 *s, const u32 *lengths, size_t n) {
  for (size_t k = 0; k < n; k++) {
    u8 *end = d + lengths[k];
    do {
      __builtin_memcpy(d, s, 8);
      d += 8;
      s += 8;
    } while (d < end);
    s -= d - end;
    d = end;
  }
  return d;
}

PARITY(few_words, "move lowered")
void few_words(u8 *d, const u8 *s, const u8 *end) {
  do {
    __builtin_memcpy(d, s, 8);
    d += 8;
    s += 8;
  } while (d < end);
}
