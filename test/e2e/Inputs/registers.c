// registers.c - steps of a shift register without memory, as programs spell them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// F(x) gives each build names of its own; registers-main.c compares their results.
#include "registers.h"

/* ---- Look-ups -------------------------------------------------------- */

uint16_t F(coremark)(uint16_t crc, uint8_t data) {
  uint8_t i, differ, carry;
  for (i = 0; i < 8; i++) {
    differ = (uint8_t)((data & 1) ^ ((uint8_t)crc & 1));
    data >>= 1;
    if (differ == 1) {
      crc ^= 0x4002;
      carry = 1;
    } else
      carry = 0;
    crc >>= 1;
    if (carry)
      crc |= 0x8000;
    else
      crc &= 0x7fff;
  }
  return crc;
}

uint16_t F(avr16)(uint16_t crc, uint8_t a) {
  crc ^= a;
  for (int i = 0; i < 8; ++i)
    if (crc & 1)
      crc = (crc >> 1) ^ 0xA001;
    else
      crc = (crc >> 1);
  return crc;
}

uint16_t F(xmodem)(uint16_t crc, uint8_t data) {
  crc = crc ^ ((uint16_t)data << 8);
  for (int i = 0; i < 8; i++) {
    if (crc & 0x8000)
      crc = (crc << 1) ^ 0x1021;
    else
      crc <<= 1;
  }
  return crc;
}

uint8_t F(ibutton)(uint8_t crc, uint8_t data) {
  crc = crc ^ data;
  for (uint8_t i = 0; i < 8; i++) {
    if (crc & 0x01)
      crc = (crc >> 1) ^ 0x8C;
    else
      crc >>= 1;
  }
  return crc;
}

uint16_t F(smbus)(uint16_t crc, uint8_t d) {
  uint16_t data = (uint16_t)((crc ^ d) << 8);
  for (int i = 0; i < 8; i++) {
    if (data & 0x8000)
      data = data ^ (0x1070U << 3);
    data = data << 1;
  }
  return data >> 8;
}

uint16_t F(modbus)(uint16_t crc, uint8_t b) {
  crc ^= b;
  for (unsigned i = 8; i; i--) {
    int lsb = crc & 1;
    crc >>= 1;
    if (lsb)
      crc ^= 0xA001;
  }
  return crc;
}

uint8_t F(mmc7)(uint8_t crc, uint8_t data) {
  for (int i = 0; i < 8; i++) {
    crc <<= 1;
    if ((data & 0x80) ^ (crc & 0x80))
      crc ^= 0x09;
    data <<= 1;
  }
  return crc & 0x7f;
}

int F(wide16)(int crc, uint8_t data) {
  crc = (crc ^ data << 8) & 0xffff;
  for (int i = 0; i < 8; i++) {
    crc <<= 1;
    if (crc & 0x10000)
      crc ^= 0x11021;
  }
  return crc;
}

uint32_t F(counted32)(uint32_t crc, uint8_t d) {
  for (int i = 7; i >= 0; i--) {
    uint32_t bit = ((crc >> 31) ^ (d >> i)) & 1;
    crc <<= 1;
    if (bit)
      crc ^= 0x04c11db7;
  }
  return crc;
}

uint32_t F(mask32)(uint32_t crc, uint8_t d) {
  crc ^= d;
  for (int i = 0; i < 8; i++)
    crc = (crc >> 1) ^ (0xedb88320u & -(crc & 1));
  return ~crc;
}

uint32_t F(word32)(uint32_t crc, uint32_t d) {
  crc ^= d;
  for (int i = 0; i < 32; i++)
    crc = (crc >> 1) ^ (0xedb88320u & -(crc & 1));
  return crc;
}

uint16_t F(halfword16)(uint16_t crc, uint16_t d) {
  crc ^= d;
  for (int i = 0; i < 16; i++)
    crc = (crc & 0x8000) ? (uint16_t)(crc << 1) ^ 0x8005 : crc << 1;
  return crc;
}

uint64_t F(byte64)(uint64_t crc, uint8_t d) {
  crc ^= (uint64_t)d << 56;
  for (int i = 0; i < 8; i++)
    crc = crc << 1 ^ ((int64_t)crc < 0 ? 0x42f0e1eba9ea3693ull : 0);
  return crc;
}

uint64_t F(word64)(uint64_t crc, uint64_t d) {
  crc ^= d;
  for (int i = 0; i < 64; i++)
    crc = crc & 1 ? crc >> 1 ^ 0xc96c5795d7870f42ull : crc >> 1;
  return crc;
}

