// fills-more.c - fills in the spellings of real programs: patterns, structures, unrolling, counters
#include "parity.h"

// ---- Patterns of 3 to 16 bytes ----

PARITY(two_wide_fields, "fill lowered")
struct two_wide { u64 a, b; };
void two_wide_fields(struct two_wide *p, size_t n, u64 a, u64 b) {
  for (size_t i = 0; i < n; i++) {
    p[i].a = a;
    p[i].b = b;
  }
}

PARITY(two_pointers, "fill lowered")
struct list_head { struct list_head *next, *prev; };
void two_pointers(struct list_head *p, size_t n, struct list_head *to) {
  for (size_t i = 0; i < n; i++) {
    p[i].next = to;
    p[i].prev = 0;
  }
}

PARITY(vertices, "fill lowered")
struct vertex { float x, y, z; };
void vertices(struct vertex *p, size_t n, float x, float y, float z) {
  for (size_t i = 0; i < n; i++) {
    p[i].x = x;
    p[i].y = y;
    p[i].z = z;
  }
}

PARITY(vertex_assigned, "fill lowered")
void vertex_assigned(struct vertex *p, size_t n) {
  const struct vertex up = {0, 1, 0};
  for (size_t i = 0; i < n; i++)
    p[i] = up;
}

PARITY(wide_by_value, "fill lowered")
void wide_by_value(struct two_wide *p, size_t n, struct two_wide v) {
  for (size_t i = 0; i < n; i++)
    p[i] = v;
}

PARITY(rgba, "fill lowered")
void rgba(u8 *p, size_t n, u8 r, u8 g, u8 b, u8 a) {
  while (n--) {
    *p++ = r;
    *p++ = g;
    *p++ = b;
    *p++ = a;
  }
}

PARITY(big_endian_words, "fill lowered")
void big_endian_words(u8 *p, size_t n, u32 v) {
  for (size_t i = 0; i < n; i++, p += 4) {
    p[0] = v >> 24;
    p[1] = v >> 16;
    p[2] = v >> 8;
    p[3] = v;
  }
}

PARITY(five_bytes, "fill lowered")
struct __attribute__((packed)) five { u8 tag; u32 value; };
void five_bytes(struct five *p, size_t n, u32 v) {
  for (size_t i = 0; i < n; i++) {
    p[i].tag = 1;
    p[i].value = v;
  }
}

PARITY(mac_addresses, "fill lowered")
void mac_addresses(u8 (*p)[6], size_t n, u16 oui, u32 rest) {
  for (size_t i = 0; i < n; i++) {
    p[i][0] = oui;
    p[i][1] = oui >> 8;
    p[i][2] = rest;
    p[i][3] = rest >> 8;
    p[i][4] = rest >> 16;
    p[i][5] = rest >> 24;
  }
}

PARITY(seven_constant, "fill lowered")
void seven_constant(char *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    p[7 * i] = 'a';
    p[7 * i + 1] = 'b';
    p[7 * i + 2] = 'c';
    p[7 * i + 3] = 'd';
    p[7 * i + 4] = 'e';
    p[7 * i + 5] = 'f';
    p[7 * i + 6] = 'g';
  }
}

PARITY(ten_bytes, "fill lowered")
void ten_bytes(u16 *p, size_t n, u16 a, u16 b, u16 c, u16 d, u16 e) {
  for (size_t i = 0; i < n; i++, p += 5) {
    p[0] = a;
    p[1] = b;
    p[2] = c;
    p[3] = d;
    p[4] = e;
  }
}

PARITY(alternating, "fill lowered")
void alternating(u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    p[2 * i] = 0xaa;
    p[2 * i + 1] = 0x55;
  }
}

PARITY(double_pair, "fill lowered")
void double_pair(double *p, size_t n, double re, double im) {
  for (size_t i = 0; i < 2 * n; i += 2) {
    p[i] = re;
    p[i + 1] = im;
  }
}

PARITY(mixed_fields, "fill lowered")
struct mixed { u32 a; u16 b; u8 c, d; u64 e; };
void mixed_fields(struct mixed *p, size_t n, u16 b, u64 e) {
  for (size_t i = 0; i < n; i++) {
    p[i].a = 7;
    p[i].b = b;
    p[i].c = 1;
    p[i].d = 2;
    p[i].e = e;
  }
}

PARITY(all_zero_fields, "fill lowered")
struct session { u64 id; u32 state, flags; void *owner; u32 key[2]; };
void all_zero_fields(struct session *s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    s[i].id = 0;
    s[i].state = 0;
    s[i].flags = 0;
    s[i].owner = 0;
    s[i].key[0] = s[i].key[1] = 0;
  }
}

// ---- Hand-unrolled ----

PARITY(unrolled_eight, "fill lowered")
void unrolled_eight(u8 *p, size_t n, u8 v) {
  for (size_t k = 0; k < n; k++) {
    size_t i = 8 * k;
    p[i] = v; p[i + 1] = v; p[i + 2] = v; p[i + 3] = v;
    p[i + 4] = v; p[i + 5] = v; p[i + 6] = v; p[i + 7] = v;
  }
}

PARITY(unrolled_pointer, "fill lowered")
void unrolled_pointer(u64 *p, size_t n, u64 v) {
  for (size_t i = n / 4; i; i--) {
    *p++ = v;
    *p++ = v;
    *p++ = v;
    *p++ = v;
  }
}

