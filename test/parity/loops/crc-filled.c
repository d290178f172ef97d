// crc-filled.c - CRCs by tables that the program fills, as people spell them
#include "parity.h"

// test/e2e/crc-filled.test writes CRCs, and all that is nearly one, into these.
u8 entries8[256];
u16 entries16[256];
u32 entries32[256];
u64 entries64[256];
unsigned long longs[256];
u32 rows32[4][256];

// --- reflected ---

PARITY(by_counter, "crc lowered")
u32 by_counter(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    crc = entries32[(crc ^ p[i]) & 0xff] ^ (crc >> 8);
  return crc;
}

PARITY(archive, "crc lowered")
u64 archive(u64 crc, const u8 *p, size_t n) {
  unsigned long c = (unsigned long)crc ^ 0xffffffffL;
  if (n)
    do {
      c = longs[((int)c ^ *p++) & 0xff] ^ (c >> 8);
    } while (--n);
  return c ^ 0xffffffffL;
}

PARITY(inverted_around, "crc lowered")
u32 inverted_around(u32 crc, const u8 *p, size_t n) {
  crc = ~crc;
  while (n > 0) {
    crc = entries32[(u8)crc ^ *p++] ^ (crc >> 8);
    n--;
  }
  return ~crc;
}

PARITY(up_to_the_end, "crc lowered")
u32 up_to_the_end(u32 crc, const u8 *p, size_t n) {
  const u8 *end = p + n;
  while (p < end)
    crc = entries32[((u8)crc) ^ *p++] ^ (crc >> 8);
  return crc;
}

PARITY(of_64_bits, "crc lowered")
u64 of_64_bits(u64 crc, const u8 *p, size_t n) {
  for (size_t j = 0; j < n; j++) {
    u8 byte = p[j];
    crc = entries64[(u8)crc ^ byte] ^ (crc >> 8);
  }
  return crc;
}

PARITY(narrow_table, "crc lowered")
u32 narrow_table(u32 crc, const u8 *p, size_t n) {
  while (n--)
    crc = entries16[(crc ^ *p++) & 0xff] ^ (crc >> 8);
  return crc;
}

PARITY(of_16_bits, "crc lowered")
u16 of_16_bits(u16 crc, const u8 *p, size_t n) {
  while (n--)
    crc = (crc >> 8) ^ entries16[(crc ^ *p++) & 0xff];
  return crc;
}

PARITY(register_with_a_sign, "crc lowered")
u32 register_with_a_sign(u32 start, const u8 *p, size_t n) {
  int crc = (int)start;
  for (size_t i = 0; i < n; i++)
    crc = (int)entries32[(crc ^ p[i]) & 0xff] ^ ((crc >> 8) & 0xffffff);
  return (u32)crc;
}

PARITY(first_row, "crc lowered")
u32 first_row(u32 crc, const u8 *p, size_t n) {
  while (n--)
    crc = rows32[0][(crc ^ *p++) & 0xff] ^ (crc >> 8);
  return crc;
}

PARITY(last_row, "crc lowered")
u32 last_row(u32 crc, const u8 *p, size_t n) {
  while (n--)
    crc = rows32[3][(crc ^ *p++) & 0xff] ^ (crc >> 8);
  return crc;
}

// --- not reflected ---

PARITY(xmodem_filled, "crc lowered")
u16 xmodem_filled(u16 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    crc = (u16)(crc << 8) ^ entries16[((crc >> 8) ^ *p++) & 0xff];
  return crc;
}

PARITY(in_an_int, "crc lowered")
u16 in_an_int(u16 start, const u8 *p, size_t n) {
  unsigned crc = start;
  while (n--)
    crc = (crc << 8) ^ entries16[((crc >> 8) ^ *p++) & 0xff];
  return (u16)crc;
}

