// kept.c - near misses: kept by every compiler, for the same reasons
#include "parity.h"

PARITY(strided, "fill kept MLF2021")
void strided(u32 *d, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[3 * i] = 0;
}

PARITY(one_field, "fill kept MLF2021")
struct record { u32 key, value; };
void one_field(struct record *p, size_t n, u32 v) {
  for (size_t i = 0; i < n; i++)
    p[i].key = v;
}

PARITY(iota, "none kept MLF2072")
void iota(u32 *d, u32 n) {
  for (u32 i = 0; i < n; i++)
    d[i] = i;
}

PARITY(plus_one, "none kept MLF2024")
PARITY_BUT(plus_one, "gcc-12", "none guarded", "GCC makes no vectors at -O2, so words are as good")
void plus_one(u8 *restrict d, const u8 *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i] + 1;
}

PARITY(widening, "copy kept MLF2070")
void widening(u16 *restrict d, const u8 *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

struct pixel {
  u8 r, g, b;
};
PARITY(reverse, "copy kept MLF2071")
void reverse(struct pixel *restrict d, const struct pixel *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    d[i].r = s[n - 1 - i].r;
    d[i].g = s[n - 1 - i].g;
    d[i].b = s[n - 1 - i].b;
  }
}

PARITY(gather, "copy kept MLF2030")
void gather(u8 *restrict d, const u8 *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[4 * i];
}

// Nine bytes again and again: more than a fill's pattern, and no memmove.
PARITY(repeat_nine, "copy kept MLF2031")
void repeat_nine(u8 *a) {
  for (int i = 0; i < 1000; i++)
    a[i + 9] = a[i];
}

PARITY(string_copy, "copy kept MLF3055")
void string_copy(u8 *restrict d, const u8 *restrict s) {
  while ((*d++ = *s++))
    ;
}

PARITY(with_break, "copy kept MLF3055")
void with_break(u8 *restrict d, const u8 *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (s[i] == 10)
      break;
    d[i] = s[i];
  }
}

PARITY(conditional, "fill kept MLF2015")
void conditional(u8 *restrict d, const u8 *restrict m, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (m[i])
      d[i] = 0;
}

PARITY(calls_out, "fill kept MLF2012")
void outside(void);
void calls_out(u32 *d, size_t n, u32 v) {
  for (size_t i = 0; i < n; i++) {
    d[i] = v;
    outside();
  }
}

PARITY(memory_barrier, "fill kept MLF2012")
void memory_barrier(u32 *d, size_t n, u32 v) {
  for (size_t i = 0; i < n; i++) {
    d[i] = v;
    __asm__ volatile("" ::: "memory");
  }
}

// Each array is read after a store to the other.
PARITY(exchanged, "copy kept MLF2023")
void exchanged(u32 *restrict d, u32 *restrict e, size_t n) {
  for (size_t i = 0; i < n; i++) {
    u32 t = d[i];
    d[i] = e[i];
    e[i] = t;
  }
}

PARITY(sum_beside, "fill kept MLF2016")
u32 sum_beside(u32 *restrict d, const u32 *restrict s, size_t n, u32 v) {
  u32 sum = 0;
  for (size_t i = 0; i < n; i++) {
    sum += s[i];
    d[i] = v;
  }
  return sum;
}

PARITY(value_from_inside, "fill kept MLF2063")
void value_from_inside(u8 *d, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = (u8)(d[5] + 1);
}

PARITY(scatter, "none kept MLF2013")
void scatter(u32 *restrict d, const u32 *restrict where, size_t n, u32 v) {
  for (size_t i = 0; i < n; i++)
    d[where[i]] = v;
}

// The rows are apart, so only the inner loop becomes a call.
PARITY(pitch, "fill lowered")
void pitch(u32 *d, size_t h, size_t stride, u32 v) {
  for (size_t y = 0; y < h; y++)
    for (size_t x = 0; x < 100; x++)
      d[y * stride + x] = v;
}

PARITY(two_sources, "copy kept MLF2032")
void two_sources(u8 *restrict d, const u8 *restrict l, const u8 *restrict r,
                 size_t n) {
  for (size_t i = 0; i < n; i++) {
    d[2 * i] = l[2 * i];
    d[2 * i + 1] = r[2 * i + 1];
  }
}

PARITY(wide_pattern, "fill kept MLF2026")
struct wide { u64 a, b, c; };
void wide_pattern(struct wide *p, size_t n, u64 a, u64 b, u64 c) {
  for (size_t i = 0; i < n; i++) {
    p[i].a = a;
    p[i].b = b;
    p[i].c = c;
  }
}

// Rows of at most three elements: no call pays.
PARITY(pitch_short, "fill kept MLF3004")
void pitch_short(u16 *d, size_t h, size_t stride, u16 v, size_t w) {
  for (size_t y = 0; y < h; y++)
    for (size_t x = 0; x < (w & 3); x++)
      d[y * stride + x] = v;
}
