/* copies.c - copies and fills as small programs write them
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "slow.h"

/* ---- In functions of their own ------------------------------------------------------------- */

#define COPY(name, T, qualifier)                                                                   \
  FUNCTION(name, (T * qualifier d, const T *qualifier s, size_t n),                                \
           ((T *)d, (const T *)s, n / sizeof(T))) {                                                \
    for (size_t i = 0; i < n; i++)                                                                 \
      d[i] = s[i];                                                                                 \
    return 0;                                                                                      \
  }
COPY(copy_u8, u8, restrict)
COPY(copy_u16, u16, restrict)
COPY(copy_u32, u32, restrict)
COPY(copy_u64, u64, restrict)
COPY(copy_float, float, restrict)
COPY(copy_u8_alias, u8, )
COPY(copy_u32_alias, u32, )

FUNCTION(copy_walk, (u8 * d, const u8 *s, unsigned n), (d, s, n)) {
  while (n--)
    *d++ = *s++;
  return 0;
}
FUNCTION(copy_until, (u8 *restrict d, const u8 *restrict s, const u8 *end), (d, s, s + n)) {
  while (s != end)
    *d++ = *s++;
  return 0;
}
FUNCTION(copy_down, (u8 *restrict d, const u8 *restrict s, int n), (d, s, (int)n)) {
  for (int i = n - 1; i >= 0; i--)
    d[i] = s[i];
  return 0;
}
FUNCTION(move_up, (u8 * d, unsigned n), (d, n)) {
  for (unsigned i = n; i > 0; i--)
    d[i] = d[i - 1];
  return 0;
}
FUNCTION(move_down, (u8 * d, unsigned n), (d, n)) {
  for (unsigned i = 0; i < n; i++)
    d[i] = d[i + 1];
  return 0;
}

#define FILL(name, T, value)                                                                       \
  FUNCTION(name, (T * d, T v, size_t n), ((T *)d, (T)a->n[0], n / sizeof(T))) {                    \
    (void)v;                                                                                       \
    for (size_t i = 0; i < n; i++)                                                                 \
      d[i] = value;                                                                                \
    return 0;                                                                                      \
  }
FILL(fill_u8, u8, v)
FILL(fill_u16, u16, v)
FILL(fill_u32, u32, v)
FILL(fill_u64, u64, v)
FILL(zero_u8, u8, 0)
FILL(zero_u32, u32, 0)
FILL(zero_float, float, 0)
FILL(ones_u64, u64, (u64)-1)

struct pixel {
  u8 r, g, b;
};
FUNCTION(fill_pixels, (struct pixel * d, struct pixel p, unsigned n),
         ((struct pixel *)d, (struct pixel){1, 2, 3}, n / 3)) {
  for (unsigned i = 0; i < n; i++)
    d[i] = p;
  return 0;
}

/* ---- In the middle of other work ----------------------------------------------------------- */

INLINE(copy_here) {
  for (unsigned i = 0; i < n; i++)
    d[i] = s[i];
  return 0;
}
INLINE(clear_small) {
  unsigned m = 1 + (n & 15);
  for (unsigned i = 0; i < m; i++)
    d[i] = 0;
  return 0;
}
INLINE(copy_small) {
  unsigned m = 1 + (n & 7);
  for (unsigned i = 0; i < m; i++)
    d[i] = s[i];
  return 0;
}
INLINE(copy_3_to_6) {
  unsigned m = 3 + (n & 3);
  for (unsigned i = 0; i < m; i++)
    ((u32 *)d)[i] = ((const u32 *)s)[i];
  return 0;
}

/* LZ77: copies out of the bytes just written, a byte or eight bytes at a time. */
INLINE(lz_byte) {
  unsigned back = 1 + (a->from[call] & 31);
  d += 32;
  for (unsigned i = 0; i < n; i++)
    d[i] = d[(long)i - (long)back];
  return 0;
}
INLINE(lz_walk) {
  const u8 *q = d;
  u8 *p = d + 1 + (a->from[call] & 31);
  unsigned k = n;
  do {
    *p++ = *q++;
  } while (k-- > 1);
  return 0;
}
INLINE(lz_wild8) {
  u8 *p = d + 16;
  const u8 *q = s;
  u8 *end = p + 4 + n;
  do {
    memcpy(p, q, 8);
    p += 8, q += 8;
  } while (p < end);
  return 0;
}