PARITY(from_the_top, "crc lowered")
u32 from_the_top(u32 crc, const u8 *p, size_t n) {
  const u8 *end = p + n;
  while (p != end) {
    crc = (crc << 8) ^ entries32[(crc >> 24) ^ *p];
    p++;
  }
  return crc;
}

PARITY(cut_to_24, "crc lowered")
u32 cut_to_24(u32 crc, const u8 *p, size_t n) {
  while (n--)
    crc = ((crc << 8) ^ entries32[((crc >> 16) ^ *p++) & 0xff]) & 0xffffff;
  return crc;
}

// GnuPG's, whose table has bits above the register.
PARITY(cut_at_the_end, "crc lowered")
u32 cut_at_the_end(u32 crc, const u8 *p, size_t n) {
  for (; n; p++, n--)
    crc = (crc << 8) ^ entries32[((crc >> 16) & 0xff) ^ *p];
  return crc & 0xffffff;
}

PARITY(of_64_from_the_top, "crc lowered")
u64 of_64_from_the_top(u64 crc, const u8 *p, size_t n) {
  while (n--)
    crc = entries64[(u8)(crc >> 56) ^ *p++] ^ (crc << 8);
  return crc;
}

PARITY(of_8_bits, "crc lowered")
u8 of_8_bits(u8 crc, const u8 *p, size_t n) {
  while (n--)
    crc = entries8[crc ^ *p++];
  return crc;
}

// --- tables that the caller has ---

PARITY(context, "crc lowered")
u32 context(u32 crc, const u8 *p, size_t n, const u32 *table) {
  const u8 *end = p + n;
  while (p < end)
    crc = table[((u8)crc) ^ *p++] ^ (crc >> 8);
  return crc;
}

struct state {
  int kind;
  u32 table[256];
};

PARITY(in_an_object, "crc lowered")
u32 in_an_object(u32 crc, const u8 *p, size_t n, const u32 *table) {
  const struct state *s = (const struct state *)(table - 1);
  for (size_t i = 0; i < n; i++)
    crc = (crc >> 8) ^ s->table[(crc ^ p[i]) & 0xff];
  return crc;
}

PARITY(may_be_the_bytes, "crc lowered")
u32 may_be_the_bytes(u32 crc, const u8 *p, size_t n, const u32 *table) {
  n = n < 1000 ? n : 1000;
  p = n == 255 ? (const u8 *)table : p; // the table is summed
  for (size_t i = 0; i < n; i++)
    crc = (crc << 8) ^ table[((crc >> 24) ^ p[i]) & 0xff];
  return crc;
}

// --- several bytes in an iteration ---

#define ONE(c) c = (u32)longs[((int)c ^ *p++) & 0xff] ^ (c >> 8)

// Two loops: short regions are for the source's own, and the rest has at most 7 bytes.
PARITY(eight_in_turn, "crc lowered + crc kept MLF3004")
u32 eight_in_turn(u32 crc, const u8 *p, size_t n) {
  u32 c = crc ^ 0xffffffff;
  while (n >= 8) {
    ONE(c), ONE(c), ONE(c), ONE(c), ONE(c), ONE(c), ONE(c), ONE(c);
    n -= 8;
  }
  if (n)
    do {
      ONE(c);
    } while (--n);
  return c ^ 0xffffffff;
}

PARITY(two_from_the_top, "crc lowered")
// LLVM drops the lower byte of the register between the two, which is shifted out.
u16 two_from_the_top(u16 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i + 2 <= n; i += 2) {
    crc = (u16)(crc << 8) ^ entries16[((crc >> 8) ^ p[i]) & 0xff];
    crc = (u16)(crc << 8) ^ entries16[((crc >> 8) ^ p[i + 1]) & 0xff];
  }
  return crc;
}

