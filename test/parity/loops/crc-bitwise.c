// crc-bitwise.c - cyclic redundancy checks bit by bit, as people spell them
//
// Every way to ask for the bit, to count the eight steps, and to hold a register
// in a type that is wider than it. crc-fed.c has the rest, crc-tables.c tables.
#include "parity.h"

#define EIGHT_DOWN(c, top, poly)                                               \
  for (int k = 0; k < 8; k++)                                                  \
    (c) = (c) & (top) ? (c) << 1 ^ (poly) : (c) << 1

// --- asking for the bit ---

PARITY(if_else, "crc lowered")
u32 if_else(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 8; k++) {
      if (crc & 1)
        crc = (crc >> 1) ^ 0xedb88320u;
      else
        crc = crc >> 1;
    }
  }
  return crc;
}

PARITY(if_not_else, "crc lowered")
u32 if_not_else(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 8; k++) {
      if ((crc & 1) == 0)
        crc >>= 1;
      else
        crc = (crc >> 1) ^ 0xedb88320u;
    }
  }
  return crc;
}

PARITY(lsb_first_kept, "crc lowered")
u16 lsb_first_kept(u16 crc, const u8 *p, size_t n) {
  while (n--) {
    crc ^= *p++;
    for (u8 k = 0; k < 8; k++) {
      u16 lsb = crc & 1;
      crc >>= 1;
      if (lsb)
        crc ^= 0xa001;
    }
  }
  return crc;
}

PARITY(choice_under_xor, "crc lowered")
u32 choice_under_xor(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 8; k++)
      crc = (crc >> 1) ^ ((crc & 1) ? 0x82f63b78u : 0);
  }
  return crc;
}

PARITY(minus_bit, "crc lowered")
u32 minus_bit(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 8; k++)
      crc = (crc >> 1) ^ (-(crc & 1) & 0xedb88320u);
  }
  return crc;
}

PARITY(bit_minus_one, "crc lowered")
u32 bit_minus_one(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 8; k++)
      crc = (crc >> 1) ^ (~((crc & 1) - 1) & 0xedb88320u);
  }
  return crc;
}

PARITY(times_bit, "crc lowered")
u32 times_bit(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 8; k++)
      crc = (crc >> 1) ^ (crc & 1) * 0xedb88320u;
  }
  return crc;
}

PARITY(mask_in_a_variable, "crc lowered")
u32 mask_in_a_variable(const u8 *p, size_t n) {
  u32 crc = 0xffffffff;
  for (size_t i = 0; i < n; i++) {
    u32 byte = p[i];
    crc = crc ^ byte;
    for (int k = 7; k >= 0; k--) {
      u32 mask = -(crc & 1);
      crc = (crc >> 1) ^ (0xedb88320u & mask);
    }
  }
  return ~crc;
}

// --- counting the steps ---

PARITY(down_to_zero, "crc lowered")
u32 down_to_zero(u32 crc, const u8 *p, size_t n) {
  while (n--) {
    crc ^= *p++;
    for (unsigned k = 8; k; k--)
      crc = crc & 1 ? (crc >> 1) ^ 0xedb88320u : crc >> 1;
  }
  return crc;
}

PARITY(while_down, "crc lowered")
u32 while_down(u32 crc, const u8 *p, size_t n) {
  while (n--) {
    int k = 8;
    crc ^= *p++;
    while (k--)
      crc = crc & 1 ? (crc >> 1) ^ 0xedb88320u : crc >> 1;
  }
  return crc;
}

PARITY(do_while_steps, "crc lowered")
u16 do_while_steps(u16 crc, const u8 *p, size_t n) {
  while (n--) {
    u8 k = 8;
    crc ^= *p++;
    do {
      if (crc & 1)
        crc = (u16)(crc >> 1) ^ 0x8408;
      else
        crc >>= 1;
    } while (--k);
  }
  return crc;
}

#define STEP(c) ((c)&1 ? (c) >> 1 ^ 0xedb88320u : (c) >> 1)
PARITY(unrolled_by_hand, "crc lowered")
u32 unrolled_by_hand(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    crc = STEP(crc);
    crc = STEP(crc);
    crc = STEP(crc);
    crc = STEP(crc);
    crc = STEP(crc);
    crc = STEP(crc);
    crc = STEP(crc);
    crc = STEP(crc);
  }
  return crc;
}

PARITY(mask_walks_along, "crc lowered")
u16 mask_walks_along(u16 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    for (u8 bit = 0x80; bit; bit >>= 1) {
      u16 top = crc & 0x8000;
      crc <<= 1;
      if (p[i] & bit)
        top ^= 0x8000;
      if (top)
        crc ^= 0x1021;
    }
  return crc;
}

// --- most significant bit first ---

PARITY(top_by_mask, "crc lowered")
u32 top_by_mask(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= (u32)p[i] << 24;
    for (int k = 0; k < 8; k++)
      crc = crc & 0x80000000u ? (crc << 1) ^ 0x04c11db7u : crc << 1;
  }
  return crc;
}

PARITY(top_by_sign, "crc lowered")
u32 top_by_sign(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= (u32)p[i] << 24;
    for (int k = 0; k < 8; k++)
      crc = (int)crc < 0 ? (crc << 1) ^ 0x04c11db7u : crc << 1;
  }
  return crc;
}

PARITY(top_by_shift, "crc lowered")
u32 top_by_shift(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= (u32)p[i] << 24;
    for (int k = 0; k < 8; k++)
      crc = (crc << 1) ^ (crc >> 31 ? 0x04c11db7u : 0);
  }
  return crc;
}

