// generators.c - loops that fill the tables of CRCs, as programs spell them, and near misses
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// F(x) gives each build names of its own; generators-main.c compares the tables.
#include "generators.h"

/* ---- Tables ---------------------------------------------------------- */

void F(choice)(void *table, uint32_t poly) {
  uint32_t *t = table;
  (void)poly;
  for (int i = 0; i < 256; i++) {
    uint32_t c = (uint32_t)i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    t[i] = c;
  }
}

void F(conditional)(void *table, uint32_t poly) {
  uint64_t *t = table;
  (void)poly;
  for (unsigned n = 0; n < 256; n++) {
    uint64_t c = n;
    for (int k = 0; k < 8; k++)
      if (c & 1)
        c = 0xc96c5795d7870f42u ^ (c >> 1);
      else
        c >>= 1;
    t[n] = c;
  }
}

void F(mask)(void *table, uint32_t poly) {
  uint32_t *t = table;
  (void)poly;
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 8; k > 0; k--)
      c = (c >> 1) ^ (0x82f63b78u & -(c & 1));
    t[i] = c;
  }
}

void F(to_the_left)(void *table, uint32_t poly) {
  uint16_t *t = table;
  (void)poly;
  for (int i = 0; i < 256; i++) {
    uint16_t c = (uint16_t)(i << 8);
    for (int k = 0; k < 8; k++)
      c = (uint16_t)(c & 0x8000 ? c << 1 ^ 0x1021 : c << 1);
    t[i] = c;
  }
}

void F(to_the_left32)(void *table, uint32_t poly) {
  uint32_t *t = table;
  (void)poly;
  for (int i = 0; i < 256; i++) {
    uint32_t c = (uint32_t)i << 24;
    for (int k = 0; k < 8; k++)
      c = (c << 1) ^ ((c >> 31) ? 0x04c11db7u : 0);
    t[i] = c;
  }
}

void F(bytes)(void *table, uint32_t poly) {
  uint8_t *t = table;
  (void)poly;
  for (int i = 0; i < 256; i++) {
    uint8_t c = (uint8_t)i;
    for (int k = 0; k < 8; k++)
      c = (uint8_t)(c & 0x80 ? (c << 1) ^ 0x31 : c << 1);
    t[i] = c;
  }
}

void F(nibbles)(void *table, uint32_t poly) {
  uint32_t *t = table;
  (void)poly;
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    c = (c >> 1) ^ (c & 1 ? 0xedb88320u : 0);
    c = (c >> 1) ^ (c & 1 ? 0xedb88320u : 0);
    c = (c >> 1) ^ (c & 1 ? 0xedb88320u : 0);
    c = (c >> 1) ^ (c & 1 ? 0xedb88320u : 0);
    c = (c >> 1) ^ (c & 1 ? 0xedb88320u : 0);
    c = (c >> 1) ^ (c & 1 ? 0xedb88320u : 0);
    c = (c >> 1) ^ (c & 1 ? 0xedb88320u : 0);
    c = (c >> 1) ^ (c & 1 ? 0xedb88320u : 0);
    t[i] = c;
  }
}

void F(walked)(void *table, uint32_t poly) {
  uint32_t *t = table, i = 0;
  (void)poly;
  do {
    uint32_t c = i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    *t++ = c;
  } while (++i != 256);
}

void F(downwards)(void *table, uint32_t poly) {
  uint32_t *t = table;
  (void)poly;
  for (int i = 255; i >= 0; i--) {
    uint32_t c = (uint32_t)i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    t[i] = c;
  }
}

void F(longs)(void *table, uint32_t poly) {
  uint64_t *t = table;
  (void)poly;
  for (int i = 0; i < 256; i++) {
    uint64_t c = (uint64_t)i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    t[i] = c;
  }
}

void F(polynomial)(void *table, uint32_t poly) {
  uint32_t *t = table;
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? (c >> 1) ^ poly : c >> 1;
    t[i] = c;
  }
}

void F(polynomial16)(void *table, uint32_t poly) {
  uint16_t *t = table, p = (uint16_t)poly;
  for (int i = 0; i < 256; i++) {
    uint16_t c = (uint16_t)(i << 8);
    for (int k = 0; k < 8; k++)
      c = (uint16_t)((c << 1) ^ (c >> 15 ? p : 0));
    t[i] = c;
  }
}