PARITY(unrolled_down, "fill lowered")
void unrolled_down(u32 *p, size_t n, u32 v) {
  p += 2 * n;
  while (n--) {
    p -= 2;
    p[1] = v;
    p[0] = v;
  }
}

// ---- Counters, pointers and bounds ----

PARITY(not_equal_end, "fill lowered")
void not_equal_end(u8 *p, u8 *end) {
  while (p != end)
    *p++ = 0xff;
}

PARITY(less_than_end, "fill lowered")
void less_than_end(u32 *p, u32 *end, u32 v) {
  while (p < end)
    *p++ = v;
}

PARITY(do_while, "fill lowered")
void do_while(u16 *p, size_t n, u16 v) {
  do
    *p++ = v;
  while (--n);
}

PARITY(for_forever, "fill lowered")
void for_forever(u32 *p, size_t n, u32 v) {
  size_t i = 0;
  for (;;) {
    if (i == n)
      break;
    p[i++] = v;
  }
}

PARITY(down_to_zero, "fill lowered")
void down_to_zero(u16 *p, size_t n) {
  for (size_t i = n; i > 0; i--)
    p[i - 1] = 0;
}

PARITY(between, "fill lowered")
void between(u32 *p, size_t from, size_t to, u32 v) {
  for (size_t i = from; i < to; i++)
    p[i] = v;
}

PARITY(int_between, "fill lowered")
void int_between(u32 *p, int from, int to, u32 v) {
  for (int i = from; i <= to; i++)
    p[i] = v;
}

PARITY(bool_array, "fill lowered")
void bool_array(_Bool *p, size_t n, _Bool v) {
  for (size_t i = 0; i < n; i++)
    p[i] = v;
}

PARITY(enum_array, "fill lowered")
enum colour { red, green, blue };
void enum_array(enum colour *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = blue;
}

PARITY(float_zero, "fill lowered")
void float_zero(float *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = 0.0f;
}

PARITY(complex_value, "fill lowered")
void complex_value(_Complex double *p, size_t n, double re) {
  for (size_t i = 0; i < n; i++)
    p[i] = re + 1.0i;
}

PARITY(member_array, "fill lowered")
struct holder { int count; u32 slots[4000]; };
void member_array(struct holder *h) {
  for (int i = 0; i < 4000; i++)
    h->slots[i] = 0xffffffff;
}

PARITY(local_table, "fill lowered")
void use_table(u16 *table);
void local_table(u16 v) {
  u16 table[1000];
  for (int i = 0; i < 1000; i++)
    table[i] = v;
  use_table(table);
}

PARITY(value_of_argument, "fill lowered")
void value_of_argument(u32 *p, size_t n, const u8 *v) {
  u32 word = *v * 0x01010101u;
  for (size_t i = 0; i < n; i++)
    p[i] = word;
}

PARITY(computed_value, "fill lowered")
void computed_value(u32 *p, size_t n, u32 a, u32 b) {
  for (size_t i = 0; i < n; i++)
    p[i] = a * b + 1;
}

PARITY(three_deep, "fill lowered")
void three_deep(u8 (*m)[8][16], size_t n) {
  for (size_t z = 0; z < n; z++)
    for (int y = 0; y < 8; y++)
      for (int x = 0; x < 16; x++)
        m[z][y][x] = 0;
}

// ---- Kept, and why ----

// The four bytes of padding behind `b` keep what they held.
PARITY(padded_fields, "fill kept MLF2021")
struct padded { u64 a; u32 b; };
void padded_fields(struct padded *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    p[i].a = 0;
    p[i].b = 0;
  }
}

struct rgb_value {
  u8 r, g, b;
};
struct three_words {
  u32 x, y, z;
};

PARITY(struct_by_value, "fill lowered")
void struct_by_value(struct rgb_value *d, struct rgb_value c, int w) {
  for (int x = 0; x < w; x++)
    d[x] = c;
}

PARITY(struct_reread, "fill lowered")
void struct_reread(struct three_words *restrict d, const struct three_words *restrict c, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = *c;
}

PARITY(struct_perhaps_written, "fill kept MLF2025")
PARITY_BUT(struct_perhaps_written, "clang-19", "fill kept MLF2025 + copy already", "the copy of 3 bytes is a memcpy")
PARITY_BUT(struct_perhaps_written, "clang-22", "fill kept MLF2025 + copy already", "the copy of 3 bytes is a memcpy")
void struct_perhaps_written(struct rgb_value *d, const struct rgb_value *c, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = *c;
}

PARITY(every_other, "fill kept MLF2021")
void every_other(float *p, size_t n) {
  for (size_t i = 0; i < n; i += 2)
    p[i] = 0;
}

PARITY(column, "fill kept MLF2021")
void column(u32 (*m)[64], size_t h, size_t x, u32 v) {
  for (size_t y = 0; y < h; y++)
    m[y][x] = v;
}

PARITY(counts_up, "none kept MLF2072")
void counts_up(u16 *p, u16 first) {
  for (int i = 0; i < 10000; i++)
    p[i] = first + i;
}

PARITY(volatile_register, "fill kept MLF2001")
void volatile_register(volatile u32 *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = 0;
}
