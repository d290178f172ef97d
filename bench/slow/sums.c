/* sums.c - sums, checksums, hashes and CRCs as small programs write them
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "slow.h"

/* ---- Sums ---------------------------------------------------------------------------------- */

#define SUM(name, T, R)                                                                            \
  FUNCTION(name, (const T *s, size_t n), ((const T *)s, n / sizeof(T))) {                          \
    R x = 0;                                                                                       \
    for (size_t i = 0; i < n; i++)                                                                 \
      x += s[i];                                                                                   \
    return (u64)x;                                                                                 \
  }
SUM(sum_u8_u8, u8, u8)
SUM(sum_u8_u16, u8, u16)
SUM(sum_u8_u32, u8, u32)
SUM(sum_u8_u64, u8, u64)
SUM(sum_s8_int, s8, int)
SUM(sum_u16_u32, u16, u32)
SUM(sum_s16_int, s16, int)
SUM(sum_u32_u32, u32, u32)
SUM(sum_u32_u64, u32, u64)
SUM(sum_u64_u64, u64, u64)

#define XOR(name, T)                                                                               \
  FUNCTION(name, (const T *s, size_t n), ((const T *)s, n / sizeof(T))) {                          \
    T x = 0;                                                                                       \
    for (size_t i = 0; i < n; i++)                                                                 \
      x ^= s[i];                                                                                   \
    return x;                                                                                      \
  }
XOR(xor_u8, u8)
XOR(xor_u32, u32)

INLINE(sum_here) {
  u64 r = 0;
  u32 x = 0;
  for (unsigned i = 0; i < n; i++)
    x += s[i];
  r = x;
  return r;
}
INLINE(sum_small) {
  u64 r = 0;
  u32 x = 0;
  unsigned m = 1 + (n & 15);
  for (unsigned i = 0; i < m; i++)
    x += s[i];
  r = x;
  return r;
}
INLINE(record_sum) {
  static const char hex[] = "0123456789ABCDEF";
  u8 x = 0;
  for (unsigned i = 0; i < n; i++)
    x += s[i];
  x = (u8)-x;
  d[0] = (u8)hex[x >> 4];
  d[1] = (u8)hex[x & 15];
  return 0;
}
INLINE(nmea) {
  u8 x = 0;
  for (unsigned i = 0; i < n; i++)
    x ^= s[i];
  d[0] = x >> 4;
  d[1] = x & 15;
  return 0;
}

/* ---- Internet checksums -------------------------------------------------------------------- */

#define FOLDED(x) (u16) ~(((x) & 0xffff) + ((x) >> 16) + ((((x) & 0xffff) + ((x) >> 16)) >> 16))
INLINE(header_20) {
  u64 r = 0;
  const u16 *w = (const u16 *)s;
  u32 x = 0;
  for (int i = 0; i < 10; i++)
    x += w[i];
  r = FOLDED(x);
  return r;
}
INLINE(header_words) {
  u64 r = 0;
  const u16 *w = (const u16 *)s;
  u32 x = 0;
  unsigned m = 10 + (n & 14);
  for (unsigned i = 0; i < m; i++)
    x += w[i];
  r = FOLDED(x);
  return r;
}
INLINE(header_folds) {
  u64 r = 0;
  const u16 *w = (const u16 *)s;
  u32 x = 0;
  for (int i = 0; i < 10; i++) {
    x += w[i];
    x = (x & 0xffff) + (x >> 16);
  }
  r = (u16)~x;
  return r;
}
FUNCTION(inet_words, (const u16 *w, size_t n), ((const u16 *)s, n / 2)) {
  u32 x = 0;
  for (size_t i = 0; i < n; i++)
    x += w[i];
  while (x >> 16)
    x = (x & 0xffff) + (x >> 16);
  return (u16)~x;
}
FUNCTION(inet_folds, (const u16 *w, size_t n), ((const u16 *)s, n / 2)) {
  u32 x = 0;
  for (size_t i = 0; i < n; i++) {
    x += w[i];
    x = (x & 0xffff) + (x >> 16);
  }
  return (u16)~x;
}
FUNCTION(inet_pairs, (const u8 *s, size_t n), (s, n)) {
  u32 x = 0;
  for (; n > 1; n -= 2, s += 2)
    x += (u32)s[0] << 8 | s[1];
  if (n)
    x += (u32)s[0] << 8;
  while (x >> 16)
    x = (x & 0xffff) + (x >> 16);
  return (u16)~x;
}
FUNCTION(inet_ntohs, (const u16 *w, size_t n), ((const u16 *)s, n / 2)) {
  u32 x = 0;
  for (size_t i = 0; i < n; i++)
    x += __builtin_bswap16(w[i]);
  while (x >> 16)
    x = (x & 0xffff) + (x >> 16);
  return (u16)~x;
}
FUNCTION(inet_alternate, (const u8 *s, size_t n), (s, n)) {
  u32 x = 0;
  for (size_t i = 0; i < n; i++)
    x += i & 1 ? s[i] : (u32)s[i] << 8;
  while (x >> 16)
    x = (x & 0xffff) + (x >> 16);
  return (u16)~x;
}
FUNCTION(inet_carry, (const u64 *w, size_t n), ((const u64 *)s, n / 8)) {
  u64 x = 0;
  for (size_t i = 0; i < n; i++) {
    x += w[i];
    if (x < w[i])
      x++;
  }
  return x;
}
FUNCTION(copy_inet, (u16 *restrict d, const u16 *restrict w, size_t n),
         ((u16 *)d, (const u16 *)s, n / 2)) {
  u32 x = 0;
  for (size_t i = 0; i < n; i++) {
    d[i] = w[i];
    x += w[i];
  }
  return FOLDED(x);
}

