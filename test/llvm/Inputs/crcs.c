// crcs.c - CRCs by table and bit by bit, and what only looks like one
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built twice with another F(x); each function gets `n` bytes.
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
#include "tables.h"

#define CRC(NAME, REGISTER, STEP)                                                  \
  static __attribute__((noinline)) u64 NAME(const void *from, size_t n, u64 init) { \
    const u8 *p = from;                                                            \
    REGISTER c = (REGISTER)init;                                                   \
    for (size_t i = 0; i < n; i++) {                                               \
      STEP                                                                         \
    }                                                                              \
    return c;                                                                      \
  }
CRC(crc32, u32, c = t_crc32[(c ^ p[i]) & 0xff] ^ c >> 8;)
CRC(crc32c, u32, c = c >> 8 ^ t_crc32c[(u8)(c ^ p[i])];)
CRC(bzip2, u32, c = c << 8 ^ t_bzip2[(u8)(c >> 24 ^ p[i])];)
CRC(xmodem, u16, c = (u16)(c << 8 ^ t_xmodem[(c >> 8 ^ p[i]) & 0xff]);)
CRC(arc, u16, c = (u16)(c >> 8 ^ t_arc[(c ^ p[i]) & 0xff]);)
CRC(openpgp, u32, c = (c << 8 ^ t_openpgp[(c >> 16 ^ p[i]) & 0xff]) & 0xffffff;)
CRC(openpgp_loose, u32, c = c << 8 ^ t_openpgp[(c >> 16 ^ p[i]) & 0xff];)
CRC(xz, u64, c = c >> 8 ^ t_xz[(u8)c ^ p[i]];)
CRC(ecma, u64, c = c << 8 ^ t_ecma[(c >> 56 ^ p[i]) & 0xff];)
CRC(smbus, u8, c = t_smbus[c ^ p[i]];)
CRC(maxim, u8, c = t_maxim[c ^ p[i]];)
CRC(wide_register, u64, c = t_crc32[(c ^ p[i]) & 0xff] ^ c >> 8;)
CRC(wide_arc, u32, c = t_arc[(c ^ p[i]) & 0xff] ^ c >> 8;)
CRC(bits32, u32, c ^= p[i]; for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;)
CRC(bits32_mask, u32, c ^= p[i];
    for (int k = 0; k < 8; k++) c = c >> 1 ^ (0xedb88320u & -(c & 1));)
CRC(bits16, u16, c ^= (u16)(p[i] << 8);
    for (int k = 0; k < 8; k++) c = (u16)(c & 0x8000 ? c << 1 ^ 0x1021 : c << 1);)
CRC(bits8, u8, c ^= p[i]; for (int k = 0; k < 8; k++) c = (u8)(c & 0x80 ? c << 1 ^ 7 : c << 1);)
CRC(bits5, u8, c ^= p[i]; for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0x14 : c >> 1;)
CRC(nibbles, u32, c = t_nibble[(c ^ p[i]) & 15] ^ c >> 4;
    c = t_nibble[(c ^ p[i] >> 4) & 15] ^ c >> 4;)
CRC(seven_bits, u32, c ^= p[i];
    for (int k = 0; k < 7; k++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;)
CRC(broken, u32, c = t_broken[(c ^ p[i]) & 0xff] ^ c >> 8;)
CRC(constant, u32, c = t_constant[(c ^ p[i]) & 0xff] ^ c >> 8;)
CRC(added, u32, c = t_crc32[(c ^ p[i]) & 0xff] + (c >> 8);)
CRC(plus_index, u32, c = t_crc32[(c + p[i]) & 0xff] ^ c >> 8;)
CRC(seven_mask, u32, c = t_crc32[(c ^ p[i]) & 0x7f] ^ c >> 8;)
CRC(shifted_wrong, u32, c = t_crc32[(c ^ p[i]) & 0xff] ^ c >> 7;)
CRC(arithmetic, int32_t, c = (int32_t)t_crc32[(c ^ p[i]) & 0xff] ^ c >> 8;)
CRC(not_mixed, u32, c = t_crc32[p[i]] ^ c >> 8;)
CRC(signed_byte, u32, c = t_crc32[(c ^ (u32)(int8_t)p[i]) & 0xff] ^ c >> 8;)
CRC(signed_spread, u32, c = (c ^ (u32)(int8_t)p[i]); c = t_crc32[c & 0xff] ^ c >> 8;)
CRC(translated, u64, c += t_smbus[p[i]];)
CRC(summed_up, u32, c = t_crc32[(c ^ p[i]) & 0xff] ^ c >> 8; c += 1;)

static __attribute__((noinline)) u64 downwards(const void *from, size_t n, u64 init) {
  const u8 *p = from;
  u32 c = (u32)init;
  while (n--)
    c = t_crc32[(c ^ p[n]) & 0xff] ^ c >> 8;
  return c;
}

static __attribute__((noinline)) u64 inverted(const void *from, size_t n, u64 init) {
  const u8 *p = from;
  u32 c = ~(u32)init;
  while (n--)
    c = t_crc32[(c ^ *p++) & 0xff] ^ c >> 8;
  return ~c;
}

static __attribute__((noinline)) u64 slices(const void *from, size_t n, u64 init) {
  const u8 *p = from;
  u32 c = (u32)init;
  for (; n >= 4; n -= 4, p += 4) {
    c ^= p[0] | p[1] << 8 | p[2] << 16 | (u32)p[3] << 24;
    c = t_slices[3][c & 255] ^ t_slices[2][c >> 8 & 255] ^ t_slices[1][c >> 16 & 255] ^
        t_slices[0][c >> 24];
  }
  while (n--)
    c = t_slices[0][(c ^ *p++) & 255] ^ c >> 8;
  return c;
}

static u32 made[256];
static __attribute__((noinline)) u64 made_here(const void *from, size_t n, u64 init) {
  const u8 *p = from;
  u32 c = (u32)init;
  for (u32 b = 0; b < 256; b++)
    made[b] = t_crc32[b] ^ (u32)(init & 2);
  while (n--)
    c = made[(c ^ *p++) & 0xff] ^ c >> 8;
  return c;
}

#define E(NAME) {NAME, 1, #NAME}
const struct {
  u64 (*run)(const void *, size_t, u64);
  size_t size;
  const char *name;
} F(reductions)[] = {
    E(crc32), E(crc32c), E(bzip2), E(xmodem), E(arc), E(openpgp), E(openpgp_loose), E(xz),
    E(ecma), E(smbus), E(maxim), E(wide_register), E(wide_arc), E(bits32), E(bits32_mask),
    E(bits16), E(bits8), E(bits5), E(nibbles), E(seven_bits), E(broken), E(constant), E(added),
    E(plus_index), E(seven_mask), E(shifted_wrong), E(arithmetic), E(not_mixed),
    E(signed_byte), E(signed_spread), E(translated), E(summed_up), E(downwards), E(inverted),
    E(slices), E(made_here), {0, 0, 0}};
