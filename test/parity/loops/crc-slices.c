// crc-slices.c - CRCs by several tables that the program fills, as people spell them
#include "parity.h"

// test/e2e/crc-slices.test writes those of CRCs, and all that is nearly one, into these.
u16 tables16[16][256];
u32 tables32[16][256];
u64 tables64[16][256];
u32 after32[256];

// --- reflected ---

PARITY(eight_of_64, "crc lowered")
u64 eight_of_64(u64 crc, const u8 *p, size_t n, const u64 table[][256]) {
  while (n >= 8) {
    crc ^= *(const u64 *)p;
    crc = table[7][crc & 0xff] ^ table[6][(crc >> 8) & 0xff] ^ table[5][(crc >> 16) & 0xff] ^
          table[4][(crc >> 24) & 0xff] ^ table[3][(crc >> 32) & 0xff] ^
          table[2][(crc >> 40) & 0xff] ^ table[1][(crc >> 48) & 0xff] ^ table[0][crc >> 56];
    p += 8;
    n -= 8;
  }
  return crc;
}

PARITY(four_in_a_row, "crc lowered")
u32 four_in_a_row(u32 crc, const u8 *p, size_t n, const u32 *ctx) {
  const u8 *end = p + n;
  while (p < end - 3) {
    crc ^= *(const u32 *)p;
    p += 4;
    crc = ctx[3 * 256 + (crc & 0xff)] ^ ctx[2 * 256 + ((crc >> 8) & 0xff)] ^
          ctx[1 * 256 + ((crc >> 16) & 0xff)] ^ ctx[0 * 256 + (crc >> 24)];
  }
  return crc;
}

PARITY(two_words, "crc lowered")
u32 two_words(u32 v, const u8 *p, size_t size) {
  const u32 *table = tables32[0];
  for (; size >= 8; size -= 8, p += 8) {
    u32 d;
    v ^= *(const u32 *)p;
    v = table[0x700 + (v & 0xff)] ^ table[0x600 + (v >> 8 & 0xff)] ^
        table[0x500 + (v >> 16 & 0xff)] ^ table[0x400 + (v >> 24)];
    d = *((const u32 *)p + 1);
    v ^= table[0x300 + (d & 0xff)] ^ table[0x200 + (d >> 8 & 0xff)] ^
         table[0x100 + (d >> 16 & 0xff)] ^ table[d >> 24];
  }
  return v;
}

PARITY(by_bytes, "crc lowered")
u32 by_bytes(u32 crc, const u8 *p, size_t n) {
  for (n /= 8; n--; p += 8)
    crc = tables32[7][p[0] ^ (crc & 0xff)] ^ tables32[6][p[1] ^ (crc >> 8 & 0xff)] ^
          tables32[5][p[2] ^ (crc >> 16 & 0xff)] ^ tables32[4][p[3] ^ (crc >> 24)] ^
          tables32[3][p[4]] ^ tables32[2][p[5]] ^ tables32[1][p[6]] ^ tables32[0][p[7]];
  return crc;
}

PARITY(four_of_64, "crc lowered")
u64 four_of_64(u64 crc, const u8 *p, size_t n) {
  for (n /= 4; n--; p += 4) {
    u32 low = (u32)crc ^ *(const u32 *)p;
    crc = tables64[3][low & 0xff] ^ tables64[2][low >> 8 & 0xff] ^ tables64[1][low >> 16 & 0xff] ^
          tables64[0][low >> 24] ^ (crc >> 32);
  }
  return crc;
}

PARITY(two_bytes, "crc lowered")
u32 two_bytes(u32 crc, const u8 *p, size_t n) {
  for (n /= 2; n--; p += 2)
    crc = tables32[1][(crc ^ p[0]) & 0xff] ^ tables32[0][(crc >> 8 ^ p[1]) & 0xff] ^ crc >> 16;
  return crc;
}

PARITY(four_of_16, "crc lowered")
u16 four_of_16(u16 crc, const u8 *p, size_t n) {
  for (n /= 4; n--; p += 4)
    crc = tables16[3][(crc ^ p[0]) & 0xff] ^ tables16[2][crc >> 8 ^ p[1]] ^ tables16[1][p[2]] ^
          tables16[0][p[3]];
  return crc;
}

PARITY(two_of_16, "crc lowered")
u16 two_of_16(u16 crc, const u8 *p, size_t n) {
  for (n /= 2; n--; p += 2)
    crc = tables16[1][(crc ^ p[0]) & 0xff] ^ tables16[0][crc >> 8 ^ p[1]];
  return crc;
}

// --- not reflected ---

PARITY(eight_of_16, "crc lowered")
u16 eight_of_16(u16 crc, const u8 *p, size_t n, const u16 table[][256]) {
  while (n >= 8) {
    u64 w = *(const u64 *)p;
    crc = table[7][(w & 0xff) ^ ((crc >> 8) & 0xff)] ^ table[6][((w >> 8) & 0xff) ^ (crc & 0xff)] ^
          table[5][(w >> 16) & 0xff] ^ table[4][(w >> 24) & 0xff] ^ table[3][(w >> 32) & 0xff] ^
          table[2][(w >> 40) & 0xff] ^ table[1][(w >> 48) & 0xff] ^ table[0][w >> 56];
    p += 8;
    n -= 8;
  }
  return crc;
}

PARITY(from_above, "crc lowered")
u32 from_above(u32 crc, const u8 *p, size_t n) {
  for (n /= 4; n--; p += 4)
    crc = tables32[3][(crc >> 24 ^ p[0]) & 0xff] ^ tables32[2][(crc >> 16 ^ p[1]) & 0xff] ^
          tables32[1][(crc >> 8 ^ p[2]) & 0xff] ^ tables32[0][(crc ^ p[3]) & 0xff];
  return crc;
}

