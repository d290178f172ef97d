// unrolled.c - loops of so few rounds that the compiler makes straight code of them
//
// They have their verdict all the same; what wants a run-time check stays a loop
// until it has one.
#include "parity.h"

PARITY(four_bytes, "move guarded")
void four_bytes(u8 *d, const u8 *s) {
  for (int i = 0; i < 4; i++)
    d[i] = s[i];
}

PARITY(address, "copy already")
void address(u8 *restrict d, const u8 *restrict s) {
  for (int i = 0; i < 6; i++)
    d[i] = s[i];
}

PARITY(three_words, "fill inlined")
void three_words(u32 *d, u32 v) {
  for (int i = 0; i < 3; i++)
    d[i] = v;
}

PARITY(matrix, "move guarded")
void matrix(float *d, const float *s) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      d[4 * i + j] = s[4 * i + j];
}

PARITY(header, "sum kept MLF3004")
u32 header(const u16 *p) {
  u32 s = 0;
  for (int i = 0; i < 10; i++)
    s += p[i];
  return s;
}

PARITY(turned, "copy_reverse kept MLF3004")
void turned(u8 *restrict d, const u8 *restrict s) {
  for (int i = 0; i < 16; i++)
    d[i] = s[15 - i];
}

PARITY(block, "copy kept MLF2021")
void block(u8 *restrict d, int ds, const u8 *restrict s, int ss) {
  for (int y = 0; y < 4; y++) {
    for (int x = 0; x < 4; x++)
      d[x] = s[x];
    d += ds;
    s += ss;
  }
}

PARITY(numbers, "fill inlined")
void numbers(u8 *d) {
  for (int i = 0; i < 8; i++)
    d[i] = (u8)i;
}

PARITY(mixed_in, "none kept MLF2024")
void mixed_in(u8 *d, const u8 *s) {
  for (int i = 0; i < 16; i++)
    d[i] ^= s[i];
}

PARITY(put_le32, "fill inlined")
void put_le32(u8 *p, u32 v) {
  for (int i = 0; i < 4; i++)
    p[i] = (u8)(v >> (8 * i));
}

PARITY(get_le32, "copy inlined")
u32 get_le32(const u8 *p) {
  u32 v = 0;
  for (int i = 0; i < 4; i++)
    v |= (u32)p[i] << (8 * i);
  return v;
}