static inline void step(uint16_t *crc, uint8_t d) {
  *crc ^= d;
  for (int i = 0; i < 8; i++)
    if (*crc & 1)
      *crc = *crc >> 1 ^ 0xA001;
    else
      *crc >>= 1;
}

uint16_t F(in_memory)(uint16_t crc, uint8_t d) {
  static uint16_t kept;
  kept = crc;
  step(&kept, d);
  return kept;
}

struct F(context) {
  int n;
  uint32_t crc;
};

__attribute__((noinline)) static void update(struct F(context) * c, uint8_t d) {
  c->crc ^= d;
  for (int i = 0; i < 8; i++)
    c->crc = c->crc & 1 ? c->crc >> 1 ^ 0x82f63b78u : c->crc >> 1;
}

uint32_t F(in_field)(uint32_t crc, uint8_t d) {
  struct F(context) c = {1, crc};
  update(&c, d);
  return c.crc;
}

uint8_t F(usb5)(uint8_t crc, uint16_t data) {
  crc &= 0x1f;
  for (int i = 0; i < 11; i++) {
    uint8_t bit = (data ^ crc) & 1;
    data >>= 1;
    crc >>= 1;
    if (bit)
      crc ^= 0x14;
  }
  return crc ^ 0x1f;
}

uint16_t F(kermit)(uint16_t crc, uint8_t ch) {
  uint8_t n = 8;
  do {
    uint8_t f = (crc ^ ch) & 1;
    crc >>= 1;
    if (f)
      crc ^= 0x8408;
    ch >>= 1;
  } while (--n);
  return crc;
}

uint16_t F(moving_mask)(uint16_t crc, uint8_t byte) {
  for (uint8_t mask = 0x80; mask; mask >>= 1) {
    int bit = (byte & mask) != 0;
    int top = crc >> 15;
    crc <<= 1;
    if (top ^ bit)
      crc ^= 0x1021;
  }
  return crc;
}

/* Both the register and the data are used afterwards. */
uint32_t F(both_left)(uint32_t crc, uint32_t data) {
  for (int i = 0; i < 8; i++) {
    uint32_t bit = (crc ^ data) & 1;
    crc = crc >> 1 ^ (bit ? 0x82f63b78u : 0);
    data >>= 1;
  }
  return crc * 3 + data;
}

uint32_t F(scrambler)(uint32_t state, uint8_t data) {
  for (int i = 0; i < 16; i++)
    state = (state >> 1) ^ (-(state & 1) & 0x80200003u);
  return state + data;
}

uint8_t F(two_bytes)(uint8_t crc, uint16_t data) {
  uint8_t bytes[2] = {(uint8_t)(data >> 8), (uint8_t)data};
  for (int i = 0; i < 2; i++) {
    crc ^= bytes[i];
    for (int b = 0; b < 8; b++)
      crc = crc & 0x80 ? (crc << 1) ^ 0x31 : crc << 1;
  }
  return crc;
}

uint8_t read_port(uint8_t data);

/* The loop around calls something, so it is no operation. */
uint16_t F(from_port)(uint16_t crc, uint8_t data) {
  for (unsigned n = data; n--;) {
    crc ^= read_port(data);
    for (int i = 0; i < 8; i++)
      crc = crc & 1 ? crc >> 1 ^ 0xA001 : crc >> 1;
  }
  return crc;
}

/* Both registers go on in the loop around, whose body is no byte of a CRC. */
uint32_t F(two_around)(uint32_t crc, uint8_t data) {
  uint16_t other = (uint16_t)~crc;
  for (unsigned n = data & 15; n--;) {
    for (int i = 0; i < 8; i++)
      crc = crc & 1 ? crc >> 1 ^ 0xEDB88320 : crc >> 1;
    for (uint8_t i = 8; i; i--)
      other = other & 0x8000 ? other << 1 ^ 0x1021 : other << 1;
    crc += read_port((uint8_t)other);
  }
  return crc ^ other;
}

/* ---- Near misses ----------------------------------------------------- */

/* AES's multiplication by a constant: linear, and no register. */
uint8_t F(times_two)(uint8_t a, uint8_t b) {
  uint8_t product = 0, factor = 0x8d;
  for (int i = 0; i < 8; i++) {
    if (factor & 1)
      product ^= a;
    a = a << 1 ^ (a & 0x80 ? 0x1b : 0);
    factor >>= 1;
  }
  return product ^ b;
}

