// crc-words.c - cyclic redundancy checks over words, and of other tables than 256
//
// Bit by bit through 16, 32 and 64 bits of message at a time; slices that lie in
// one flat table; a table in a struct; a CRC beside a copy of what it is of.
#include "parity.h"
#include "crc-tables.h"

// --- bit by bit ---

PARITY(halfwords, "crc lowered")
u16 halfwords(u16 crc, const u16 *w, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= w[i];
    for (int k = 0; k < 16; k++)
      crc = crc & 1 ? crc >> 1 ^ 0xa001 : crc >> 1;
  }
  return crc;
}

PARITY(halfwords_from_the_top, "crc lowered")
u16 halfwords_from_the_top(u16 crc, const u16 *w, size_t n) {
  while (n--) {
    crc ^= __builtin_bswap16(*w++);
    for (int k = 16; k; k--)
      crc = (u16)(crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0);
  }
  return crc;
}

PARITY(halfwords_wide, "crc lowered")
u32 halfwords_wide(u32 crc, const u16 *w, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= w[i];
    for (int k = 0; k < 16; k++)
      crc = (crc >> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return crc;
}

PARITY(words, "crc lowered")
u32 words(u32 crc, const u32 *w, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= w[i];
    for (int k = 0; k < 32; k++) {
      if (crc & 1)
        crc = crc >> 1 ^ 0xedb88320;
      else
        crc >>= 1;
    }
  }
  return crc;
}

PARITY(words_from_the_top, "crc lowered")
u32 words_from_the_top(u32 crc, const u32 *w, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= __builtin_bswap32(w[i]);
    for (int k = 0; k < 32; k++)
      crc = (int)crc < 0 ? crc << 1 ^ 0x04c11db7 : crc << 1;
  }
  return crc;
}

PARITY(long_words, "crc lowered")
u64 long_words(u64 crc, const u64 *w, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= w[i];
    for (int k = 0; k < 64; k++)
      crc = crc & 1 ? crc >> 1 ^ 0xc96c5795d7870f42 : crc >> 1;
  }
  return crc;
}

PARITY(message_bits_of_words, "crc lowered")
u32 message_bits_of_words(u32 crc, const u32 *w, size_t n) {
  for (size_t i = 0; i < n; i++)
    for (u32 k = 0, bits = w[i]; k < 32; k++, bits >>= 1)
      crc = ((crc ^ bits) & 1) ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
  return crc;
}

// As the CRC unit of some microcontrollers counts: it is one of bytes that lie in
// memory in another order.
PARITY(words_as_they_lie, "crc lowered")
u32 words_as_they_lie(u32 crc, const u32 *w, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= w[i];
    for (int k = 0; k < 32; k++)
      crc = crc & 0x80000000 ? crc << 1 ^ 0x04c11db7 : crc << 1;
  }
  return crc;
}

PARITY(fifteen_steps, "crc kept MLF2043 + crc inlined")
u16 fifteen_steps(u16 crc, const u16 *w, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= w[i];
    for (int k = 0; k < 15; k++)
      crc = crc & 1 ? crc >> 1 ^ 0xa001 : crc >> 1;
  }
  return crc;
}

// --- what one small loop leaves to the next ---

PARITY(turned_in_a_loop, "crc lowered")
u32 turned_in_a_loop(u32 crc, const u8 *p, size_t n) {
  while (n--) {
    unsigned in = *p++, out = 0;
    for (int k = 0; k < 8; k++, in >>= 1)
      out = out << 1 | (in & 1);
    for (int k = 0; k < 8; k++) {
      u32 top = crc & 0x80000000;
      crc = crc << 1 | (out >> (7 - k) & 1);
      if (top)
        crc ^= 0x04c11db7;
    }
  }
  return crc;
}

// The eighth bit of the register is cut off behind the loop.
PARITY(seven_bits_shifted_out, "crc lowered")
u8 seven_bits_shifted_out(const u8 *p, int n) {
  u8 crc = 0;
  for (int i = 0; i < n; i++) {
    u8 d = p[i];
    for (int k = 0; k < 8; k++) {
      crc <<= 1;
      if ((d & 0x80) ^ (crc & 0x80))
        crc ^= 0x09;
      d <<= 1;
    }
  }
  return (u8)(crc << 1 | 1);
}

// --- tables of other shapes ---

static const u32 flat[8 * 256] = {TABLE(CRC32_0), TABLE(CRC32_1), TABLE(CRC32_2),
                                  TABLE(CRC32_3), TABLE(CRC32_4), TABLE(CRC32_5),
                                  TABLE(CRC32_6), TABLE(CRC32_7)};

PARITY(first_of_a_flat_table, "crc lowered")
u32 first_of_a_flat_table(u32 crc, const u8 *p, size_t n) {
  for (const u8 *end = p + n; p != end; p++)
    crc = (crc >> 8) ^ flat[(u8)(crc ^ *p)];
  return crc;
}

PARITY(flat_slices, "crc lowered")
u32 flat_slices(u32 crc, const u32 *w, size_t n) {
  for (; n >= 2; n -= 2, w += 2) {
    u32 x = crc ^ w[0], y = w[1];
    crc = flat[0x700 + (u8)x] ^ flat[0x600 + (u8)(x >> 8)] ^
          flat[0x500 + (u8)(x >> 16)] ^ flat[0x400 + (x >> 24)] ^
          flat[0x300 + (u8)y] ^ flat[0x200 + (u8)(y >> 8)] ^
          flat[0x100 + (u8)(y >> 16)] ^ flat[y >> 24];
  }
  return crc;
}

// Not where a slice begins: the entries of two are mixed.
PARITY(flat_off_by_one, "crc kept MLF2044")
u32 flat_off_by_one(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    crc = (crc >> 8) ^ flat[0x101 + (u8)(crc ^ p[i])];
  return crc;
}

static const struct {
  u32 start, table[256];
} described = {0xffffffff, {TABLE(CASTAGNOLI)}};

PARITY(table_in_a_struct, "crc lowered")
u32 table_in_a_struct(const u8 *p, size_t n) {
  u32 crc = described.start;
  for (size_t i = 0; i < n; i++)
    crc = (crc >> 8) ^ described.table[(crc ^ p[i]) & 0xff];
  return ~crc;
}

struct parameters {
  u32 start, table[256];
};

PARITY(table_of_an_object, "crc lowered")
u32 table_of_an_object(u32 crc, const u8 *p, size_t n, const struct parameters *object) {
  for (size_t i = 0; i < n; i++)
    crc = (crc >> 8) ^ object->table[(crc ^ p[i]) & 0xff];
  return crc;
}

// --- beside a copy ---

static const u16 forward[256] = {TABLE(XMODEM)};

PARITY(copied_by_table, "copy_sum guarded")
u16 copied_by_table(u16 crc, u8 *to, const u8 *from, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc = (u16)(crc << 8) ^ forward[(u8)(crc >> 8) ^ from[i]];
    to[i] = from[i];
  }
  return crc;
}

PARITY(copied_bit_by_bit, "copy_sum guarded")
u32 copied_bit_by_bit(u32 crc, u8 *to, const u8 *from, size_t n) {
  while (n--) {
    crc ^= *from;
    *to++ = *from++;
    for (int k = 0; k < 8; k++)
      crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
  }
  return crc;
}
