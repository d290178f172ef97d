// fills.c - fills that every compiler must see alike
#include "parity.h"

PARITY(byte_zero, "fill lowered")
void byte_zero(u8 *d, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = 0;
}

PARITY(byte_value, "fill lowered")
void byte_value(u8 *d, size_t n, u8 v) {
  for (size_t i = 0; i < n; i++)
    d[i] = v;
}

PARITY(half_value, "fill lowered")
void half_value(u16 *d, size_t n, u16 v) {
  for (size_t i = 0; i < n; i++)
    d[i] = v;
}

PARITY(word_value, "fill lowered")
void word_value(u32 *d, size_t n, u32 v) {
  for (size_t i = 0; i < n; i++)
    d[i] = v;
}

PARITY(wide_value, "fill lowered")
void wide_value(u64 *d, size_t n, u64 v) {
  for (size_t i = 0; i < n; i++)
    d[i] = v;
}

PARITY(word_constant, "fill lowered")
void word_constant(u32 *d, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = 0x12345678;
}

PARITY(double_value, "fill lowered")
void double_value(double *d, size_t n, double v) {
  for (size_t i = 0; i < n; i++)
    d[i] = v;
}

PARITY(pointer_null, "fill lowered")
void pointer_null(void **d, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = 0;
}

PARITY(minus_one, "fill lowered")
void minus_one(int *d, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = -1;
}

PARITY(pointer_walk, "fill lowered")
void pointer_walk(u32 *p, u32 *end, u32 v) {
  for (; p != end; p++)
    *p = v;
}

PARITY(count_down, "fill lowered")
void count_down(u32 *p, size_t n, u32 v) {
  while (n--)
    *p++ = v;
}

PARITY(backwards, "fill lowered")
void backwards(u32 *p, long n, u32 v) {
  for (long i = n - 1; i >= 0; i--)
    p[i] = v;
}

PARITY(int_index, "fill lowered")
void int_index(u32 *p, int n, u32 v) {
  for (int i = 0; i < n; i++)
    p[i] = v;
}

PARITY(three_bytes, "fill lowered")
void three_bytes(u8 *p, size_t n, u8 r, u8 g, u8 b) {
  for (size_t i = 0; i < n; i++) {
    p[3 * i] = r;
    p[3 * i + 1] = g;
    p[3 * i + 2] = b;
  }
}

PARITY(every_field, "fill lowered")
struct pair { u32 a, b; };
void every_field(struct pair *p, size_t n, u32 a, u32 b) {
  for (size_t i = 0; i < n; i++) {
    p[i].a = a;
    p[i].b = b;
  }
}

PARITY(unrolled_by_hand, "fill lowered")
void unrolled_by_hand(u32 *p, size_t n, u32 v) {
  for (size_t i = 0; i < n; i += 4) {
    p[i] = v;
    p[i + 1] = v;
    p[i + 2] = v;
    p[i + 3] = v;
  }
}

PARITY(constant_large, "fill lowered")
void constant_large(u16 *p, u16 v) {
  for (int i = 0; i < 4096; i++)
    p[i] = v;
}

PARITY(rows_packed, "fill lowered")
void rows_packed(u32 (*m)[64], size_t h, u32 v) {
  for (size_t y = 0; y < h; y++)
    for (size_t x = 0; x < 64; x++)
      m[y][x] = v;
}

PARITY(global_array, "fill lowered")
u32 global_words[100000];
void global_array(u32 v) {
  for (int i = 0; i < 100000; i++)
    global_words[i] = v;
}

PARITY(live_out_pointer, "fill lowered")
u32 *live_out_pointer(u32 *p, size_t n, u32 v) {
  for (size_t i = 0; i < n; i++)
    *p++ = v;
  return p;
}

PARITY(explicit_memset, "fill lowered")
void explicit_memset(u8 *p, size_t n) { __builtin_memset(p, 7, n); }
