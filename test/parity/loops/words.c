// words.c - fills and copies where nothing may be called, on a core that runs in order
#include "parity.h"

PARITY_FLAGS("-ffreestanding --memlift-core=generic-inorder")

PARITY(bytes, "fill guarded")
void bytes(u8 *d, size_t n, u8 v) {
  for (size_t i = 0; i < n; i++)
    d[i] = v;
}

PARITY(walk, "fill guarded")
void walk(u8 *d, u8 *end) {
  while (d != end)
    *d++ = 0;
}

PARITY(downwards, "fill guarded")
void downwards(u8 *d, size_t n, u8 v) {
  while (n--)
    d[n] = v;
}

PARITY(halves, "fill guarded")
void halves(u16 *d, size_t n, u16 v) {
  for (size_t i = 0; i < n; i++)
    d[i] = v;
}

PARITY(words, "fill guarded")
void words(u32 *d, size_t n, u32 v) {
  for (size_t i = 0; i < n; i++)
    d[i] = v;
}

PARITY(wide, "fill guarded")
void wide(u64 *d, size_t n, u64 v) {
  for (size_t i = 0; i < n; i++)
    d[i] = v;
}

PARITY(constant_size, "fill inlined")
void constant_size(u8 *d, u8 v) {
  for (size_t i = 0; i < 300; i++)
    d[i] = v;
}

PARITY(surely_many, "fill guarded")
void surely_many(u8 *d, size_t n, u8 v) {
  if (n > 100)
    for (size_t i = 0; i < n; i++)
      d[i] = v;
}

struct packed_word {
  u32 v;
} __attribute__((packed));

PARITY(unaligned_words, "fill guarded")
void unaligned_words(struct packed_word *d, size_t n, u32 v) {
  for (size_t i = 0; i < n; i++)
    d[i].v = v;
}

PARITY(few, "fill kept MLF2006 MLF3011")
void few(u8 *d, u8 v) {
  for (size_t i = 0; i < 31; i++)
    d[i] = v;
}

struct triple {
  u8 r, g, b;
};

PARITY(threes, "fill kept MLF2006 MLF3011")
void threes(struct triple *d, size_t n) {
  for (size_t i = 0; i < n; i++) {
    d[i].r = 1;
    d[i].g = 2;
    d[i].b = 3;
  }
}

PARITY(in_rows, "fill guarded")
void in_rows(u8 *d, size_t pitch, size_t rows, size_t width) {
  for (size_t y = 0; y < rows; y++)
    for (size_t x = 0; x < width; x++)
      d[y * pitch + x] = 0;
}

PARITY(is_volatile, "fill kept MLF2001")
void is_volatile(volatile u8 *d, size_t n, u8 v) {
  for (size_t i = 0; i < n; i++)
    d[i] = v;
}

PARITY(two_arrays, "fill kept MLF2006")
void two_arrays(u32 *restrict d, u32 *restrict e, size_t n) {
  for (size_t i = 0; i < n; i++) {
    d[i] = 0;
    e[i] = 1;
  }
}

PARITY(copy, "move guarded")
void copy(u8 *d, const u8 *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

PARITY(copy_apart, "copy guarded")
void copy_apart(u8 *restrict d, const u8 *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

PARITY(copy_words, "copy guarded")
void copy_words(u32 *restrict d, const u32 *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

PARITY(copy_downwards, "move guarded")
void copy_downwards(u8 *d, const u8 *s, size_t n) {
  while (n--)
    d[n] = s[n];
}

PARITY(drop_three, "move guarded")
void drop_three(u8 *d, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = d[i + 3];
}

PARITY(constant_copy, "copy inlined")
void constant_copy(u64 *restrict d, const u64 *restrict s) {
  for (size_t i = 0; i < 100; i++)
    d[i] = s[i];
}

PARITY(swapped, "copy_swap kept MLF2006 MLF3011 MLF3013")
void swapped(u32 *restrict d, const u32 *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = __builtin_bswap32(s[i]);
}

PARITY(memset, "fill kept MLF2004")
void *memset(void *to, int c, size_t n) {
  u8 *d = to;
  for (size_t i = 0; i < n; i++)
    d[i] = (u8)c;
  return to;
}