void F(inverted)(void *table, uint32_t poly) {
  uint32_t *t = table;
  (void)poly;
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    t[i] = c ^ 0xff000000u;
  }
}

void F(long_table)(void *table, uint32_t poly) {
  uint32_t *t = table;
  (void)poly;
  for (uint32_t i = 0; i < 1024; i++) {
    uint32_t c = i;
    for (int k = 0; k < 10; k++)
      c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    t[i] = c;
  }
}

void F(reversed_index)(void *table, uint32_t poly) {
  uint32_t *t = table;
  (void)poly;
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = 0, b = i;
    for (int k = 0; k < 8; k++, b >>= 1)
      c = (c << 1) ^ (((c >> 31) ^ (b & 1)) ? 0x04c11db7u : 0);
    t[i] = c;
  }
}

/* Busybox fills a table for either byte order. */
void F(either_way)(void *table, uint32_t poly) {
  uint32_t *t = table;
  int big = poly & 1;
  uint32_t p = big ? 0x04c11db7 : 0xedb88320;
  for (unsigned i = 0; i < 256; i++) {
    uint32_t c = big ? i << 24 : i;
    for (int k = 8; k; k--)
      if (big)
        c = c & 0x80000000 ? c << 1 ^ p : c << 1;
      else
        c = c & 1 ? c >> 1 ^ p : c >> 1;
    t[i] = c;
  }
}

/* Both arms hold a store. */
void F(two_stores)(void *table, uint32_t poly) {
  uint32_t *t = table;
  for (unsigned i = 0; i < 256; i++) {
    if (poly & 1) {
      uint32_t c = i;
      for (int k = 8; k; k--)
        c = c & 1 ? c >> 1 ^ poly : c >> 1;
      t[i] = c;
    } else {
      uint32_t c = i << 24;
      for (int k = 8; k; k--)
        c = c & 0x80000000 ? c << 1 ^ poly : c << 1;
      t[i] = c;
    }
  }
}

/* FFmpeg's, which has the bytes of a CRC to the left swapped. */
void F(swapped_or_not)(void *table, uint32_t poly) {
  uint32_t *t = table, c;
  unsigned i, j;
  int reflected = poly & 4, bits = 8 + (int)(poly >> 8 & 7);
  for (i = 0; i < 256; i++) {
    if (reflected) {
      for (c = i, j = 0; j < 8; j++)
        c = (c >> 1) ^ (poly & (-(c & 1)));
      t[i] = c;
    } else {
      for (c = i << 24, j = 0; j < 8; j++)
        c = (c << 1) ^ ((poly << (32 - bits)) & (uint32_t)(((int32_t)c) >> 31));
      t[i] = __builtin_bswap32(c);
    }
  }
}

/* A flag selects one of two polynomials in each step. GCC threads jumps by it at -O3. */
void F(two_polynomials)(void *table, uint32_t poly) {
  uint32_t *t = table;
  int castagnoli = poly & 1;
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ (castagnoli ? 0x82f63b78u : 0xedb88320u) : c >> 1;
    t[i] = c;
  }
}

static inline uint32_t reflected(uint32_t x, int bits) {
  uint32_t r = 0;
  for (int i = 1; i <= bits; i++, x >>= 1)
    if (x & 1)
      r |= 1u << (bits - i);
  return r;
}

/* Reflected by helpers, as if bits left at the upper end. */
void F(reflected_around)(void *table, uint32_t poly) {
  uint32_t *t = table;
  (void)poly;
  for (int i = 0; i < 256; i++) {
    uint32_t c = reflected((uint32_t)i, 8) << 24;
    for (int k = 0; k < 8; k++)
      c = (c << 1) ^ (c & (1u << 31) ? 0x04c11db7u : 0);
    t[i] = reflected(c, 32);
  }
}

/* ---- Near misses ----------------------------------------------------- */

void F(last_wrong)(void *table, uint32_t poly) {
  uint32_t *t = table;
  (void)poly;
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    t[i] = i == 255 ? c ^ 1 : c;
  }
}

void F(first_wrong)(void *table, uint32_t poly) {
  uint32_t *t = table;
  (void)poly;
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    t[i] = i ? c : 1;
  }
}

