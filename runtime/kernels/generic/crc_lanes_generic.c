/* crc_lanes_generic.c - CRCs in lanes, by look-ups
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A lane's word goes into its register as every word does, and then the words of the other lanes
 * count as 0. What so many zeros make of a register is linear: each bit of it contributes what it
 * would become alone, the bit after it that times x, and so on.
 *
 * zlib has a table for each byte of a word, 8 KiB. The first polynomials and numbers of lanes of a
 * process, of which there is most often one, have such tables, too. They are more than a routine
 * may have on the stack, so they are made once and kept. For others the first four bytes of a word
 * go through the tables of the polynomial. That makes 32 bits with the other four, of which eight
 * tables of 16 entries, 512 bytes, look up what they become at the next word. Twelve look-ups for
 * eight.
 *
 * Few rounds are not worth the tables, and registers of more than 32 bits would need 16 of twice
 * the size: they take eight look-ups for each word of another lane, too.
 */
#include "../../include/memlift/memlift.h"
#include "crc_load.h"

#define MOST 16u /* lanes */

/* Words of 0 that the tables spare, from which on they are worth it. */
#define SPARED_FROM 40

static const unsigned char zeros[8 * (MOST - 1)];

/* by[j][v]: the register at the next word of the lane, from 32 bits of which those of nibble j are
 * v and the others 0. The 32 bits stand at the end where bits leave, the upper one for `up`. */
struct over {
  uint32_t by[8][16];
};

MEMLIFT_INLINE uint32_t times_x(uint32_t c, const struct memlift_crc_poly *t, int up) {
  const uint32_t poly = (uint32_t)t->poly;
  return up ? ((c << 1) & ~0u >> (32 - t->width)) ^ (poly & (0 - (c >> (t->width - 1))))
            : c >> 1 ^ (poly & (0 - (c & 1)));
}

/* Returns what the bit that leaves last of `bytes` becomes at the next word, if they are the last
 * ones of a word. */
MEMLIFT_INLINE uint32_t last_bit(unsigned bytes, unsigned lanes, const struct memlift_crc_poly *t,
                                 int up) {
  const unsigned char word[8] = {[7] = up ? 1 : 0x80};
  const uint64_t first = memlift_crc_generic(0, word + 8 - bytes, bytes, t);
  return (uint32_t)memlift_crc_generic(first, zeros, 8 * (lanes - 1), t);
}

/* by[j][v]: the register at the next word of the lane, from a word of which byte j is v and the
 * others 0. Written by who makes `state` MAKING, and read-only once it is MADE. */
enum { NONE, MAKING, MADE };
static struct kept {
  int state;
  unsigned lanes;
  uint32_t width;
  uint64_t poly;
  uint32_t by[8][256];
} kept[4]; /* pages of zeros until they are used */

/* Rounds from which on the tables are made. */
#define KEPT_FROM 8

MEMLIFT_INLINE void make(struct kept *k, unsigned lanes, const struct memlift_crc_poly *t) {
  k->lanes = lanes;
  k->width = t->width;
  k->poly = t->poly;
  uint32_t c = last_bit(8, lanes, t, 0);
  for (unsigned j = 8; j--;)
    for (unsigned i = 8; i--; c = times_x(c, t, 0))
      k->by[j][1u << i] = c;
  for (unsigned j = 0; j < 8; j++)
    for (unsigned v = 3; v < 256; v++)
      k->by[j][v] = k->by[j][v & (v - 1)] ^ k->by[j][v & (0 - v)];
}

/* Returns the tables for a reflected polynomial, or NULL where there is no room for them, or where
 * some are just being made. These would be so for good in a child of a process that was forked
 * meanwhile. Whoever acquires MADE sees the tables that were written before its release. */
MEMLIFT_INLINE const struct kept *keep(unsigned lanes, const struct memlift_crc_poly *t) {
  for (struct kept *k = kept; k != kept + sizeof kept / sizeof *kept; k++) {
    int state = __atomic_load_n(&k->state, __ATOMIC_ACQUIRE);
    if (state == NONE && __atomic_compare_exchange_n(&k->state, &state, MAKING, 0, __ATOMIC_ACQUIRE,
                                                     __ATOMIC_ACQUIRE)) {
      make(k, lanes, t);
      /* Pairs with the load above, in other threads. */
      __atomic_store_n(&k->state, MADE, __ATOMIC_RELEASE);
      return k;
    }
    if (state == MADE && k->lanes == lanes && k->width == t->width && k->poly == t->poly)
      return k;
    if (state == MAKING)
      return 0;
  }
  return 0;
}