/* ---- Weighted sums and hashes -------------------------------------------------------------- */

FUNCTION(adler_each, (const u8 *s, size_t n), (s, n)) {
  u32 x = 1;
  u32 y = 0;
  for (size_t i = 0; i < n; i++) {
    x = (x + s[i]) % 65521;
    y = (y + x) % 65521;
  }
  return y << 16 | x;
}
FUNCTION(adler_blocks, (const u8 *s, size_t n), (s, n)) {
  u32 x = 1;
  u32 y = 0;
  while (n) {
    size_t k = n < 5552 ? n : 5552;
    n -= k;
    while (k--)
      x += *s++, y += x;
    x %= 65521, y %= 65521;
  }
  return y << 16 | x;
}
FUNCTION(fletcher_each, (const u8 *s, size_t n), (s, n)) {
  u32 x = 0;
  u32 y = 0;
  for (size_t i = 0; i < n; i++) {
    x = (x + s[i]) % 255;
    y = (y + x) % 255;
  }
  return y << 8 | x;
}
FUNCTION(fletcher_blocks, (const u8 *s, size_t n), (s, n)) {
  u32 x = 0;
  u32 y = 0;
  while (n) {
    size_t k = n < 5802 ? n : 5802;
    n -= k;
    do {
      x += *s++, y += x;
    } while (--k);
    x %= 255, y %= 255;
  }
  return y << 8 | x;
}
INLINE(djb) {
  u64 r = 0;
  u32 h = 5381;
  for (unsigned i = 0; i < n; i++)
    h = h * 33 + s[i];
  r = h;
  return r;
}
INLINE(hash_31) {
  u64 r = 0;
  u32 h = 0;
  for (unsigned i = 0; i < n; i++)
    h = h * 31 + s[i];
  r = h;
  return r;
}
INLINE(big_endian) {
  u64 r = 0;
  unsigned m = 1 + (n & 7);
  u64 x = 0;
  for (unsigned i = 0; i < m; i++)
    x = x << 8 | s[i];
  r = x;
  return r;
}
INLINE(halves) {
  u64 r = 0;
  unsigned m = 1 + (n & 3);
  const u16 *w = (const u16 *)s;
  u64 x = 0;
  for (unsigned i = 0; i < m; i++)
    x = x << 16 | __builtin_bswap16(w[i]);
  r = x;
  return r;
}
INLINE(sha_words) {
  u64 r = 0;
  u32 w[16];
  for (int i = 0; i < 16; i++)
    w[i] = (u32)s[4 * i] << 24 | (u32)s[4 * i + 1] << 16 | (u32)s[4 * i + 2] << 8 | s[4 * i + 3];
  r = w[0] + (w[5] ^ w[15]) + w[n & 15];
  return r;
}

