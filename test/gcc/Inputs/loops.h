// loops.h - loops for the differential tests, included once per edition
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LOOP(name, unit, mayOverlap, align) { body } has d, s, n and v in reach.

LOOP(fill_u8, 1, 1, 1) { for (size_t i = 0; i < n; i++) d[i] = (u8)v; return (uintptr_t)d; }
LOOP(fill_u16, 2, 1, 2) {
  uint16_t *p = (uint16_t *)d;
  for (size_t i = 0; i < n; i++) p[i] = (uint16_t)v;
  return (uintptr_t)d;
}
LOOP(fill_u32_int, 4, 1, 4) {
  uint32_t *p = (uint32_t *)d;
  for (int i = 0; i < (int)n; i++) p[i] = (uint32_t)v;
  return (uintptr_t)d;
}
LOOP(fill_u32_unsigned, 4, 1, 4) {
  uint32_t *p = (uint32_t *)d;
  unsigned m = (unsigned)n;
  for (unsigned i = 0; i != m; i++) p[i] = (uint32_t)v;
  return (uintptr_t)d;
}
LOOP(fill_u64_const, 8, 1, 8) {
  uint64_t *p = (uint64_t *)d;
  for (size_t i = 0; i < n; i++) p[i] = 0x0102030405060708u;
  return (uintptr_t)d;
}
LOOP(fill_double, 8, 1, 8) {
  double *p = (double *)d, x;
  memcpy(&x, &v, 8);
  for (size_t i = 0; i < n; i++) p[i] = x;
  return (uintptr_t)d;
}
LOOP(fill_float_const, 4, 1, 4) {
  float *p = (float *)d;
  for (size_t i = 0; i < n; i++) p[i] = -1.25f;
  return (uintptr_t)d;
}
LOOP(fill_down, 4, 1, 4) {
  uint32_t *p = (uint32_t *)d;
  for (size_t i = n; i-- > 0;) p[i] = (uint32_t)v;
  return (uintptr_t)d;
}
LOOP(fill_pointer_result, 2, 1, 2) {
  uint16_t *p = (uint16_t *)d;
  while (n--) *p++ = (uint16_t)v;
  return (uintptr_t)p;
}
LOOP(fill_do_while, 4, 1, 4) {
  uint32_t *p = (uint32_t *)d, *end = p + n;
  if (p == end) return (uintptr_t)p;
  do *p++ = (uint32_t)v; while (p != end);
  return (uintptr_t)p;
}
LOOP(fill_bound_again, 1, 1, 1) {
  const u8 *m = s;
  u8 mask = n > 255 ? 255 : n > 15 ? 15 : 3;
  if (n < 4) return (uintptr_t)d;
  for (size_t i = 0; i < (size_t)(*m & mask); i++) d[i] = (u8)v;
  return (uintptr_t)d;
}
LOOP(fill_value_again, 2, 1, 2) {
  uint16_t *p = (uint16_t *)d, *q = (uint16_t *)s;
  for (size_t i = 0; i < n; i++) p[i] = *q;
  return (uintptr_t)d;
}
LOOP(copy_stepped_integers, 4, 1, 4) {
  void *p = d, *q = s;
  while (n--) {
    *(uint32_t *)p = *(uint32_t *)q;
    p = (void *)((uintptr_t)p + 4), q = (void *)((uintptr_t)q + 4);
  }
  return (uintptr_t)p;
}
LOOP(copy_short_index, 1, 1, 1) {
  u8 j = 0;
  for (unsigned i = 0; i < n; i++, j++) d[i] = s[j];
  return (uintptr_t)d + j;
}
LOOP(repeat_pairs, 2, 1, 2) {
  uint16_t *p = (uint16_t *)d;
  size_t i = 1;
  for (; i < n; i++) p[i] = p[i - 1];
  return (uintptr_t)(p + i);
}
LOOP(fill_pair, 8, 1, 4) {
  uint32_t *p = (uint32_t *)d;
  for (size_t i = 0; i < n; i++) { p[2 * i] = (uint32_t)v; p[2 * i + 1] = (uint32_t)(v >> 32); }
  return (uintptr_t)d;
}
LOOP(fill_rgb, 3, 1, 1) {
  for (size_t i = 0; i < n; i++) {
    d[3 * i] = (u8)v; d[3 * i + 1] = (u8)(v >> 8); d[3 * i + 2] = (u8)(v >> 16);
  }
  return (uintptr_t)d;
}
LOOP(fill_struct, 8, 1, 4) {
  struct { uint32_t a; uint16_t b, c; } *p = (void *)d;
  for (size_t i = 0; i < n; i++) { p[i].a = (uint32_t)v; p[i].b = 5; p[i].c = (uint16_t)(v >> 40); }
  return (uintptr_t)d;
}
LOOP(fill_rows, 4, 1, 4) {
  uint32_t *p = (uint32_t *)d;
  size_t rows = n / 5;
  for (size_t r = 0; r < rows; r++)
    for (size_t c = 0; c < 5; c++) p[r * 5 + c] = (uint32_t)v;
  return (uintptr_t)d;
}
LOOP(fill_rows_variable, 2, 1, 2) {
  uint16_t *p = (uint16_t *)d;
  size_t cols = v % 7, rows = cols ? n / cols : n;
  for (size_t r = 0; r < rows; r++)
    for (size_t c = 0; c < cols; c++) p[r * cols + c] = (uint16_t)v;
  return (uintptr_t)d;
}
LOOP(fill_rows_int, 2, 1, 2) {
  uint16_t *p = (uint16_t *)d;
  int cols = (int)(v % 7) - 1, rows = cols > 0 ? (int)n / cols : (int)n;
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < cols; c++) p[r * cols + c] = 0x1234;
  return (uintptr_t)d;
}
LOOP(fill_row_pointer, 1, 1, 1) {
  size_t w = v % 9, rows = w ? n / w : n;
  u8 *p = d;
  for (size_t r = 0; r < rows; r++) { for (size_t c = 0; c < w; c++) p[c] = 0xee; p += w; }
  return (uintptr_t)p;
}
LOOP(fill_step2, 8, 1, 4) {
  uint32_t *p = (uint32_t *)d;
  for (size_t i = 0; i < 2 * n; i += 2) p[i] = p[i + 1] = (uint32_t)v;
  return (uintptr_t)d;
}
LOOP(fill_narrow_counter, 1, 1, 1) {
  u8 m = (u8)n;
  for (u8 i = 0; i < m; i++) d[i] = (u8)v;
  return (uintptr_t)d + m;
}
LOOP(fill_offset_counter, 4, 1, 4) {
  uint32_t *p = (uint32_t *)d;
  int from = n > 3 ? 3 : 0;
  int i;
  for (i = from; i < (int)n; i++) p[i] = (uint32_t)v;
  return (uintptr_t)(d + i);
}
LOOP(copy_u8, 1, 1, 1) { for (size_t i = 0; i < n; i++) d[i] = s[i]; return (uintptr_t)d; }
LOOP(copy_u8_int, 1, 1, 1) { for (int i = 0; i < (int)n; i++) d[i] = s[i]; return (uintptr_t)d; }
LOOP(copy_u8_down, 1, 1, 1) { for (size_t i = n; i-- > 0;) d[i] = s[i]; return (uintptr_t)d; }
LOOP(copy_pointers, 1, 1, 1) { while (n--) *d++ = *s++; return (uintptr_t)d; }
LOOP(copy_u32, 4, 1, 4) {
  uint32_t *p = (uint32_t *)d, *q = (uint32_t *)s;
  for (size_t i = 0; i < n; i++) p[i] = q[i];
  return (uintptr_t)d;
}
LOOP(copy_double, 8, 1, 8) {
  double *p = (double *)d, *q = (double *)s;
  for (size_t i = 0; i < n; i++) p[i] = q[i];
  return (uintptr_t)d;
}
LOOP(copy_types, 4, 1, 4) {
  float *p = (float *)d;
  uint32_t *q = (uint32_t *)s;
  for (size_t i = 0; i < n; i++) {
    float f; uint32_t w = q[i]; memcpy(&f, &w, 4);
    memcpy(&p[i], &f, 4);
  }
  return (uintptr_t)d;
}
LOOP(copy_restrict, 2, 0, 2) {
  uint16_t *restrict p = (uint16_t *)d;
  const uint16_t *restrict q = (uint16_t *)s;
  for (size_t i = 0; i < n; i++) p[i] = q[i];
  return (uintptr_t)d;
}
LOOP(copy_two, 2, 1, 1) {
  for (size_t i = 0; i < n; i++) {
    u8 a = s[2 * i], b = s[2 * i + 1]; d[2 * i] = a;
    d[2 * i + 1] = b;
  }
  return (uintptr_t)d;
}
LOOP(copy_two_split, 2, 1, 1) {
  for (size_t i = 0; i < n; i++) { d[2 * i] = s[2 * i]; d[2 * i + 1] = s[2 * i + 1]; }
  return (uintptr_t)d;
}
LOOP(copy_two_crossed, 2, 1, 1) {
  for (size_t i = 0; i < n; i++) { d[2 * i + 1] = s[2 * i + 1]; d[2 * i] = s[2 * i]; }
  return (uintptr_t)d;
}
LOOP(copy_struct, 12, 1, 4) {
  struct t { uint32_t a, b, c; } *p = (void *)d, *q = (void *)s;
  for (size_t i = 0; i < n; i++) p[i] = q[i];
  return (uintptr_t)d;
}
LOOP(copy_rows, 4, 1, 4) {
  uint32_t *p = (uint32_t *)d, *q = (uint32_t *)s;
  size_t cols = v % 6, rows = cols ? n / cols : n;
  for (size_t r = 0; r < rows; r++)
    for (size_t c = 0; c < cols; c++) p[r * cols + c] = q[r * cols + c];
  return (uintptr_t)d;
}
LOOP(copy_shift_up, 1, 1, 1) {
  for (size_t i = n > 3 ? n - 3 : 0; i-- > 0;) d[i + 3] = d[i];
  return (uintptr_t)d;
}
LOOP(copy_shift_down, 1, 1, 1) {
  for (size_t i = 3; i < n; i++) d[i - 3] = d[i];
  return (uintptr_t)d;
}
LOOP(copy_repeat, 1, 1, 1) { for (size_t i = 3; i < n; i++) d[i] = d[i - 3]; return (uintptr_t)d; }
LOOP(copy_four, 1, 1, 1) {
  for (size_t i = 0; i < 4 && n >= 4; i++) d[i] = s[i];
  return (uintptr_t)d;
}
LOOP(fill_eleven, 1, 1, 1) {
  if (n >= 11) for (size_t i = 0; i < 11; i++) d[i] = (u8)v;
  return (uintptr_t)d;
}
LOOP(copy_last, 1, 1, 1) {
  u8 last = 0;
  for (size_t i = 0; i < n; i++) d[i] = last = s[i];
  return (uintptr_t)d + last;
}
LOOP(copy_self_offset, 1, 1, 1) {
  size_t k = v % 40;
  for (size_t i = 0; i + k < n; i++) d[i + k] = d[i];
  return (uintptr_t)d;
}
LOOP(copy_until, 1, 1, 1) {
  size_t i = 0;
  for (; i < n; i++) { if (s[i] == 0) break; d[i] = s[i]; }
  return (uintptr_t)(d + i);
}
LOOP(fill_conditional, 1, 1, 1) {
  for (size_t i = 0; i < n; i++) if (i & 1) d[i] = 0;
  return (uintptr_t)d;
}
LOOP(fill_gap, 4, 1, 1) { for (size_t i = 0; i < n; i++) d[4 * i] = 9; return (uintptr_t)d; }
LOOP(fill_overlapping, 1, 1, 1) {
  for (size_t i = 0; i + 1 < n; i++) { d[i] = 1; d[i + 1] = 2; }
  return (uintptr_t)d;
}
LOOP(fill_value_in_memory, 1, 1, 1) {
  if (n < 2) return (uintptr_t)d;
  for (size_t i = 0; i < n; i++) d[i] = s[1];
  return (uintptr_t)d;
}
LOOP(memset_call, 1, 1, 1) { return (uintptr_t)memset(d, (int)v, n); }
LOOP(memcpy_call, 1, 0, 1) { return (uintptr_t)memcpy(d, s, n); }
LOOP(memmove_call, 1, 1, 1) { return (uintptr_t)memmove(d, s, n); }
LOOP(memset_rows, 1, 1, 1) {
  size_t w = v % 9, rows = w ? n / w : n;
  for (size_t r = 0; r < rows; r++) memset(d + r * w, (int)v, w);
  return (uintptr_t)d;
}
LOOP(memcpy_rows, 1, 0, 1) {
  size_t w = v % 9, rows = w ? n / w : n;
  for (size_t r = 0; r < rows; r++) memcpy(d + r * w, s + r * w, w);
  return (uintptr_t)d;
}
LOOP(aggregate, 1, 0, 1) {
  struct big { u8 x[200]; };
  if (n < 200) return (uintptr_t)d;
  *(struct big *)d = *(struct big *)s;
  return (uintptr_t)d;
}
LOOP(aggregate_zero, 1, 0, 1) {
  struct big { u8 x[200]; };
  if (n < 200) return (uintptr_t)d;
  *(struct big *)d = (struct big){{0}};
  return (uintptr_t)d;
}
