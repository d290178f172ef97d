/* rows.c - loops over images, matrices, texts and numbers, and of constant lengths
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "slow.h"

/* ---- Images and matrices ------------------------------------------------------------------- */

INLINE(span_fill) {
  u8 *q = d;
  u8 cover = s[0];
  for (int k = 0; k < 3; k++) {
    int count = 1 + ((int)(n >> k) & 15);
    do
      *q++ = cover;
    while (--count);
    q += 5;
  }
  return (u64)(q - d);
}
INLINE(bitmap_up) {
  int width = 3 + (int)(n & 15), rows = 4, pitch = -32;
  u8 *to = d + 256;
  const u8 *from = s;
  while (rows--) {
    for (int x = 0; x < width; x++)
      to[x] = from[x];
    to += pitch;
    from += 24;
  }
  return to[0];
}
INLINE(rgb_to_rgba) {
  const u8 *from = s;
  u8 *to = d;
  for (int i = 0; i < (int)(n / 4); i++, from += 3, to += 4) {
    to[0] = from[0], to[1] = from[1], to[2] = from[2];
    to[3] = 255;
  }
  return d[0];
}
INLINE(swap_rows) {
  unsigned w = n;
  u8 *p = d, *q = d + 4096;
  for (unsigned i = 0; i < w; i++) {
    u8 t = p[i];
    p[i] = q[i];
    q[i] = t;
  }
  return p[0];
}
INLINE(scroll_text) {
  u16 *screen = (u16 *)d;
  for (int y = 0; y < 3; y++)
    for (int x = 0; x < 80; x++)
      screen[y * 80 + x] = screen[(y + 1) * 80 + x];
  for (int x = 0; x < 80; x++)
    screen[240 + x] = 0x720;
  return screen[n & 63];
}
INLINE(tile_words) {
  u16 *to = (u16 *)d;
  const u16 *from = (const u16 *)s;
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < 8; x++)
      to[y * 40 + x] = from[y * 8 + x];
  return to[n & 7];
}
INLINE(pivot_row) {
  double *m = (double *)d, *t = (double *)(d + 8192);
  int w = 3 + (int)(n & 3);
  double x0 = s[0], x1 = s[1], x2 = s[2], x3 = s[3], sum = 0;
  for (int r = 0; r < 3; r++) {
    for (int i = 0; i < w; i++)
      t[i] = m[r * 8 + i];
    for (int i = 0; i < w; i++)
      m[r * 8 + i] = m[r * 8 + 8 + i];
    x0 += x1 * t[0], x1 += x2 * t[1], x2 -= x3, x3 *= 0.5;
    sum += x0 + x1 * x2;
  }
  return sum > 0;
}
INLINE(many_live) {
  unsigned p0 = s[0], p1 = s[1], p2 = s[2], p3 = s[3], p4 = s[4], p5 = s[5], p6 = s[6], p7 = s[7];
  u8 *o = d;
  for (unsigned r = 0; r < 6; r++) {
    unsigned w = 1 + ((n + r * 3) & 7);
    for (unsigned i = 0; i < w; i++)
      o[i] = s[r * 8 + i];
    o += w;
    p0 += p1 ^ w, p1 += p2, p2 ^= p3 << 3, p3 += p4, p4 ^= p5 >> 1, p5 += p6, p6 ^= p7, p7 += p0;
  }
  return p0 ^ p1 ^ p2 ^ p3 ^ p4 ^ p5 ^ p6 ^ p7;
}
INLINE(window_floats) {
  float *z = (float *)d;
  float x = (float)s[0], y = 0;
  for (int t = 0; t < 4; t++) {
    for (int k = 6; k > 0; k--)
      z[k] = z[k - 1];
    z[0] = x;
    y += z[0] * 0.1f + z[3] * 0.3f + z[6] * 0.1f;
    x += 1;
  }
  return (u64)y + n;
}
INLINE(stereo) {
  s16 *to = (s16 *)d;
  const s16 *from = (const s16 *)s;
  for (unsigned i = 0; i < n / 4; i++)
    to[2 * i] = to[2 * i + 1] = from[i];
  return d[0];
}
INLINE(silence) {
  s16 *to = (s16 *)d;
  int frames = (int)(n / 4), channels = 2;
  for (int i = 0; i < frames * channels; i++)
    to[i] = 0;
  return d[0];
}
INLINE(limbs_shift) {
  u64 *v = (u64 *)d;
  int k = (int)(n / 8);
  for (int i = k; i > 0; i--)
    v[i] = v[i - 1];
  v[0] = n;
  return v[k];
}
INLINE(widen_text) {
  u16 *to = (u16 *)d;
  for (unsigned i = 0; i < n; i++)
    to[i] = s[i];
  return to[0];
}
INLINE(pairs_fill) {
  struct pair {
    u16 low, high;
  } *to = (struct pair *)d;
  struct pair p = {(u16)call, 9};
  for (unsigned i = 0; i < n / 4; i++)
    to[i] = p;
  return to[0].low;
}

/* ---- Constant lengths ---------------------------------------------------------------------- */

/* A copy may overlap, is apart, moves within an array. */
#define COPY(N)                                                                                    \
  INLINE(copy_##N) {                                                                               \
    for (int i = 0; i < N; i++)                                                                    \
      d[i] = s[i];                                                                                 \
    return n;                                                                                      \
  }                                                                                                \
  FUNCTION(apart_##N, (u8 *restrict d, const u8 *restrict s), (d, s)) {                            \
    for (int i = 0; i < N; i++)                                                                    \
      *d++ = *s++;                                                                                 \
    return 0;                                                                                      \
  }                                                                                                \
  INLINE(move_##N) {                                                                               \
    for (int i = N; i > 0; i--)                                                                    \
      d[i] = d[i - 1];                                                                             \
    return n;                                                                                      \
  }                                                                                                \
  INLINE(fill_##N) {                                                                               \
    for (int i = 0; i < N; i++)                                                                    \
      d[i] = (u8)n;                                                                                \
    return n;                                                                                      \
  }                                                                                                \
  INLINE(sum_##N) {                                                                                \
    unsigned t = 0;                                                                                \
    for (int i = 0; i < N; i++)                                                                    \
      t += s[i];                                                                                   \
    return t + n;                                                                                  \
  }                                                                                                \
  INLINE(xor_##N) {                                                                                \
    u8 t = (u8)n;                                                                                  \
    for (int i = 0; i < N; i++)                                                                    \
      t ^= s[i];                                                                                   \
    return t;                                                                                      \
  }                                                                                                \
  INLINE(mask_##N) {                                                                               \
    for (int i = 0; i < N; i++)                                                                    \
      d[i] ^= s[i];                                                                                \
    return n;                                                                                      \
  }
#define EACH(X) X(3) X(5) X(7) X(12) X(24) X(40) X(100) X(320) X(1500)
EACH(COPY)

#define CELLS(N)                                                                                   \
  WORDS(copy_##N)                                                                                  \
  WORDS(apart_##N) WORDS(move_##N) WORDS(fill_##N) WORDS(sum_##N) WORDS(xor_##N) WORDS(mask_##N)

const struct program F(rows)[] = {
    WORDS(span_fill) WORDS(bitmap_up) WORDS(rgb_to_rgba) WORDS(swap_rows) WORDS(scroll_text)
        WORDS(tile_words) WORDS(pivot_row) WORDS(many_live) WORDS(window_floats) WORDS(stereo)
            WORDS(silence) WORDS(limbs_shift) WORDS(widen_text) WORDS(pairs_fill) EACH(CELLS){0}};
