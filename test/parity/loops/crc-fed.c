// crc-fed.c - cyclic redundancy checks bit by bit: the message, and what is odd
//
// crc-bitwise.c has the ways to take a step and to hold the register. Here the
// message comes in bit by bit, from the other end or inverted, the register has
// few bits, the steps are gone, the polynomial is an argument; and near misses.
#include "parity.h"
#include "crc-tables.h"

#define EIGHT_DOWN(c, top, poly)                                               \
  for (int k = 0; k < 8; k++)                                                  \
    (c) = (c) & (top) ? (c) << 1 ^ (poly) : (c) << 1

// --- the message fed bit by bit ---

PARITY(message_bits, "crc lowered")
u16 message_bits(u16 crc, const u8 *p, size_t n) {
  for (size_t j = 0; j < n; j++) {
    u8 byte = p[j];
    for (int i = 0; i < 8; i++) {
      int bit = (byte >> (7 - i)) & 1;
      int c15 = (crc >> 15) & 1;
      crc <<= 1;
      if (c15 ^ bit)
        crc ^= 0x1021;
    }
  }
  return crc;
}

PARITY(message_bits_32, "crc lowered")
u16 message_bits_32(const u8 *p, size_t n) {
  int crc = 0xffff;
  for (size_t j = 0; j < n; j++)
    for (int i = 0; i < 8; i++) {
      int bit = (p[j] >> (7 - i) & 1) == 1;
      int c15 = (crc >> 15 & 1) == 1;
      crc <<= 1;
      if (c15 ^ bit)
        crc ^= 0x1021;
    }
  return (u16)(crc & 0xffff);
}

PARITY(message_and_register, "crc lowered")
u32 message_and_register(u32 crc, const u8 *p, size_t n) {
  while (n--) {
    u8 byte = *p++;
    for (int k = 0; k < 8; k++) {
      crc = ((crc ^ byte) & 1) ? (crc >> 1) ^ 0xedb88320u : crc >> 1;
      byte >>= 1;
    }
  }
  return crc;
}

PARITY(message_shifts_up, "crc lowered")
u16 message_shifts_up(u16 crc, const u8 *p, size_t n) {
  for (size_t j = 0; j < n; j++) {
    u16 data = (u16)(p[j] << 8);
    for (int k = 8; k > 0; k--) {
      if ((data ^ crc) & 0x8000)
        crc = (u16)(crc << 1) ^ 0x1021;
      else
        crc <<= 1;
      data <<= 1;
    }
  }
  return crc;
}

PARITY(message_bits_tested, "crc lowered")
u32 message_bits_tested(u32 crc, const u8 *p, size_t n) {
  for (size_t j = 0; j < n; j++)
    for (int i = 7; i >= 0; i--) {
      int out = crc >> 31;
      crc <<= 1;
      if (out != ((p[j] >> i) & 1))
        crc ^= 0x04c11db7;
    }
  return crc;
}

// The bit that falls out is turned over by the message, as a truth value and as it lies.
PARITY(message_turns_bit, "crc lowered")
u64 message_turns_bit(u64 crc, const u8 *p, size_t n) {
  for (size_t j = 0; j < n; j++) {
    u64 byte = p[j];
    for (u8 mask = 1; mask; mask <<= 1) {
      u64 out = crc & 0x8000000000000000u;
      if (byte & mask)
        out = !out;
      crc <<= 1;
      if (out)
        crc ^= 0xad93d23594c935a9u;
    }
  }
  return crc;
}

// The bit is put in again where the polynomial has none.
PARITY(message_put_in, "crc lowered")
u32 message_put_in(const u8 *p, int n) {
  u32 crc = 0xffffffff;
  for (int j = 0; j < n; j++) {
    u8 byte = *p++;
    for (int k = 0; k < 8; k++) {
      u8 carry = (crc & 0x80000000 ? 1 : 0) ^ (byte & 1);
      crc <<= 1;
      byte >>= 1;
      if (carry)
        crc = (crc ^ 0x04c11db6) | carry;
    }
  }
  return crc;
}

// --- bits of the byte turned around ---

static u8 turned(u8 b) {
  b = (u8)((b & 0xf0) >> 4 | (b & 0x0f) << 4);
  b = (u8)((b & 0xcc) >> 2 | (b & 0x33) << 2);
  return (u8)((b & 0xaa) >> 1 | (b & 0x55) << 1);
}

PARITY(turned_input, "crc lowered")
u32 turned_input(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= (u32)turned(p[i]) << 24;
    EIGHT_DOWN(crc, 0x80000000u, 0x04c11db7u);
  }
  return crc;
}

// --- the message brought in from below, with the zeros sent after it ---

PARITY(augmented, "crc lowered")
u16 augmented(u16 crc, const u8 *p, size_t n) {
  for (size_t j = 0; j < n; j++)
    for (u8 bit = 0x80; bit; bit >>= 1) {
      int out = crc & 0x8000;
      crc = (u16)(crc << 1 | !!(p[j] & bit));
      if (out)
        crc ^= 0x1021;
    }
  return crc;
}

// --- fewer than eight bits ---