PARITY(two_in_an_int, "crc lowered")
u32 two_in_an_int(u32 start, const u8 *p, size_t n) {
  u16 crc = (u16)start;
  for (size_t i = 0; i + 2 <= n; i += 2) {
    crc = (u16)(crc << 8) ^ entries16[((crc >> 8) ^ p[i]) & 0xff];
    crc = (u16)(crc << 8) ^ entries16[((crc >> 8) ^ p[i + 1]) & 0xff];
  }
  return crc;
}

PARITY(four_from_the_top, "crc lowered")
u16 four_from_the_top(u16 crc, const u8 *p, size_t n) {
  for (; n >= 4; n -= 4)
    for (int k = 0; k < 4; k++)
      crc = (u16)(crc << 8) ^ entries16[((crc >> 8) ^ *p++) & 0xff];
  return crc;
}

#define LOW(c) c = entries32[(c) & 0xff] ^ ((c) >> 8)
#define HIGH(c) c = entries32[(c) >> 24] ^ ((c) << 8)

// A word is mixed in before its bytes are looked up, as by U-Boot.
PARITY(by_a_word, "crc lowered")
u32 by_a_word(u32 crc, const u8 *p, size_t n) {
  for (const u32 *w = (const u32 *)p; n >= 4; n -= 4) {
    crc ^= *w++;
    LOW(crc), LOW(crc), LOW(crc), LOW(crc);
  }
  return crc;
}

PARITY(by_half_of_it, "crc lowered")
u32 by_half_of_it(u32 crc, const u8 *p, size_t n) {
  for (const u16 *w = (const u16 *)p; n >= 2; n -= 2) {
    crc ^= *w++;
    LOW(crc), LOW(crc);
  }
  return crc;
}

PARITY(big_endian_word, "crc lowered")
u32 big_endian_word(u32 crc, const u8 *p, size_t n) {
  for (const u32 *w = (const u32 *)p; n >= 4; n -= 4) {
    crc ^= __builtin_bswap32(*w++);
    HIGH(crc), HIGH(crc), HIGH(crc), HIGH(crc);
  }
  return crc;
}

// Near misses: the bytes in another order, more of them than are looked up, fewer; one bit elsewhere.
PARITY(word_turned, "crc kept MLF2101")
u32 word_turned(u32 crc, const u8 *p, size_t n) {
  for (const u32 *w = (const u32 *)p; n >= 4; n -= 4) {
    crc ^= *w++;
    HIGH(crc), HIGH(crc), HIGH(crc), HIGH(crc);
  }
  return crc;
}

PARITY(three_of_the_word, "crc kept MLF2101")
u32 three_of_the_word(u32 crc, const u8 *p, size_t n) {
  for (const u32 *w = (const u32 *)p; n >= 4; n -= 4) {
    crc ^= *w++;
    LOW(crc), LOW(crc), LOW(crc);
  }
  return crc;
}

PARITY(three_of_two, "crc kept MLF2101")
u32 three_of_two(u32 crc, const u8 *p, size_t n) {
  for (const u16 *w = (const u16 *)p; n >= 2; n -= 2) {
    crc ^= *w++;
    LOW(crc), LOW(crc), LOW(crc);
  }
  return crc;
}

PARITY(word_shifted, "crc kept MLF2101")
u32 word_shifted(u32 crc, const u8 *p, size_t n) {
  for (const u32 *w = (const u32 *)p; n >= 4; n -= 4) {
    crc ^= *w++ << 1;
    LOW(crc), LOW(crc), LOW(crc), LOW(crc);
  }
  return crc;
}

// The first step is shifted by seven; the second takes a bit of the register before it.
PARITY(first_by_seven, "crc kept MLF2101")
u16 first_by_seven(u16 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i + 2 <= n; i += 2) {
    crc = (u16)(crc << 7) ^ entries16[((crc >> 8) ^ p[i]) & 0xff];
    crc = (u16)(crc << 8) ^ entries16[((crc >> 8) ^ p[i + 1]) & 0xff];
  }
  return crc;
}