/* A header that is built field by field and copied; a copy that is read at once. */
INLINE(build_copy) {
  u8 header[20];
  header[0] = 0x45;
  header[1] = 0;
  header[2] = (u8)(n >> 8);
  header[3] = (u8)n;
  for (int i = 4; i < 12; i++)
    header[i] = s[i];
  header[12] = 10;
  header[13] = 0;
  header[14] = 0;
  header[15] = 1;
  header[16] = (u8)call;
  header[17] = 0;
  header[18] = 0;
  header[19] = (u8)n;
  for (unsigned i = 0; i < sizeof header; i++)
    d[i] = header[i];
  return 0;
}
INLINE(copy_read) {
  u64 r = 0;
  for (unsigned i = 0; i < n; i++)
    d[i] = s[i];
  r = d[n / 2] + d[0] * 3;
  return r;
}
INLINE(copy_read_word) {
  u64 r = 0;
  for (unsigned i = 0; i < 16; i++)
    d[i] = s[i];
  u64 x, y;
  memcpy(&x, d, 8);
  memcpy(&y, d + 8, 8);
  r = x ^ y;
  return r;
}

INLINE(insertion) {
  u32 *v = (u32 *)d;
  u32 x = (u32)(n * 2654435761u);
  int j = (int)(n & 31);
  while (j > 0 && v[j - 1] > x)
    v[j] = v[j - 1], j--;
  v[j] = x;
  return 0;
}
INLINE(vector_insert) {
  u32 *v = (u32 *)d;
  for (unsigned i = n / 4; i > 2; i--)
    v[i] = v[i - 1];
  v[2] = n;
  return 0;
}
INLINE(line_insert) {
  for (unsigned i = n; i > n / 2; i--)
    d[i] = d[i - 1];
  d[n / 2] = (u8)n;
  return 0;
}
INLINE(move_to_front) {
  u8 c = s[0];
  unsigned j = n & 31;
  for (unsigned i = j; i > 0; i--)
    d[i] = d[i - 1];
  d[0] = c;
  return 0;
}
INLINE(run_lengths) {
  u64 r = 0;
  u8 *p = d;
  for (unsigned k = 0; k < 4; k++) {
    unsigned m = 1 + ((n + k) & 15);
    for (unsigned i = 0; i < m; i++)
      *p++ = s[k];
  }
  r = (u64)(p - d);
  return r;
}
INLINE(pad_field) {
  unsigned m = n < 16 ? n : 16;
  for (unsigned i = 0; i < m; i++)
    d[i] = s[i];
  for (unsigned i = m; i < 16; i++)
    d[i] = ' ';
  return 0;
}
INLINE(ring_put) {
  unsigned at = (call * 37) & 1023;
  u8 *ring = a->d + 8192;
  for (unsigned i = 0; i < n; i++)
    ring[(at + i) & 1023] = s[i];
  return 0;
}
INLINE(join_strings) {
  u8 *p = d;
  for (unsigned k = 0; k < 3; k++) {
    for (unsigned i = 0; i < n / 3; i++)
      *p++ = s[k * 8 + i];
    *p++ = ',';
  }
  return 0;
}
INLINE(records) {
  struct record {
    u8 key[12];
    u32 size;
    u8 name[24];
  } *t = (void *)(d + (-(uintptr_t)d & 3));
  for (unsigned i = 0; i < 12; i++)
    t->key[i] = s[i];
  t->size = n;
  for (unsigned i = 0; i < 24; i++)
    t->name[i] = s[12 + i];
  return 0;
}