PARITY(word_from_above, "crc lowered")
u32 word_from_above(u32 crc, const u8 *p, size_t n) {
  for (n /= 8; n--; p += 8) {
    u32 one = crc ^ __builtin_bswap32(*(const u32 *)p);
    u32 two = __builtin_bswap32(*(const u32 *)(p + 4));
    crc = tables32[7][one >> 24] ^ tables32[6][one >> 16 & 0xff] ^ tables32[5][one >> 8 & 0xff] ^
          tables32[4][one & 0xff] ^ tables32[3][two >> 24] ^ tables32[2][two >> 16 & 0xff] ^
          tables32[1][two >> 8 & 0xff] ^ tables32[0][two & 0xff];
  }
  return crc;
}

// --- none, whatever the tables hold ---

PARITY(third_byte_too, "crc kept MLF2101")
u16 third_byte_too(u16 crc, const u8 *p, size_t n) {
  for (n /= 4; n--; p += 4)
    crc = tables16[3][(crc ^ p[0]) & 0xff] ^ tables16[2][crc >> 8 ^ p[1]] ^
          tables16[1][crc >> 8 ^ p[2]] ^ tables16[0][p[3]];
  return crc;
}

PARITY(high_byte_first, "crc kept MLF2101")
u16 high_byte_first(u16 crc, const u8 *p, size_t n) {
  for (n /= 4; n--; p += 4)
    crc = tables16[3][crc >> 8 ^ p[0]] ^ tables16[2][(crc ^ p[1]) & 0xff] ^ tables16[0][p[2]] ^
          tables16[1][p[3]];
  return crc;
}

PARITY(register_kept, "crc kept MLF2101")
u16 register_kept(u16 crc, const u8 *p, size_t n) {
  for (n /= 2; n--; p += 2)
    crc = tables16[1][(crc ^ p[0]) & 0xff] ^ tables16[0][crc >> 8 ^ p[1]] ^ (crc >> 8);
  return crc;
}

PARITY(tables_turned, "crc kept MLF2101")
u32 tables_turned(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i + 4 <= n; i += 4) {
    crc ^= *(const u32 *)(p + i);
    crc = tables32[0][crc & 0xff] ^ tables32[1][crc >> 8 & 0xff] ^ tables32[2][crc >> 16 & 0xff] ^
          tables32[3][crc >> 24];
  }
  return crc;
}

PARITY(one_table_twice, "crc kept MLF2101")
u32 one_table_twice(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i + 4 <= n; i += 4) {
    crc ^= *(const u32 *)(p + i);
    crc = tables32[3][crc & 0xff] ^ tables32[2][crc >> 8 & 0xff] ^ tables32[2][crc >> 16 & 0xff] ^
          tables32[0][crc >> 24];
  }
  return crc;
}

PARITY(apart, "crc kept MLF2101")
u32 apart(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i + 2 <= n; i += 2)
    crc = tables32[2][(crc ^ p[i]) & 0xff] ^ tables32[0][(crc >> 8 ^ p[i + 1]) & 0xff] ^ crc >> 16;
  return crc;
}

PARITY(other_object, "crc kept MLF2101")
u32 other_object(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i + 2 <= n; i += 2)
    crc = tables32[1][(crc ^ p[i]) & 0xff] ^ after32[(crc >> 8 ^ p[i + 1]) & 0xff] ^ crc >> 16;
  return crc;
}

PARITY(shifted_by_15, "crc kept MLF2101")
u32 shifted_by_15(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i + 2 <= n; i += 2)
    crc = tables32[1][(crc ^ p[i]) & 0xff] ^ tables32[0][(crc >> 8 ^ p[i + 1]) & 0xff] ^ crc >> 15;
  return crc;
}

PARITY(not_shifted, "crc kept MLF2101")
u32 not_shifted(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i + 2 <= n; i += 2)
    crc = tables32[1][(crc ^ p[i]) & 0xff] ^ tables32[0][(crc >> 8 ^ p[i + 1]) & 0xff];
  return crc;
}

PARITY(seven_bits, "crc kept MLF2101")
u32 seven_bits(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i + 2 <= n; i += 2)
    crc = tables32[1][(crc ^ p[i]) & 0xff] ^ tables32[0][(crc >> 8 ^ p[i + 1]) & 0x7f] ^ crc >> 16;
  return crc;
}

PARITY(register_twice, "crc kept MLF2101")
u32 register_twice(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i + 2 <= n; i += 2)
    crc = tables32[1][(crc ^ p[i]) & 0xff] ^ tables32[0][(crc ^ p[i + 1]) & 0xff] ^ crc >> 16;
  return crc;
}

PARITY(sum_of_entries, "crc kept MLF2101")
u32 sum_of_entries(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i + 2 <= n; i += 2)
    crc =
        (tables32[1][(crc ^ p[i]) & 0xff] + tables32[0][(crc >> 8 ^ p[i + 1]) & 0xff]) ^ crc >> 16;
  return crc;
}

PARITY(second_byte_first, "crc kept MLF2101")
u32 second_byte_first(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i + 2 <= n; i += 2)
    crc = tables32[1][(crc ^ p[i + 1]) & 0xff] ^ tables32[0][(crc >> 8 ^ p[i]) & 0xff] ^ crc >> 16;
  return crc;
}

PARITY(of_few, "crc kept MLF3004")
u64 of_few(u64 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i + 2 <= (n & 1023); i += 2)
    crc = tables64[1][(crc ^ p[i]) & 0xff] ^ tables64[0][(crc >> 8 ^ p[i + 1]) & 0xff] ^ crc >> 16;
  return crc;
}