PARITY(older_bit, "crc kept MLF2101")
u16 older_bit(u16 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i + 2 <= n; i += 2) {
    u16 old = crc & 1;
    crc = (u16)(crc << 8) ^ entries16[((crc >> 8) ^ p[i]) & 0xff];
    crc = (u16)(crc << 8) ^ entries16[((crc >> 8) ^ p[i + 1]) & 0xff] ^ old;
  }
  return crc;
}

PARITY(sixteen_in_turn, "crc lowered")
u32 sixteen_in_turn(u32 crc, const u8 *p, size_t n) {
  for (n /= 16; n--;)
    for (int i = 0; i < 16; i++)
      crc = entries32[(crc ^ *p++) & 0xff] ^ (crc >> 8);
  return crc;
}

PARITY(pairs_turned, "crc kept MLF2101")
u32 pairs_turned(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i + 2 <= n; i += 2) {
    crc = entries32[(crc ^ p[i + 1]) & 0xff] ^ (crc >> 8);
    crc = entries32[(crc ^ p[i]) & 0xff] ^ (crc >> 8);
  }
  return crc;
}

PARITY(second_by_seven, "crc kept MLF2101")
u32 second_by_seven(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i + 2 <= n; i += 2) {
    crc = entries32[(crc ^ p[i]) & 0xff] ^ (crc >> 8);
    crc = entries32[(crc ^ p[i + 1]) & 0xff] ^ (crc >> 7);
  }
  return crc;
}

// --- none, whatever the table holds ---

PARITY(shifted_by_four, "crc kept MLF2124")
u32 shifted_by_four(u32 crc, const u8 *p, size_t n) {
  while (n--)
    crc = entries32[(crc ^ *p++) & 0xff] ^ (crc >> 4);
  return crc;
}

PARITY(shifted_up, "crc kept MLF2124")
u32 shifted_up(u32 crc, const u8 *p, size_t n) {
  while (n--)
    crc = entries32[(crc ^ *p++) & 0xff] ^ (crc << 8);
  return crc;
}

PARITY(seven_bits_of_it, "crc kept MLF2124")
u32 seven_bits_of_it(u32 crc, const u8 *p, size_t n) {
  while (n--)
    crc = entries32[(crc ^ *p++) & 0x7f] ^ (crc >> 8);
  return crc;
}

PARITY(byte_alone, "crc kept MLF2124")
u32 byte_alone(u32 crc, const u8 *p, size_t n) {
  while (n--)
    crc = entries32[*p++] ^ (crc >> 8);
  return crc;
}

PARITY(upper_bits_kept, "crc kept MLF2124")
u32 upper_bits_kept(u32 crc, const u8 *p, size_t n) {
  while (n--)
    crc = ((crc << 8) & 0xffffff) ^ entries32[((crc >> 16) ^ *p++) & 0xff];
  return crc;
}

PARITY(one_mixed_in, "crc kept MLF2124")
u32 one_mixed_in(u32 crc, const u8 *p, size_t n) {
  while (n--)
    crc = entries32[(crc ^ *p++) & 0xff] ^ (crc >> 8) ^ 1;
  return crc;
}

PARITY(entry_with_a_sign, "crc kept MLF2124")
u64 entry_with_a_sign(u64 crc, const u8 *p, size_t n) {
  while (n--)
    crc = (u64)(long long)(int)entries32[(crc ^ *p++) & 0xff] ^ (crc >> 8);
  return crc;
}

PARITY(two_tables, "crc kept MLF2101")
u32 two_tables(u32 crc, const u8 *p, size_t n) {
  while (n--)
    crc = entries32[(crc ^ *p) & 0xff] ^ rows32[1][(crc ^ *p) & 0xff] ^ (crc >> 8), p++;
  return crc;
}

PARITY(of_few_bytes, "crc kept MLF3004")
u32 of_few_bytes(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < (n & 63); i++)
    crc = entries32[(crc ^ p[i]) & 0xff] ^ (crc >> 8);
  return crc;
}
