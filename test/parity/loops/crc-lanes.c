// crc-lanes.c - CRCs in several registers side by side, as zlib's braids have them
#include "crc-tables.h"
#include "parity.h"

// Tables for the bytes of a word: the register after this byte and all that follow in the round.
static const u32 five[8][256] = {
    {TABLE(CRC32_39)}, {TABLE(CRC32_38)}, {TABLE(CRC32_37)}, {TABLE(CRC32_36)},
    {TABLE(CRC32_35)}, {TABLE(CRC32_34)}, {TABLE(CRC32_33)}, {TABLE(CRC32_32)},
};
static const u32 two[8][256] = {
    {TABLE(CRC32_15)}, {TABLE(CRC32_14)}, {TABLE(CRC32_13)}, {TABLE(CRC32_12)},
    {TABLE(CRC32_11)}, {TABLE(CRC32_10)}, {TABLE(CRC32_9)},  {TABLE(CRC32_8)},
};
static const u16 three16[8][256] = {
    {TABLE(ARC_23)}, {TABLE(ARC_22)}, {TABLE(ARC_21)}, {TABLE(ARC_20)},
    {TABLE(ARC_19)}, {TABLE(ARC_18)}, {TABLE(ARC_17)}, {TABLE(ARC_16)},
};
// One bit of one entry is wrong.
static const u32 wrong[8][256] = {
    {TABLE(CRC32_15)}, {TABLE(CRC32_14)}, {TABLE(CRC32_13)}, {TABLE(CRC32_12)},
    {TABLE(CRC32_11)}, {TABLE(CRC32_10)}, {TABLE(CRC32_9)},
    {TABLE(0x177b1443, 0x2ef62886, 0x5dec510c, 0xbbd8a218, 0xacc04271, 0x82f182a3,
           0xde920307, 0x6655004e)},
};

#define LOOKED_UP(t, v)                                                                  \
  (t[0][(v) & 255] ^ t[1][(v) >> 8 & 255] ^ t[2][(v) >> 16 & 255] ^                      \
   t[3][(v) >> 24 & 255] ^ t[4][(v) >> 32 & 255] ^ t[5][(v) >> 40 & 255] ^               \
   t[6][(v) >> 48 & 255] ^ t[7][(v) >> 56])

PARITY(braid, "crc lowered")
void braid(u32 *registers, const u64 *words, size_t rounds) {
  u32 crc0 = registers[0], crc1 = registers[1], crc2 = registers[2], crc3 = registers[3],
      crc4 = registers[4];
  while (rounds--) {
    u64 word0 = crc0 ^ words[0], word1 = crc1 ^ words[1], word2 = crc2 ^ words[2],
        word3 = crc3 ^ words[3], word4 = crc4 ^ words[4];
    words += 5;
    crc0 = five[0][word0 & 0xff];
    crc1 = five[0][word1 & 0xff];
    crc2 = five[0][word2 & 0xff];
    crc3 = five[0][word3 & 0xff];
    crc4 = five[0][word4 & 0xff];
    for (int k = 1; k < 8; k++) {
      crc0 ^= five[k][(word0 >> (k << 3)) & 0xff];
      crc1 ^= five[k][(word1 >> (k << 3)) & 0xff];
      crc2 ^= five[k][(word2 >> (k << 3)) & 0xff];
      crc3 ^= five[k][(word3 >> (k << 3)) & 0xff];
      crc4 ^= five[k][(word4 >> (k << 3)) & 0xff];
    }
  }
  registers[0] = crc0, registers[1] = crc1, registers[2] = crc2, registers[3] = crc3,
  registers[4] = crc4;
}

PARITY(two_lanes, "crc lowered")
void two_lanes(u32 *registers, const u64 *p, size_t rounds) {
  u64 a = registers[0], b = registers[1];
  for (size_t i = 0; i < rounds; i++) {
    u64 v = a ^ p[2 * i], w = b ^ p[2 * i + 1];
    a = LOOKED_UP(two, v);
    b = LOOKED_UP(two, w);
  }
  registers[0] = (u32)a;
  registers[1] = (u32)b;
}