void F(one_more)(void *table, uint32_t poly) {
  uint32_t *t = table;
  (void)poly;
  for (uint32_t i = 0; i < 257; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    t[i] = c;
  }
}

void F(added)(void *table, uint32_t poly) {
  uint32_t *t = table;
  (void)poly;
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? (c >> 1) + 0xedb88320u : c >> 1;
    t[i] = c;
  }
}

void F(moving_polynomial)(void *table, uint32_t poly) {
  uint32_t *t = table;
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? (c >> 1) ^ (poly + i) : c >> 1;
    t[i] = c;
  }
}

void F(gaps)(void *table, uint32_t poly) {
  uint32_t *t = table;
  (void)poly;
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    t[2 * i] = c;
  }
}

void F(some_steps)(void *table, uint32_t poly) {
  uint32_t *t = table;
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (uint32_t k = 0; k < (poly & 15); k++)
      c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    t[i] = c;
  }
}

/* The direction changes with the entry. */
void F(turning)(void *table, uint32_t poly) {
  uint32_t *t = table;
  for (uint32_t i = 0; i < 256; i++) {
    int big = i & 4;
    uint32_t c = big ? i << 24 : i;
    for (int k = 8; k; k--)
      if (big)
        c = c & 0x80000000 ? c << 1 ^ poly : c << 1;
      else
        c = c & 1 ? c >> 1 ^ poly : c >> 1;
    t[i] = c;
  }
}

void F(turning_stores)(void *table, uint32_t poly) {
  uint32_t *t = table;
  for (uint32_t i = 0; i < 256; i++) {
    if (i & 4) {
      uint32_t c = i;
      for (int k = 8; k; k--)
        c = c & 1 ? c >> 1 ^ poly : c >> 1;
      t[i] = c;
    } else {
      uint32_t c = i << 24;
      for (int k = 8; k; k--)
        c = c & 0x80000000 ? c << 1 ^ poly : c << 1;
      t[i] = c;
    }
  }
}

void F(two_places)(void *table, uint32_t poly) {
  uint32_t *t = table;
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    if (i & 1) {
      for (int k = 8; k; k--)
        c = c & 1 ? c >> 1 ^ poly : c >> 1;
      t[i] = c;
    } else {
      for (int k = 8; k; k--)
        c = c & 0x80000000 ? c << 1 ^ poly : c << 1;
      t[255 - i] = c;
    }
  }
}

/* One arm reads what the other may have written. */
void F(read_between)(void *table, uint32_t poly) {
  uint32_t *t = table;
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    if (poly & 1) {
      for (int k = 8; k; k--)
        c = c & 1 ? c >> 1 ^ poly : c >> 1;
      t[i] = c;
    } else {
      for (int k = 8; k; k--)
        c = c & 0x80000000 ? c << 1 ^ poly : c << 1;
      t[i] = c ^ t[i];
    }
  }
}

/* Some iterations store nothing. */
void F(some_stores)(void *table, uint32_t poly) {
  uint32_t *t = table;
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    if (poly & 1) {
      for (int k = 8; k; k--)
        c = c & 1 ? c >> 1 ^ poly : c >> 1;
      t[i] = c;
    } else {
      for (int k = 8; k; k--)
        c = c & 0x80000000 ? c << 1 ^ poly : c << 1;
      if (c & 0x80)
        t[i] = c;
    }
  }
}

/* The flag changes with the entry. */
void F(turning_polynomials)(void *table, uint32_t poly) {
  uint32_t *t = table;
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ ((i & poly) ? 0x82f63b78u : 0xedb88320u) : c >> 1;
    t[i] = c;
  }
}

/* The bits of two entries change places. */
void F(reflected_wrong)(void *table, uint32_t poly) {
  uint32_t *t = table;
  (void)poly;
  for (int i = 0; i < 256; i++) {
    uint32_t c = reflected((uint32_t)(i == 254 ? 255 : i == 255 ? 254 : i), 8) << 24;
    for (int k = 0; k < 8; k++)
      c = (c << 1) ^ (c & (1u << 31) ? 0x04c11db7u : 0);
    t[i] = reflected(c, 32);
  }
}