/* ---- CRCs ---------------------------------------------------------------------------------- */

FUNCTION(crc32_bits, (const u8 *s, size_t n), (s, n)) {
  u32 c = ~0u;
  for (size_t i = 0; i < n; i++) {
    c ^= s[i];
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ 0xEDB88320u : c >> 1;
  }
  return ~c;
}
FUNCTION(crc16_ccitt, (const u8 *s, size_t n), (s, n)) {
  u16 c = 0xffff;
  for (size_t i = 0; i < n; i++) {
    c ^= (u16)(s[i] << 8);
    for (int k = 0; k < 8; k++)
      c = (u16)(c & 0x8000 ? c << 1 ^ 0x1021 : c << 1);
  }
  return c;
}
FUNCTION(crc8_maxim, (const u8 *s, size_t n), (s, n)) {
  u8 c = 0;
  for (size_t i = 0; i < n; i++) {
    c ^= s[i];
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ 0x8c : c >> 1;
  }
  return c;
}
/* Tables that are filled when the program starts: of CRCs, of nothing in particular, and of a CRC
 * with one wrong entry. */
u32 F(filled32)[256], F(filled_any)[256], F(filled_wrong)[256];
u16 F(filled16)[256];
__attribute__((constructor)) static void make_tables(void) {
  u32 any = 1;
  for (unsigned i = 0; i < 256; i++) {
    u32 c = i;
    u16 e = (u16)(i << 8);
    for (int k = 0; k < 8; k++) {
      c = c & 1 ? c >> 1 ^ 0xEDB88320u : c >> 1;
      e = (u16)(e & 0x8000 ? e << 1 ^ 0x1021 : e << 1);
    }
    F(filled32)[i] = c;
    F(filled16)[i] = e;
    F(filled_any)[i] = any = any * 1664525 + 1013904223;
    F(filled_wrong)[i] = c ^ (i == 255);
  }
}
#define FILLED(name, table)                                                                        \
  FUNCTION(name, (const u8 *s, size_t n), (s, n)) {                                                \
    u32 c = ~0u;                                                                                   \
    while (n--)                                                                                    \
      c = F(table)[(c ^ *s++) & 0xff] ^ (c >> 8);                                                  \
    return ~c;                                                                                     \
  }
FILLED(crc_filled, filled32)
FILLED(crc_filled_any, filled_any)
FILLED(crc_filled_wrong, filled_wrong)
FUNCTION(crc_filled16, (const u8 *s, size_t n), (s, n)) {
  u16 c = 0;
  while (n--)
    c = (u16)(c << 8) ^ F(filled16)[((c >> 8) ^ *s++) & 0xff];
  return c;
}
INLINE(modbus_8) {
  u64 r = 0;
  u16 c = 0xffff;
  for (int i = 0; i < 8; i++) {
    c ^= s[i];
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ 0xa001 : c >> 1;
  }
  r = c;
  return r;
}
INLINE(crc_byte) {
  u64 r = 0;
  u8 c = s[0];
  for (int k = 0; k < 8; k++)
    c = (u8)(c & 128 ? c << 1 ^ 7 : c << 1);
  r = c;
  return r;
}