/* Rows: with floats live around the row's loop, as sub-rectangles, as tiles of fixed size. */
INLINE(matrix_rows) {
  u64 r = 0;
  const float *m = (const float *)a->s;
  float *o = (float *)a->d;
  unsigned w = 3 + (n & 5);
  float t0 = 1.5f + (float)call;
  float t1 = t0 * 2;
  float t2 = t0 * 3;
  float t3 = t1 * 5;
  float sum = 0;
  for (unsigned y = 0; y < 4; y++) {
    for (unsigned x = 0; x < w; x++)
      o[y * 16 + x] = m[y * 24 + x];
    sum += m[y * 24] * t0 + m[y * 24 + 1] * t1 + m[y * 24 + 2] * t2 - t3;
    t0 += sum, t1 -= sum, t2 *= 0.5f, t3 += t2;
  }
  r = (u64)(int64_t)sum & 1;
  return r;
}
INLINE(sub_rows) {
  unsigned w = 1 + (n & 15);
  for (unsigned y = 0; y < 4; y++)
    for (unsigned x = 0; x < w; x++)
      d[y * 64 + x] = s[y * 96 + x];
  return 0;
}
INLINE(blit_32) {
  for (unsigned y = 0; y < 8; y++)
    for (unsigned x = 0; x < 32; x++)
      d[y * 64 + x] = s[y * 96 + x];
  return 0;
}
INLINE(blocks_8x8) {
  for (unsigned y = 0; y < 8; y++)
    for (unsigned x = 0; x < 8; x++)
      d[y * 32 + x] = s[y * 48 + x];
  return 0;
}
INLINE(blocks_16x16) {
  for (unsigned y = 0; y < 16; y++)
    for (unsigned x = 0; x < 16; x++)
      d[y * 32 + x] = s[y * 48 + x];
  return 0;
}
INLINE(clear_rect) {
  unsigned w = 1 + (n & 31);
  for (unsigned y = 0; y < 4; y++)
    for (unsigned x = 0; x < w; x++)
      d[y * 64 + x] = 7;
  return 0;
}
INLINE(limbs_4) {
  u64 r = 0;
  u64 *p = (u64 *)d;
  const u64 *q = (const u64 *)s;
  for (int i = 0; i < 4; i++)
    p[i] = q[i];
  r = p[3] >> 60;
  return r;
}
INLINE(limbs_n) {
  u64 *p = (u64 *)d;
  const u64 *q = (const u64 *)s;
  for (unsigned i = 0; i < n / 8; i++)
    p[i] = q[i];
  return 0;
}
INLINE(filter_shift) {
  u64 r = 0;
  float *h = (float *)d;
  float y = 0;
  unsigned taps = 4 + (n & 12);
  for (unsigned i = taps - 1; i > 0; i--)
    h[i] = h[i - 1];
  h[0] = (float)s[0];
  for (unsigned i = 0; i < taps; i++)
    y += h[i] * 0.25f;
  r = (u64)(int64_t)y;
  return r;
}

#define CONSTANT(k)                                                                                \
  INLINE(copy_k##k) {                                                                              \
    for (unsigned i = 0; i < k; i++)                                                               \
      d[i] = s[i];                                                                                 \
    return 0;                                                                                      \
  }                                                                                                \
  INLINE(zero_k##k) {                                                                              \
    for (unsigned i = 0; i < k; i++)                                                               \
      d[i] = 0;                                                                                    \
    return 0;                                                                                      \
  }
CONSTANT(3)
CONSTANT(4)
CONSTANT(7)
CONSTANT(8)
CONSTANT(16)
CONSTANT(20)
CONSTANT(24)
CONSTANT(32)
CONSTANT(48)
CONSTANT(64)
#define CONSTANT_ROWS(k) ANY(copy_k##k) ANY(zero_k##k)

const struct program F(copies)[] = {
    ANY(copy_u8) WORDS(copy_u16) WORDS(copy_u32) WORDS(copy_u64) WORDS(copy_float)
        ANY(copy_u8_alias) WORDS(copy_u32_alias) ANY(copy_walk) ANY(copy_until) ANY(copy_down)
            ANY(move_up) ANY(move_down) ANY(fill_u8) WORDS(fill_u16) WORDS(fill_u32) WORDS(fill_u64)
                ANY(zero_u8) WORDS(zero_u32) WORDS(zero_float) WORDS(ones_u64) ANY(fill_pixels) ANY(
                    copy_here) ANY(clear_small) ANY(copy_small) WORDS(copy_3_to_6) ANY(lz_byte)
                    ANY(lz_walk) ANY(lz_wild8) ANY(build_copy) ANY(copy_read) ANY(copy_read_word)
                        WORDS(insertion) WORDS(vector_insert) ANY(line_insert) ANY(move_to_front)
                            ANY(run_lengths) ANY(pad_field) ANY(ring_put) ANY(join_strings)
                                WORDS(records) WORDS(matrix_rows) ANY(sub_rows)
                                    ANY(blit_32) ANY(blocks_8x8) ANY(blocks_16x16) ANY(clear_rect)
                                        WORDS(limbs_4) WORDS(limbs_n) WORDS(filter_shift)
                                            CONSTANT_ROWS(3) CONSTANT_ROWS(4) CONSTANT_ROWS(7)
                                                CONSTANT_ROWS(8) CONSTANT_ROWS(16) CONSTANT_ROWS(20)
                                                    CONSTANT_ROWS(24) CONSTANT_ROWS(32)
                                                        CONSTANT_ROWS(48)
                                                            CONSTANT_ROWS(64){NULL, NULL, 0}};