PARITY(first_is_second, "crc lowered")
void first_is_second(u32 *registers, const u64 *p, size_t rounds) {
  u32 a = registers[0], b = registers[1];
  const u64 *end = p + 2 * rounds;
  for (; p != end; p += 2) {
    u64 v = a ^ p[1], w = b ^ p[0];
    a = LOOKED_UP(two, v);
    b = LOOKED_UP(two, w);
  }
  registers[0] = a;
  registers[1] = b;
}

PARITY(three_of_16, "crc lowered")
void three_of_16(u32 *registers, const u8 *p, size_t rounds) {
  u16 a = (u16)registers[0], b = (u16)registers[1], c = (u16)registers[2];
  for (size_t left = 24 * rounds; left >= 24; left -= 24, p += 24) {
    u64 u = *(const u64 *)p ^ a, v = *(const u64 *)(p + 8) ^ b, w = *(const u64 *)(p + 16) ^ c;
    a = LOOKED_UP(three16, u);
    b = LOOKED_UP(three16, v);
    c = LOOKED_UP(three16, w);
  }
  registers[0] = a, registers[1] = b, registers[2] = c;
}

// --- nearly that ---

PARITY(wrong_entry, "crc kept MLF2043")
void wrong_entry(u32 *registers, const u64 *p, size_t rounds) {
  u32 a = registers[0], b = registers[1];
  for (; rounds; rounds--, p += 2) {
    u64 v = a ^ p[0], w = b ^ p[1];
    a = LOOKED_UP(wrong, v);
    b = LOOKED_UP(wrong, w);
  }
  registers[0] = a, registers[1] = b;
}

PARITY(other_distance, "crc kept MLF2043")
void other_distance(u32 *registers, const u64 *p, size_t rounds) {
  u32 a = registers[0], b = registers[1];
  for (; rounds; rounds--, p += 2) {
    u64 v = a ^ p[0], w = b ^ p[1];
    a = LOOKED_UP(five, v);
    b = LOOKED_UP(five, w);
  }
  registers[0] = a, registers[1] = b;
}

PARITY(registers_change_places, "crc kept MLF2043")
void registers_change_places(u32 *registers, const u64 *p, size_t rounds) {
  u32 a = registers[0], b = registers[1];
  for (; rounds; rounds--, p += 2) {
    u64 v = a ^ p[0], w = b ^ p[1];
    a = LOOKED_UP(two, w);
    b = LOOKED_UP(two, v);
  }
  registers[0] = a, registers[1] = b;
}

PARITY(same_word, "crc kept MLF2043")
void same_word(u32 *registers, const u64 *p, size_t rounds) {
  u32 a = registers[0], b = registers[1], c = registers[2];
  for (; rounds; rounds--, p += 2) {
    u64 u = a ^ p[0], v = b ^ p[1], w = c ^ p[1];
    a = LOOKED_UP(two, u);
    b = LOOKED_UP(two, v);
    c = LOOKED_UP(two, w);
  }
  registers[0] = a, registers[1] = b, registers[2] = c;
}

PARITY(word_left_out, "crc kept MLF2043")
void word_left_out(u32 *registers, const u64 *p, size_t rounds) {
  u32 a = registers[0];
  for (; rounds; rounds--, p += 2) {
    u64 v = a ^ p[0];
    a = LOOKED_UP(two, v);
  }
  registers[0] = a;
}

// Both compilers drop the first register, and so the loop leaves half of the bytes out.
PARITY(one_is_lost, "crc kept MLF2043")
void one_is_lost(u32 *registers, const u64 *p, size_t rounds) {
  u32 a = registers[0], b = registers[1];
  for (; rounds; rounds--, p += 2) {
    u64 v = a ^ p[0], w = b ^ p[1];
    a = LOOKED_UP(two, v);
    b = LOOKED_UP(two, w);
  }
  registers[0] = b;
}