/* Bits that leave the register stay above it. */
uint32_t F(kept_above)(uint32_t crc, uint8_t byte) {
  for (unsigned char i = 0; i < 8; i++) {
    if (((crc & 0x8000) >> 8) ^ (byte & 0x80))
      crc = crc << 1 ^ 0x102;
    else
      crc = crc << 1;
    byte <<= 1;
  }
  return crc;
}

uint64_t F(all_above)(uint64_t crc, uint8_t byte) {
  uint64_t value = (uint64_t)byte << 8;
  for (int i = 0; i < 8; i++) {
    value <<= 1;
    crc <<= 1;
    if (0x10000 & (crc ^ value))
      crc ^= 0x8005;
  }
  return crc;
}

uint32_t F(known_start)(uint32_t state, uint8_t byte) {
  uint32_t c = 0xb1b1;
  for (int i = 0; i < 32; i++) {
    c <<= 1;
    if (c & 0x10000)
      c ^= 0x11011;
  }
  return c + state * byte;
}

/* As many bits enter as there are, so none falls out, and the result is the byte. */
uint8_t F(entered_whole)(uint8_t state, uint8_t byte) {
  uint8_t c = 0;
  for (int i = 7; i >= 0; i--) {
    if (c & 0x80) {
      c = (uint8_t)(c << 1);
      c = byte & (1 << i) ? (c | 1) : (c & 0xfe);
      c ^= 0x1d;
    } else {
      c = (uint8_t)(c << 1);
      c = byte & (1 << i) ? (c | 1) : (c & 0xfe);
    }
  }
  return c + state;
}

uint16_t F(any_polynomial)(uint16_t crc, uint16_t polynomial) {
  for (int i = 0; i < 8; i++)
    crc = crc & 1 ? crc >> 1 ^ polynomial : crc >> 1;
  return crc;
}

uint8_t F(product)(uint8_t a, uint8_t b) {
  uint8_t sum = 0;
  for (int i = 0; i < 8; i++) {
    if (b & 1)
      sum ^= a;
    a = a << 1 ^ (a & 0x80 ? 0x1b : 0);
    b >>= 1;
  }
  return sum;
}

uint32_t F(bits)(uint32_t a, uint32_t b) {
  uint32_t n = b;
  for (int i = 0; i < 32; i++) {
    n += (a & 1) * n;
    a >>= 1;
  }
  return n;
}

uint8_t F(reversed)(uint8_t a, uint8_t b) {
  uint8_t r = 0;
  for (int i = 0; i < 8; i++) {
    r = r << 1 | (a & 1);
    a >>= 1;
  }
  return r ^ b;
}

uint8_t F(reversed_by_tests)(uint8_t a, uint8_t b) {
  uint8_t r = 0;
  for (int i = 0; i < 8; i++) {
    r = (uint8_t)(r << 1);
    if (a & 1 << i)
      r |= 1;
  }
  return r ^ b;
}

/* The register turns its bits in the first step alone. */
uint8_t F(turned_once)(uint8_t crc, uint8_t data) {
  crc = crc ^ data;
  for (int i = 0; i < 8; i++) {
    if (i == 0 && (crc & 1))
      crc = (crc >> 1) ^ 0x8c;
    else
      crc >>= 1;
  }
  return crc;
}

uint16_t F(some_steps)(uint16_t crc, uint8_t n) {
  for (int i = 0; i < (n & 15); i++)
    crc = crc & 1 ? crc >> 1 ^ 0xA001 : crc >> 1;
  return crc;
}

uint16_t F(leaves_early)(uint16_t crc, uint8_t n) {
  for (int i = 0; i < 8; i++) {
    if (crc == n)
      break;
    crc = crc & 1 ? crc >> 1 ^ 0xA001 : crc >> 1;
  }
  return crc;
}

/* All bits are mixed in eight steps, so there would be four look-ups. */
uint32_t F(mixes_all)(uint32_t v, uint32_t b) {
  for (int i = 0; i < 8; i++)
    v ^= v << 3 ^ v >> 5;
  return v ^ b;
}

/* Two bits stay above for each one that leaves. */
uint64_t F(above_twice)(uint64_t crc, uint8_t byte) {
  for (int i = 0; i < 8; i++) {
    uint64_t next = crc << 1 ^ (crc & 0xff00) << 24;
    crc = ((crc >> 8) ^ byte) & 0x80 ? next ^ 0x102 : next;
    byte <<= 1;
  }
  return crc;
}