PARITY(usb5, "crc lowered")
u8 usb5(u8 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 8; k++)
      crc = crc & 1 ? (crc >> 1) ^ 0x14 : crc >> 1;
  }
  return crc;
}

PARITY(mmc7, "crc lowered")
u8 mmc7(u8 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    u8 byte = p[i];
    for (int k = 0; k < 8; k++) {
      crc <<= 1;
      if ((byte & 0x80) ^ (crc & 0x80))
        crc ^= 0x09;
      byte <<= 1;
    }
  }
  return crc & 0x7f;
}

PARITY(mmc7_high, "crc lowered")
u8 mmc7_high(u8 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    EIGHT_DOWN(crc, 0x80, 0x12);
  }
  return crc >> 1;
}

// --- no steps left: the bits of the polynomial put where they go ---

PARITY(closed_mcrf4xx, "crc lowered")
u16 closed_mcrf4xx(u16 crc, const u8 *p, size_t n) {
  while (n--) {
    u8 byte = *p++;
    byte ^= (u8)crc;
    byte ^= (u8)(byte << 4);
    crc = (u16)(((u16)byte << 8 | crc >> 8) ^ (u8)(byte >> 4) ^ (u16)byte << 3);
  }
  return crc;
}

PARITY(closed_xmodem, "crc lowered")
u16 closed_xmodem(u16 crc, const u8 *p, size_t n) {
  while (n--) {
    u8 x = (u8)(crc >> 8) ^ *p++;
    x ^= x >> 4;
    crc = (u16)((crc << 8) ^ (u16)(x << 12) ^ (u16)(x << 5) ^ x);
  }
  return crc;
}

PARITY(closed_swapping, "crc lowered")
u16 closed_swapping(u16 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc = (u16)((u8)(crc >> 8) | crc << 8);
    crc ^= p[i];
    crc ^= (u8)(crc & 0xff) >> 4;
    crc ^= (u16)(crc << 12);
    crc ^= (u16)((crc & 0xff) << 5);
  }
  return crc;
}

// --- near misses ---

PARITY(seven_steps, "crc kept MLF2043")
u32 seven_steps(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 7; k++)
      crc = crc & 1 ? (crc >> 1) ^ 0xedb88320u : crc >> 1;
  }
  return crc;
}

PARITY(shift_by_two, "crc kept MLF2043 + crc kept MLF3016")
u32 shift_by_two(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 8; k++)
      crc = crc & 1 ? (crc >> 2) ^ 0xedb88320u : crc >> 2;
  }
  return crc;
}

PARITY(mask_too_narrow, "crc kept MLF2043 + crc inlined")
u32 mask_too_narrow(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= (u32)p[i] << 8;
    for (int k = 0; k < 8; k++)
      crc = (crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1) & 0x7fff;
  }
  return crc;
}

// The message's bit is put in, not the one that has fallen out.
PARITY(other_bit_put_in, "untouched")
u32 other_bit_put_in(u32 crc, const u8 *p, size_t n) {
  for (size_t j = 0; j < n; j++) {
    u8 byte = p[j];
    for (int k = 0; k < 8; k++) {
      u8 bit = byte & 1, carry = (u8)(crc >> 31) ^ bit;
      crc <<= 1;
      byte >>= 1;
      if (carry)
        crc = (crc ^ 0x04c11db6) | bit;
    }
  }
  return crc;
}

// Two bits are looked at, where one falls out.
PARITY(two_bits_turned, "untouched")
u64 two_bits_turned(u64 crc, const u8 *p, size_t n) {
  for (size_t j = 0; j < n; j++)
    for (u8 mask = 1; mask; mask <<= 1) {
      u64 out = crc & 0xc000000000000000u;
      if (p[j] & mask)
        out = !out;
      crc <<= 1;
      if (out)
        crc ^= 0xad93d23594c935a9u;
    }
  return crc;
}

PARITY(upper_bits_shown, "crc kept MLF2100 + crc inlined")
u32 upper_bits_shown(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= (u32)p[i] << 8;
    EIGHT_DOWN(crc, 0x8000, 0x1021);
  }
  return crc;
}

// --- the register kept turned over ---

PARITY(inverted_inside, "crc lowered")
u32 inverted_inside(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc = ~crc;
    crc ^= p[i];
    for (int k = 0; k < 8; k++)
      crc = (crc >> 1) ^ (-(crc & 1) & 0xedb88320u);
    crc = ~crc;
  }
  return crc;
}

// ATM's CRC-10, looked up from the register alone: each byte comes in late, and the
// look-up may be made for the next round.
static const u16 crc10_table[256] = {TABLE(ATM10)};

PARITY(crc10_fed_late, "crc lowered")
u16 crc10_fed_late(u16 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    crc = ((crc << 8) & 0x3ff) ^ crc10_table[(crc >> 2) & 0xff] ^ p[i];
  return crc;
}

PARITY(crc10_from_zero, "crc lowered")
u16 crc10_from_zero(const u8 *p, size_t n) {
  u16 crc = 0;
  for (size_t i = 0; i < n; i++)
    crc = ((crc << 8) & 0x3ff) ^ crc10_table[(crc >> 2) & 0xff] ^ p[i];
  return crc;
}