PARITY(top_by_sign_mask, "crc lowered")
u32 top_by_sign_mask(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= (u32)p[i] << 24;
    for (int k = 0; k < 8; k++)
      crc = (crc << 1) ^ ((u32)((int32_t)crc >> 31) & 0x04c11db7u);
  }
  return crc;
}

PARITY(ecma64, "crc lowered")
u64 ecma64(u64 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= (u64)p[i] << 56;
    for (int k = 0; k < 8; k++)
      crc = crc & 0x8000000000000000u ? (crc << 1) ^ 0x42f0e1eba9ea3693u : crc << 1;
  }
  return crc;
}

PARITY(smbus8, "crc lowered")
u8 smbus8(u8 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 8; k++)
      crc = crc & 0x80 ? (u8)((crc << 1) ^ 0x07) : (u8)(crc << 1);
  }
  return crc;
}

PARITY(maxim8, "crc lowered")
u8 maxim8(u8 crc, const u8 *p, size_t n) {
  while (n--) {
    u8 byte = *p++;
    for (u8 k = 8; k; k--) {
      u8 mix = (crc ^ byte) & 1;
      crc >>= 1;
      if (mix)
        crc ^= 0x8c;
      byte >>= 1;
    }
  }
  return crc;
}

// --- the leading bit kept ---

PARITY(leading_bit, "crc lowered")
u32 leading_bit(const u8 *p, size_t n) {
  u32 crc = 0;
  for (size_t i = 0; i < n; i++) {
    crc ^= (u32)p[i] << 8;
    for (int k = 0; k < 8; k++) {
      crc <<= 1;
      if (crc & 0x10000)
        crc ^= 0x11021;
    }
  }
  return crc;
}

PARITY(openpgp24, "crc lowered")
u32 openpgp24(const u8 *p, size_t n) {
  long crc = 0xb704ce;
  while (n--) {
    crc ^= (*p++) << 16;
    for (int k = 0; k < 8; k++) {
      crc <<= 1;
      if (crc & 0x1000000)
        crc ^= 0x1864cfb;
    }
  }
  return crc & 0xffffff;
}

PARITY(poly_shifted, "crc lowered")
u32 poly_shifted(const u8 *p, size_t n) {
  u32 crc = 0;
  for (size_t i = 0; i < n; i++) {
    crc = crc << 8 ^ (u32)p[i] << 16;
    for (int k = 7; k >= 0; k--)
      if (crc >> (16 + k) & 1)
        crc ^= 0x11021u << k;
  }
  return crc;
}

// --- a register in a wider type ---

PARITY(wide_masked, "crc lowered")
u32 wide_masked(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= (u32)p[i] << 8;
    for (int k = 0; k < 8; k++)
      crc = (crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc;
}

PARITY(wide_cut_after, "crc lowered")
u32 wide_cut_after(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= (u32)p[i] << 8;
    EIGHT_DOWN(crc, 0x8000, 0x1021);
  }
  return crc & 0xffff;
}

PARITY(wide_returned_narrow, "crc lowered")
u16 wide_returned_narrow(const u8 *p, size_t n) {
  unsigned crc = 0xffff;
  for (size_t i = 0; i < n; i++) {
    crc ^= (unsigned)p[i] << 8;
    EIGHT_DOWN(crc, 0x8000, 0x1021);
  }
  return (u16)crc;
}

PARITY(wide_in_64, "crc lowered")
u16 wide_in_64(const u8 *p, size_t n) {
  u64 crc = 0;
  for (size_t i = 0; i < n; i++) {
    crc ^= (u64)p[i] << 8;
    EIGHT_DOWN(crc, 0x8000, 0x8005);
  }
  return (u16)crc;
}

PARITY(high_aligned, "crc lowered")
u16 high_aligned(u16 seed, const u8 *p, size_t n) {
  u32 crc = (u32)seed << 16;
  for (size_t i = 0; i < n; i++) {
    crc ^= (u32)p[i] << 24;
    EIGHT_DOWN(crc, 0x80000000, 0x10210000);
  }
  return (u16)(crc >> 16);
}

PARITY(high_sixteen_bits, "crc lowered")
u16 high_sixteen_bits(const u8 *p, size_t n) {
  u32 crc = 0;
  for (size_t i = 0; i < n; i++) {
    crc |= p[i];
    for (int k = 0; k < 8; k++) {
      crc <<= 1;
      if (crc & 0x1000000)
        crc ^= 0x1102100;
    }
  }
  return (u16)(crc >> 8);
}

// --- the highest bit is set by `or`, which needs a start value without bits above it ---

PARITY(leading_bit_set, "crc guarded")
u32 leading_bit_set(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    u8 byte = p[i];
    for (int k = 0; k < 8; k++, byte >>= 1) {
      u32 out = (crc ^ byte) & 1;
      crc >>= 1;
      if (out) {
        crc |= 1u << 23;
        crc ^= 0x5a6000;
      }
    }
  }
  return crc;
}

PARITY(leading_bit_set_cut, "crc lowered")
u32 leading_bit_set_cut(u32 crc, const u8 *p, size_t n) {
  crc &= 0xffffff;
  while (n--) {
    u32 byte = *p++;
    for (int k = 0; k < 8; k++, byte >>= 1)
      crc = (crc ^ byte) & 1 ? ((crc >> 1) | 0x800000) ^ 0x5a6000 : crc >> 1;
  }
  return crc;
}