MEMLIFT_INLINE void by_kept(uint64_t *registers, const unsigned char *p, size_t rounds,
                            unsigned lanes, const struct kept *tables) {
  uint32_t c[MOST];
  for (unsigned lane = 0; lane < lanes; lane++)
    c[lane] = (uint32_t)registers[lane];
  for (; rounds; rounds--)
#pragma GCC unroll 5
    for (unsigned lane = 0; lane < lanes; lane++, p += 8) {
      const uint64_t x = c[lane] ^ load_le64(p);
      c[lane] = tables->by[0][x & 0xff];
      for (unsigned j = 1; j < 8; j++)
        c[lane] ^= tables->by[j][x >> 8 * j & 0xff];
    }
  for (unsigned lane = 0; lane < lanes; lane++)
    registers[lane] = c[lane];
}

MEMLIFT_INLINE void derive(struct over *over, unsigned lanes, const struct memlift_crc_poly *t,
                           int up) {
  uint32_t c = last_bit(4, lanes, t, up);
  for (unsigned n = 0; n < 8; n++) {
    uint32_t *by = over->by[up ? n : 7 - n], alone[4];
    for (unsigned i = 0; i < 4; i++, c = times_x(c, t, up))
      alone[up ? i : 3 - i] = c;
    by[0] = 0;
    for (unsigned i = 0; i < 4; i++)
      for (unsigned k = 0; k < 1u << i; k++)
        by[(1u << i) + k] = by[k] ^ alone[i];
  }
}

/* The 32 bits of a word and its register after its first four bytes. */
MEMLIFT_INLINE uint32_t after_half(uint64_t c, const unsigned char *p,
                                   const struct memlift_crc_poly *t, int up) {
  const uint64_t x = up ? c << (64 - t->width) ^ load_be64(p) : c ^ load_le64(p);
  const uint32_t a = (uint32_t)(up ? x >> 32 : x), b = (uint32_t)(up ? x : x >> 32);
  const uint64_t *first = t->table[up ? 0 : 3], *second = t->table[up ? 1 : 2];
  const uint64_t *third = t->table[up ? 2 : 1], *fourth = t->table[up ? 3 : 0];
  const uint32_t r =
      (uint32_t)(first[a & 0xff] ^ second[a >> 8 & 0xff] ^ third[a >> 16 & 0xff] ^ fourth[a >> 24]);
  return b ^ (up ? r << (32 - t->width) : r);
}

MEMLIFT_INLINE uint32_t next(uint32_t x, const struct over *over) {
  uint32_t r = 0;
  for (unsigned j = 0; j < 8; j++)
    r ^= over->by[j][x >> 4 * j & 15];
  return r;
}

MEMLIFT_INLINE void by_tables(uint64_t *registers, const unsigned char *p, size_t rounds,
                              unsigned lanes, const struct memlift_crc_poly *t, int up) {
  struct over over;
  derive(&over, lanes, t, up);
  for (; rounds; rounds--)
    for (unsigned lane = 0; lane < lanes; lane++, p += 8)
      registers[lane] = next(after_half(registers[lane], p, t, up), &over);
}

MEMLIFT_INLINE void by_zeros(uint64_t *registers, const unsigned char *p, size_t rounds,
                             unsigned lanes, const struct memlift_crc_poly *t) {
  for (; rounds; rounds--)
    for (unsigned lane = 0; lane < lanes; lane++, p += 8) {
      const uint64_t c = memlift_crc_generic(registers[lane], p, 8, t);
      registers[lane] = memlift_crc_generic(c, zeros, 8 * (lanes - 1), t);
    }
}

MEMLIFT_KERNEL void memlift_crc_lanes_generic(uint64_t *registers, const unsigned char *p,
                                              size_t rounds, unsigned lanes,
                                              const struct memlift_crc_poly *t) {
  const struct kept *tables = 0;
  if (t->reflected && t->width <= 32 && rounds >= KEPT_FROM)
    tables = keep(lanes, t);
  if (tables && lanes == 5) /* as zlib has them: in registers of the machine */
    by_kept(registers, p, rounds, 5, tables);
  else if (tables)
    by_kept(registers, p, rounds, lanes, tables);
  else if (t->width > 32 || rounds * lanes * (lanes - 1) < SPARED_FROM)
    by_zeros(registers, p, rounds, lanes, t);
  else if (t->reflected)
    by_tables(registers, p, rounds, lanes, t, 0);
  else
    by_tables(registers, p, rounds, lanes, t, 1);
}
