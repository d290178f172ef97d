/* crc_any_generic.c - a CRC whose polynomial is not known before: bit by bit, or tables of nibbles
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tables of 256 entries would cost more than most messages do, and more stack than a routine may
 * use. But a table is linear: entry i is the exclusive-or of the entries of the bits of i. So four
 * tables of 16 entries, 512 bytes, take two bytes an iteration. And their bits need no shift
 * register each: a bit that is followed by k others contributes the polynomial after k more
 * steps.
 *
 * The register stands at the end where its bits leave: reflected at bit 0, otherwise at bit 63
 * (then moved up, and the polynomial with it), so that the width plays no part.
 */
#include "../../include/memlift/memlift.h"
#include "../kernels.h"

/* table[j][v]: the register after 16 bits, of which those of nibble j are v and the others 0. */
struct nibbles {
  uint64_t table[4][16];
};

MEMLIFT_INLINE uint64_t step(uint64_t c, uint64_t poly, int up) {
  return up ? c << 1 ^ (poly & (0 - (c >> 63))) : c >> 1 ^ (poly & (0 - (c & 1)));
}

/* Fills two tables from the contributions of eight bits, beginning with the bit that leaves last.
 * Returns the polynomial eight steps later, for the next two tables. */
MEMLIFT_INLINE uint64_t derive(uint64_t (*table)[16], uint64_t poly, uint64_t c, int up) {
  uint64_t left[8];
  for (int i = 0; i < 8; i++) {
    left[up ? i : 7 - i] = c;
    c = step(c, poly, up);
  }
  for (int j = 0; j < 2; j++) {
    table[j][0] = 0;
    for (int i = 0; i < 4; i++)
      for (int k = 0; k < 1 << i; k++)
        table[j][(1 << i) + k] = table[j][k] ^ left[4 * j + i];
  }
  return c;
}

MEMLIFT_INLINE uint64_t after_byte(uint64_t c, unsigned byte, const uint64_t (*table)[16], int up) {
  unsigned x = up ? (unsigned)(c >> 56) ^ byte : ((unsigned)c ^ byte) & 0xff;
  return (up ? c << 8 : c >> 8) ^ table[0][x & 15] ^ table[1][x >> 4];
}

MEMLIFT_INLINE uint64_t after_pair(uint64_t c, const unsigned char *p, const uint64_t (*table)[16],
                                   int up) {
  unsigned x = up ? (unsigned)(c >> 48) ^ ((unsigned)p[0] << 8 | p[1])
                  : ((unsigned)c & 0xffff) ^ ((unsigned)p[1] << 8 | p[0]);
  uint64_t low = table[0][x & 15] ^ table[1][x >> 4 & 15];
  uint64_t high = table[2][x >> 8 & 15] ^ table[3][x >> 12];
  return (up ? c << 16 : c >> 16) ^ (low ^ high);
}

/* From here on the tables are cheaper than the bits; and the other two of them than one byte
 * an iteration. */
#define TABLES_FROM 8
#define PAIRS_FROM 96

MEMLIFT_INLINE uint64_t crc_any(uint64_t c, const unsigned char *p, size_t n, uint64_t poly,
                                int up) {
  if (n < TABLES_FROM) {
    for (; n; p++, n--) {
      c ^= up ? (uint64_t)*p << 56 : *p;
      for (int i = 0; i < 8; i++)
        c = step(c, poly, up);
    }
    return c;
  }
  struct nibbles t;
  /* The byte that leaves last is the lower one in a number, or the upper one when reflected. */
  uint64_t(*last)[16] = up ? t.table : t.table + 2;
  uint64_t on = derive(last, poly, poly, up);
  if (n >= PAIRS_FROM) {
    derive(up ? t.table + 2 : t.table, poly, on, up);
    for (; n >= 2; p += 2, n -= 2)
      c = after_pair(c, p, (const uint64_t(*)[16])t.table, up);
  }
  for (; n; p++, n--)
    c = after_byte(c, *p, (const uint64_t(*)[16])last, up);
  return c;
}

MEMLIFT_KERNEL uint64_t memlift_crc_any_generic(uint64_t state, const void *from, size_t n,
                                                uint64_t poly, unsigned width, int reflected) {
  const unsigned char *p = (const unsigned char *)from;
  const unsigned above = 64 - width;
  return reflected ? crc_any(state, p, n, poly, 0)
                   : crc_any(state << above, p, n, poly << above, 1) >> above;
}