/* Steps of a register in scalars, as drivers have them in a function for each byte or word. */
APART u16 F(register_byte_loop)(u16 crc, u8 data) {
  for (u8 i = 0; i < 8; i++) {
    u8 differ = (u8)((data & 1) ^ ((u8)crc & 1)), carry = 0;
    data >>= 1;
    if (differ == 1) {
      crc ^= 0x4002;
      carry = 1;
    }
    crc >>= 1;
    if (carry)
      crc |= 0x8000;
    else
      crc &= 0x7fff;
  }
  return crc;
}
INLINE(register_byte) {
  u16 crc = F(register_byte_loop)((u16)n, s[0]);
  return F(register_byte_loop)(crc, s[1]);
}
APART u32 F(register_word_loop)(u32 crc, u32 data) {
  crc ^= data;
  for (int k = 0; k < 32; k++)
    crc = crc >> 1 ^ (0xedb88320 & -(crc & 1));
  return crc;
}
INLINE(register_word) {
  u32 crc = F(register_word_loop)(n, s[0]);
  return F(register_word_loop)(crc, s[1]);
}
APART u8 F(register_usb_loop)(u16 data) {
  u8 crc = 0x1f;
  for (int k = 0; k < 11; k++) {
    u8 out = (u8)((data ^ crc) & 1);
    data >>= 1;
    crc >>= 1;
    if (out)
      crc ^= 0x14;
  }
  return crc ^ 0x1f;
}
/* A register for each element: vectors may run the steps of many. */
FUNCTION(register_each, (u16 * d, const u16 *s, size_t n), ((u16 *)d, (const u16 *)s, n / 2)) {
  for (size_t i = 0; i < n; i++) {
    u16 c = s[i];
    for (int k = 0; k < 16; k++)
      c = c >> 1 ^ (-(c & 1) & 0xa001);
    d[i] = c;
  }
  return 0;
}
INLINE(register_usb) { return F(register_usb_loop)((u16)(s[0] + n)); }

#define CONSTANT(k)                                                                                \
  INLINE(sum_k##k) {                                                                               \
    u64 r = 0;                                                                                     \
    u32 x = 0;                                                                                     \
    for (unsigned i = 0; i < k; i++)                                                               \
      x += s[i];                                                                                   \
    r = x;                                                                                         \
    return r;                                                                                      \
  }                                                                                                \
  INLINE(adler_k##k) {                                                                             \
    u64 r = 0;                                                                                     \
    u32 x = 1;                                                                                     \
    u32 y = 0;                                                                                     \
    for (unsigned i = 0; i < k; i++)                                                               \
      x += s[i], y += x;                                                                           \
    r = (y % 65521) << 16 | x % 65521;                                                             \
    return r;                                                                                      \
  }
CONSTANT(4)
CONSTANT(8)
CONSTANT(16)
CONSTANT(20)
CONSTANT(24)
CONSTANT(32)
CONSTANT(48)
CONSTANT(64)
#define CONSTANT_ROWS(k) ANY(sum_k##k) ANY(adler_k##k)

const struct program F(sums)[] = {
    ANY(sum_u8_u8) ANY(sum_u8_u16) ANY(sum_u8_u32) ANY(sum_u8_u64) ANY(sum_s8_int)
        WORDS(sum_u16_u32) WORDS(sum_s16_int) WORDS(sum_u32_u32) WORDS(sum_u32_u64)
            WORDS(sum_u64_u64) ANY(xor_u8) WORDS(xor_u32) ANY(sum_here) ANY(sum_small)
                ANY(record_sum) ANY(nmea) WORDS(header_20) WORDS(header_words) WORDS(header_folds)
                    WORDS(inet_words) WORDS(inet_folds) ANY(inet_pairs) WORDS(inet_ntohs)
                        ANY(inet_alternate) WORDS(inet_carry) WORDS(copy_inet) ANY(adler_each)
                            ANY(adler_blocks) ANY(fletcher_each) ANY(fletcher_blocks) ANY(djb)
                                ANY(hash_31) ANY(big_endian) WORDS(halves) ANY(sha_words)
                                    ANY(crc32_bits) ANY(crc16_ccitt) ANY(crc8_maxim) ANY(crc_filled)
                                        ANY(crc_filled_any) ANY(crc_filled_wrong) ANY(crc_filled16)
                                            ANY(modbus_8) ANY(crc_byte) ANY(register_byte)
                                                ANY(register_word) ANY(register_usb)
                                                    WORDS(register_each) CONSTANT_ROWS(4)
                                                        CONSTANT_ROWS(8) CONSTANT_ROWS(16)
                                                            CONSTANT_ROWS(20) CONSTANT_ROWS(24)
                                                                CONSTANT_ROWS(32) CONSTANT_ROWS(48)
                                                                    CONSTANT_ROWS(64){NULL, NULL,
                                                                                      0}};
