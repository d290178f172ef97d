// registers.c - steps of a shift register in scalars, and near misses
//
// test/e2e/Inputs/registers.c has more spellings, and runs them.
#include "parity.h"

PARITY(avr16, "crc inlined")
PARITY_BUT(avr16, "clang-22", "untouched", "LLVM 22 makes a table of it itself")
u16 avr16(u16 crc, u8 a) {
  crc ^= a;
  for (int i = 0; i < 8; ++i)
    if (crc & 1)
      crc = (crc >> 1) ^ 0xA001;
    else
      crc = (crc >> 1);
  return crc;
}

PARITY(modbus, "crc inlined")
u16 modbus(u16 crc, u8 b) {
  crc ^= b;
  for (unsigned i = 8; i; i--) {
    int lsb = crc & 1;
    crc >>= 1;
    if (lsb)
      crc ^= 0xA001;
  }
  return crc;
}

PARITY(mmc7, "crc inlined")
u8 mmc7(u8 crc, u8 data) {
  for (int i = 0; i < 8; i++) {
    crc <<= 1;
    if ((data & 0x80) ^ (crc & 0x80))
      crc ^= 0x09;
    data <<= 1;
  }
  return crc & 0x7f;
}

PARITY(wide16, "crc inlined")
int wide16(int crc, u8 data) {
  crc = (crc ^ data << 8) & 0xffff;
  for (int i = 0; i < 8; i++) {
    crc <<= 1;
    if (crc & 0x10000)
      crc ^= 0x11021;
  }
  return crc;
}

PARITY(counted32, "crc inlined")
u32 counted32(u32 crc, u8 d) {
  for (int i = 7; i >= 0; i--) {
    u32 bit = ((crc >> 31) ^ (d >> i)) & 1;
    crc <<= 1;
    if (bit)
      crc ^= 0x04c11db7;
  }
  return crc;
}

PARITY(mask32, "crc inlined")
u32 mask32(u32 crc, u8 d) {
  crc ^= d;
  for (int i = 0; i < 8; i++)
    crc = (crc >> 1) ^ (0xedb88320u & -(crc & 1));
  return ~crc;
}

PARITY(word32, "crc inlined")
u32 word32(u32 crc, u32 d) {
  crc ^= d;
  for (int i = 0; i < 32; i++)
    crc = (crc >> 1) ^ (0xedb88320u & -(crc & 1));
  return crc;
}

PARITY(byte64, "crc inlined")
u64 byte64(u64 crc, u8 d) {
  crc ^= (u64)d << 56;
  for (int i = 0; i < 8; i++)
    crc = crc << 1 ^ ((int64_t)crc < 0 ? 0x42f0e1eba9ea3693ull : 0);
  return crc;
}

PARITY(usb5, "crc inlined")
u8 usb5(u8 crc, u16 data) {
  crc &= 0x1f;
  for (int i = 0; i < 11; i++) {
    u8 bit = (data ^ crc) & 1;
    data >>= 1;
    crc >>= 1;
    if (bit)
      crc ^= 0x14;
  }
  return crc ^ 0x1f;
}

PARITY(kermit, "crc inlined")
u16 kermit(u16 crc, u8 ch) {
  u8 n = 8;
  do {
    u8 f = (crc ^ ch) & 1;
    crc >>= 1;
    if (f)
      crc ^= 0x8408;
    ch >>= 1;
  } while (--n);
  return crc;
}

PARITY(moving_mask, "crc inlined")
u16 moving_mask(u16 crc, u8 byte) {
  for (u8 mask = 0x80; mask; mask >>= 1) {
    int bit = (byte & mask) != 0;
    int top = crc >> 15;
    crc <<= 1;
    if (top ^ bit)
      crc ^= 0x1021;
  }
  return crc;
}

PARITY(both_left, "crc inlined")
u32 both_left(u32 crc, u32 data) {
  for (int i = 0; i < 8; i++) {
    u32 bit = (crc ^ data) & 1;
    crc = crc >> 1 ^ (bit ? 0x82f63b78u : 0);
    data >>= 1;
  }
  return crc * 3 + data;
}

PARITY(scrambler, "crc inlined")
u32 scrambler(u32 state, u8 data) {
  for (int i = 0; i < 16; i++)
    state = (state >> 1) ^ (-(state & 1) & 0x80200003u);
  return state + data;
}

PARITY(times_two, "crc inlined")
u8 times_two(u8 a, u8 b) {
  u8 product = 0, factor = 0x8d;
  for (int i = 0; i < 8; i++) {
    if (factor & 1)
      product ^= a;
    a = a << 1 ^ (a & 0x80 ? 0x1b : 0);
    factor >>= 1;
  }
  return product ^ b;
}

// --- near misses ---

PARITY(any_polynomial, "untouched")
u16 any_polynomial(u16 crc, u16 polynomial) {
  for (int i = 0; i < 8; i++)
    crc = crc & 1 ? crc >> 1 ^ polynomial : crc >> 1;
  return crc;
}

PARITY(product, "untouched")
u8 product(u8 a, u8 b) {
  u8 sum = 0;
  for (int i = 0; i < 8; i++) {
    if (b & 1)
      sum ^= a;
    a = a << 1 ^ (a & 0x80 ? 0x1b : 0);
    b >>= 1;
  }
  return sum;
}

PARITY(bits, "untouched")
u32 bits(u32 a, u32 b) {
  u32 n = b;
  for (int i = 0; i < 32; i++) {
    n += (a & 1) * n;
    a >>= 1;
  }
  return n;
}

PARITY(reversed, "untouched")
u8 reversed(u8 a, u8 b) {
  u8 r = 0;
  for (int i = 0; i < 8; i++) {
    r = r << 1 | (a & 1);
    a >>= 1;
  }
  return r ^ b;
}

PARITY(some_steps, "untouched")
u16 some_steps(u16 crc, u8 n) {
  for (int i = 0; i < (n & 15); i++)
    crc = crc & 1 ? crc >> 1 ^ 0xA001 : crc >> 1;
  return crc;
}

PARITY(leaves_early, "untouched")
u16 leaves_early(u16 crc, u8 n) {
  for (int i = 0; i < 8; i++) {
    if (crc == n)
      break;
    crc = crc & 1 ? crc >> 1 ^ 0xA001 : crc >> 1;
  }
  return crc;
}

PARITY(mixes_all, "crc kept MLF3016")
u32 mixes_all(u32 v, u32 b) {
  for (int i = 0; i < 8; i++)
    v ^= v << 3 ^ v >> 5;
  return v ^ b;
}
