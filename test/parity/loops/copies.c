// copies.c - copies and moves that every compiler must see alike
#include "parity.h"

PARITY(restrict_bytes, "copy lowered")
void restrict_bytes(u8 *restrict d, const u8 *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

PARITY(restrict_words, "copy lowered")
void restrict_words(u32 *restrict d, const u32 *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

PARITY(may_alias_bytes, "move lowered")
void may_alias_bytes(u8 *d, const u8 *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

PARITY(may_alias_words, "move lowered")
void may_alias_words(u64 *d, const u64 *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

PARITY(may_alias_doubles, "move lowered")
void may_alias_doubles(double *d, const double *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

PARITY(walk, "move lowered")
void walk(u8 *d, const u8 *s, size_t n) {
  while (n--)
    *d++ = *s++;
}

PARITY(to_the_end, "move lowered")
void to_the_end(u32 *d, const u32 *s, const u32 *end) {
  while (s != end)
    *d++ = *s++;
}

PARITY(downwards, "move guarded")
void downwards(u32 *d, const u32 *s, long n) {
  for (long i = n - 1; i >= 0; i--)
    d[i] = s[i];
}

PARITY(shift_down, "move lowered")
void shift_down(u32 *a, size_t n) {
  for (size_t i = 0; i < n; i++)
    a[i] = a[i + 1];
}

PARITY(shift_up_far, "move lowered")
void shift_up_far(u8 *a, size_t n) {
  for (size_t i = 0; i < n; i++)
    a[i + 4096] = a[i];
}

PARITY(lz77_match, "move lowered")
void lz77_match(u8 *out, size_t distance, size_t n) {
  const u8 *from = out - distance;
  for (size_t i = 0; i < n; i++)
    out[i] = from[i];
}

PARITY(globals, "copy lowered")
u32 table_a[50000], table_b[50000];
void globals(void) {
  for (int i = 0; i < 50000; i++)
    table_a[i] = table_b[i];
}

PARITY(two_stores, "move lowered")
void two_stores(u32 *d, const u32 *s, size_t n) {
  for (size_t i = 0; i < n; i += 2) {
    d[i] = s[i];
    d[i + 1] = s[i + 1];
  }
}

PARITY(rows, "copy lowered")
void rows(u32 (*restrict d)[64], u32 (*restrict s)[64], size_t h) {
  for (size_t y = 0; y < h; y++)
    for (size_t x = 0; x < 64; x++)
      d[y][x] = s[y][x];
}

PARITY(struct_elements, "copy lowered")
struct item { u32 a; u16 b, c; u64 d; };
void struct_elements(struct item *restrict d, const struct item *restrict s,
                     size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

PARITY(live_out_end, "copy lowered")
u8 *live_out_end(u8 *restrict d, const u8 *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    *d++ = *s++;
  return d;
}

PARITY(explicit_memcpy, "copy lowered")
void explicit_memcpy(u8 *d, const u8 *s, size_t n) { __builtin_memcpy(d, s, n); }

PARITY(explicit_memmove, "move lowered")
void explicit_memmove(u8 *d, const u8 *s, size_t n) { __builtin_memmove(d, s, n); }

PARITY(large_assignment, "copy lowered")
struct big { u8 bytes[5000]; };
void large_assignment(struct big *d, const struct big *s) { *d = *s; }
