/* crc_generic.c - any CRC of 8 to 64 bits, either direction: slicing by eight
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The naive loop shifts bit by bit; the usual one looks a byte up. The register is linear in
 * register and input over GF(2), and eight bytes push all of a register of up to 64 bits through:
 * what is left after them is the XOR, over the eight, of what each would leave alone. Byte j of
 * eight is followed by 7 - j others, so its part is table[7 - j][byte of register ^ input].
 *
 *     reflected:  lowest bits leave first, input joins at the low end   -> little-endian load
 *     otherwise:  highest bits leave first, input joins at the high end -> big-endian load, and
 *                 the register moved up to the top of 64 bits
 */
#include "../../include/memlift/memlift.h"
#include "crc_load.h"

/* Bits that the register has. */
MEMLIFT_INLINE uint64_t crc_mask(unsigned width) { return ~0ull >> (64 - width); }

MEMLIFT_INLINE uint64_t step_up(uint64_t c, unsigned byte, const struct memlift_crc_poly *t) {
  return t->table[0][((c >> (t->width - 8)) ^ byte) & 0xff] ^ (c << 8 & crc_mask(t->width));
}

MEMLIFT_INLINE uint64_t step_down(uint64_t c, unsigned byte, const struct memlift_crc_poly *t) {
  return t->table[0][(c ^ byte) & 0xff] ^ c >> 8;
}

static uint64_t crc_reflected(uint64_t c, const unsigned char *p, size_t n,
                              const struct memlift_crc_poly *t) {
  for (; n >= 8; p += 8, n -= 8) {
    uint64_t x = c ^ load_le64(p);
    c = t->table[7][x & 0xff] ^ t->table[6][x >> 8 & 0xff] ^ t->table[5][x >> 16 & 0xff] ^
        t->table[4][x >> 24 & 0xff] ^ t->table[3][x >> 32 & 0xff] ^ t->table[2][x >> 40 & 0xff] ^
        t->table[1][x >> 48 & 0xff] ^ t->table[0][x >> 56];
  }
  for (; n; p++, n--)
    c = step_down(c, *p, t);
  return c;
}

static uint64_t crc_straight(uint64_t c, const unsigned char *p, size_t n,
                             const struct memlift_crc_poly *t) {
  const unsigned up = 64 - t->width;
  for (; n >= 8; p += 8, n -= 8) {
    uint64_t x = c << up ^ load_be64(p);
    c = t->table[0][x & 0xff] ^ t->table[1][x >> 8 & 0xff] ^ t->table[2][x >> 16 & 0xff] ^
        t->table[3][x >> 24 & 0xff] ^ t->table[4][x >> 32 & 0xff] ^ t->table[5][x >> 40 & 0xff] ^
        t->table[6][x >> 48 & 0xff] ^ t->table[7][x >> 56];
  }
  for (; n; p++, n--)
    c = step_up(c, *p, t);
  return c;
}

MEMLIFT_KERNEL uint64_t memlift_crc_generic(uint64_t state, const void *p, size_t n,
                                            const struct memlift_crc_poly *poly) {
  const unsigned char *b = (const unsigned char *)p;
  return poly->reflected ? crc_reflected(state, b, n, poly) : crc_straight(state, b, n, poly);
}

/* The register after byte b, bit by bit: the definition that all else follows from. */
static uint64_t byte_alone(unsigned b, const struct memlift_crc_poly *t) {
  uint64_t c = t->reflected ? b : (uint64_t)b << (t->width - 8);
  for (int i = 0; i < 8; i++) {
    if (t->reflected)
      c = c >> 1 ^ (c & 1 ? t->poly : 0);
    else
      c = c << 1 ^ (c >> (t->width - 1) & 1 ? t->poly : 0);
  }
  return c & crc_mask(t->width);
}

MEMLIFT_INLINE uint64_t reversed(uint64_t x) {
  uint64_t y = 0;
  for (int i = 0; i < 64; i++, x >>= 1)
    y = y << 1 | (x & 1);
  return y;
}

/* The constants for folding, of a generator x^64 + g; see memlift.h for their order. */
MEMLIFT_KERNEL static void derive_fold(struct memlift_crc_poly *crc) {
  static const unsigned short distance[7] = {2048, 1536, 1024, 512, 384, 256, 128};
  uint64_t g = crc->reflected ? reversed(crc->poly) : crc->poly << (64 - crc->width);
  uint64_t rest = g, quotient = 0, power = 1;
  for (int i = 0; i < 64; i++) {
    uint64_t top = rest >> 63;
    quotient = quotient << 1 | top;
    rest = rest << 1 ^ (top ? g : 0);
  }
  unsigned shift = crc->reflected ? 1 : 0;
  for (unsigned k = 0; k <= 2048 + 64; k++) {
    for (int row = 0; row < 7; row++) {
      if (k + shift == distance[row])
        crc->fold[row][shift] = power;
      if (k + shift == distance[row] + 64u)
        crc->fold[row][1 - shift] = power;
    }
    power = power << 1 ^ (power >> 63 ? g : 0);
  }
  crc->fold[7][0] = quotient;
  crc->fold[7][1] = g;
  for (int i = 0; crc->reflected && i < 16; i++) {
    uint64_t word = reversed(crc->fold[i / 2][i % 2]);
    crc->fold[i / 2][i % 2] = i < 14 ? word : word << 1 | 1;
  }
}

MEMLIFT_KERNEL void memlift_crc_init(struct memlift_crc_poly *crc) {
  if (crc->width < 8)
    crc->width = 8;
  if (crc->width > 64)
    crc->width = 64;
  crc->poly &= crc_mask(crc->width);
  derive_fold(crc);
  for (unsigned b = 0; b < 256; b++)
    crc->table[0][b] = byte_alone(b, crc);
  for (unsigned k = 1; k < 8; k++)
    for (unsigned b = 0; b < 256; b++) {
      uint64_t c = crc->table[k - 1][b];
      crc->table[k][b] = crc->reflected ? step_down(c, 0, crc) : step_up(c, 0, crc);
    }
}
