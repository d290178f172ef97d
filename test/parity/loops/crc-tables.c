// crc-tables.c - cyclic redundancy checks by table, as people spell them
#include "parity.h"
#include "crc-tables.h"
#include <string.h>

static const u32 crc32_table[256] = {TABLE(CRC32_0)};
const u32 crc32c_table[256] = {TABLE(CASTAGNOLI)};
static const u32 bzip_table[256] = {TABLE(BZIP_0)};
static const u16 xmodem_table[256] = {TABLE(XMODEM)};
static const u16 arc_table[256] = {TABLE(ARC)};
static const u8 smbus_table[256] = {TABLE(SMBUS)};
static const u8 mmc_table[256] = {TABLE(MMC)};
static const u64 ecma_table[256] = {TABLE(ECMA)};
static const u64 we_table[256] = {TABLE(WE)};
static const u32 openpgp_table[256] = {TABLE(OPENPGP)};
static const u32 other_end_table[256] = {TABLE(TURNED)};

// --- a byte at a time ---

PARITY(by_index, "crc lowered")
u32 by_index(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    crc = crc32_table[(crc ^ p[i]) & 0xff] ^ (crc >> 8);
  return crc;
}

PARITY(by_pointer, "crc lowered")
u32 by_pointer(u32 crc, const u8 *p, size_t n) {
  crc = ~crc;
  while (n--)
    crc = crc32c_table[(u8)(crc ^ *p++)] ^ (crc >> 8);
  return ~crc;
}

PARITY(by_end, "crc lowered")
u32 by_end(u32 crc, const u8 *p, size_t n) {
  const u8 *end = p + n;
  while (p < end)
    crc = (crc >> 8) ^ crc32_table[(crc & 0xff) ^ *p++];
  return crc;
}

PARITY(before_the_first, "crc lowered")
u32 before_the_first(u32 crc, const u8 *p, size_t n) {
  for (p--; n; n--)
    crc = crc32_table[(crc ^ *++p) & 0xff] ^ (crc >> 8);
  return crc;
}

PARITY(index_in_a_variable, "crc lowered")
u32 index_in_a_variable(const char *p, size_t n) {
  u32 crc = 0xffffffff;
  for (size_t i = 0; i < n; i++) {
    u8 index = (u8)(crc ^ (u32)p[i]);
    crc = (crc >> 8) ^ crc32_table[index];
  }
  return crc ^ 0xffffffff;
}

static u32 one_byte(u32 crc, u8 byte) {
  return crc32_table[(u8)crc ^ byte] ^ (crc >> 8);
}

PARITY(in_a_function, "crc lowered")
u32 in_a_function(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    crc = one_byte(crc, p[i]);
  return crc;
}

PARITY(bzip, "crc lowered")
u32 bzip(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    crc = (crc << 8) ^ bzip_table[(crc >> 24) ^ p[i]];
  return crc;
}

PARITY(xmodem, "crc lowered")
u16 xmodem(u16 crc, const u8 *p, size_t n) {
  while (n-- > 0)
    crc = (u16)(crc << 8) ^ xmodem_table[((crc >> 8) ^ *p++) & 0xff];
  return crc;
}

PARITY(xmodem_in_int, "crc lowered")
u16 xmodem_in_int(u16 seed, const u8 *p, size_t n) {
  int crc = seed;
  while (n--)
    crc = xmodem_table[((crc >> 8) ^ *p++) & 0xff] ^ (crc << 8);
  return (u16)crc;
}

PARITY(arc, "crc lowered")
u16 arc(u16 crc, const u8 *p, size_t n) {
  while (n--)
    crc = (u16)((crc >> 8) ^ arc_table[(crc ^ *p++) & 0xff]);
  return crc;
}

PARITY(smbus, "crc lowered")
u8 smbus(u8 crc, const u8 *p, size_t n) {
  while (n--)
    crc = smbus_table[crc ^ *p++];
  return crc;
}

PARITY(mmc, "crc lowered")
u8 mmc(u8 seed, const u8 *p, size_t n) {
  u8 crc = seed & 0x7f;
  while (n--)
    crc = mmc_table[(crc << 1) ^ *p++];
  return crc;
}

PARITY(ecma, "crc lowered")
u64 ecma(u64 crc, const u8 *p, size_t n) {
  while (n--)
    crc = ecma_table[(u8)crc ^ *p++] ^ (crc >> 8);
  return crc;
}

PARITY(we, "crc lowered")
u64 we(u64 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    crc = we_table[(crc >> 56) ^ p[i]] ^ (crc << 8);
  return crc;
}

PARITY(openpgp, "crc lowered")
u32 openpgp(const u8 *p, size_t n) {
  u32 crc = 0xb704ce;
  for (size_t i = 0; i < n; i++)
    crc = (crc << 8) ^ openpgp_table[((crc >> 16) ^ p[i]) & 0xff];
  return crc & 0xffffff;
}

PARITY(other_end, "crc lowered")
u32 other_end(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    crc = (crc << 8) ^ other_end_table[(crc >> 24) ^ p[i]];
  return crc;
}

PARITY(inverted_each, "crc lowered")
u32 inverted_each(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    crc = ~(crc32_table[(~crc ^ p[i]) & 0xff] ^ (~crc >> 8));
  return crc;
}

// --- four bits at a time ---

static const u32 nibbles[16] = {UPPER16(CRC32_0)};
static const u16 xmodem_nibbles[16] = {LOWER16(XMODEM)};
static const u32 low_nibbles[16] = {LOWER16(CRC32_0)};

PARITY(nibble_by_nibble, "crc lowered")
u32 nibble_by_nibble(u32 crc, const u8 *p, size_t n) {
  while (n--) {
    u8 b = *p++;
    crc = nibbles[(crc ^ b) & 0xf] ^ (crc >> 4);
    crc = nibbles[(crc ^ (b >> 4)) & 0xf] ^ (crc >> 4);
  }
  return crc;
}

PARITY(nibbles_from_the_top, "crc lowered")
u16 nibbles_from_the_top(u16 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    u8 x = (u8)(crc >> 12) ^ (p[i] >> 4);
    crc = xmodem_nibbles[x & 15] ^ (u16)(crc << 4);
    x = (u8)(crc >> 12) ^ (p[i] & 15);
    crc = xmodem_nibbles[x & 15] ^ (u16)(crc << 4);
  }
  return crc;
}

PARITY(two_nibble_tables, "crc lowered")
u32 two_nibble_tables(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    u8 x = (u8)(crc ^ p[i]);
    crc = (crc >> 8) ^ low_nibbles[x & 15] ^ nibbles[x >> 4];
  }
  return crc;
}

PARITY(nibbles_in_a_loop, "crc lowered")
u32 nibbles_in_a_loop(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 2; k++)
      crc = nibbles[crc & 15] ^ (crc >> 4);
  }
  return crc;
}

// --- several bytes at a time ---

static const u32 sliced[16][256] = {
    {TABLE(CRC32_0)},  {TABLE(CRC32_1)},  {TABLE(CRC32_2)},  {TABLE(CRC32_3)},
    {TABLE(CRC32_4)},  {TABLE(CRC32_5)},  {TABLE(CRC32_6)},  {TABLE(CRC32_7)},
    {TABLE(CRC32_8)},  {TABLE(CRC32_9)},  {TABLE(CRC32_10)}, {TABLE(CRC32_11)},
    {TABLE(CRC32_12)}, {TABLE(CRC32_13)}, {TABLE(CRC32_14)}, {TABLE(CRC32_15)}};

PARITY(four_in_turn, "crc lowered")
u32 four_in_turn(u32 crc, const u8 *p, size_t n) {
#define BYTE crc = crc32_table[(crc ^ *p++) & 0xff] ^ (crc >> 8)
  for (; n >= 4; n -= 4) {
    BYTE;
    BYTE;
    BYTE;
    BYTE;
  }
  return crc;
}

PARITY(slicing_2, "crc lowered")
u32 slicing_2(u32 crc, const u8 *p, size_t n) {
  for (; n >= 2; n -= 2, p += 2) {
    u32 x = crc ^ p[0] ^ (u32)p[1] << 8;
    crc = sliced[1][x & 255] ^ sliced[0][x >> 8 & 255] ^ (x >> 16);
  }
  return crc;
}

PARITY(slicing_4, "crc lowered")
u32 slicing_4(u32 crc, const u32 *w, size_t n) {
  while (n--) {
    crc ^= *w++;
    crc = sliced[3][crc & 0xff] ^ sliced[2][(crc >> 8) & 0xff] ^
          sliced[1][(crc >> 16) & 0xff] ^ sliced[0][crc >> 24];
  }
  return crc;
}

PARITY(slicing_8, "crc lowered")
u32 slicing_8(u32 crc, const u8 *p, size_t n) {
  for (; n >= 8; n -= 8, p += 8) {
    u32 one, two;
    memcpy(&one, p, 4);
    memcpy(&two, p + 4, 4);
    one ^= crc;
    crc = sliced[7][one & 0xff] ^ sliced[6][one >> 8 & 0xff] ^
          sliced[5][one >> 16 & 0xff] ^ sliced[4][one >> 24] ^
          sliced[3][two & 0xff] ^ sliced[2][two >> 8 & 0xff] ^
          sliced[1][two >> 16 & 0xff] ^ sliced[0][two >> 24];
  }
  return crc;
}

PARITY(slicing_16, "crc lowered")
u32 slicing_16(u32 crc, const u8 *p, size_t n) {
  for (; n >= 16; n -= 16, p += 16) {
    u64 one, two;
    memcpy(&one, p, 8);
    memcpy(&two, p + 8, 8);
    one ^= crc;
#define AT(x, k) sliced[k][(x) >> 8 * (7 - (k)%8) & 255]
    crc = AT(one, 15) ^ AT(one, 14) ^ AT(one, 13) ^ AT(one, 12) ^ AT(one, 11) ^
          AT(one, 10) ^ AT(one, 9) ^ AT(one, 8) ^ AT(two, 7) ^ AT(two, 6) ^
          AT(two, 5) ^ AT(two, 4) ^ AT(two, 3) ^ AT(two, 2) ^ AT(two, 1) ^
          AT(two, 0);
  }
  return crc;
}

static const u32 bzip_sliced[4][256] = {
    {TABLE(BZIP_0)}, {TABLE(BZIP_1)}, {TABLE(BZIP_2)}, {TABLE(BZIP_3)}};

PARITY(slicing_4_swapped, "crc lowered")
u32 slicing_4_swapped(u32 crc, const u32 *w, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= __builtin_bswap32(w[i]);
    crc = bzip_sliced[3][crc >> 24] ^ bzip_sliced[2][crc >> 16 & 255] ^
          bzip_sliced[1][crc >> 8 & 255] ^ bzip_sliced[0][crc & 255];
  }
  return crc;
}

// --- a register in two halves, as the Modbus manual has it ---

static const u8 low_half[256] = {TABLE(ARC_LOW)};
static const u8 high_half[256] = {TABLE(ARC_HIGH)};

PARITY(two_halves, "crc lowered")
u16 two_halves(const u8 *p, unsigned short n) {
  u8 high = 0xff, low = 0xff;
  while (n--) {
    unsigned index = low ^ *p++;
    low = high ^ low_half[index];
    high = high_half[index];
  }
  return (u16)(high << 8 | low);
}

// --- near misses ---

// The last entry of all, with its lowest bit wrong.
static const u32 mistyped[256] = {ENTRIES64(0, CRC32_0), ENTRIES64(64, CRC32_0),
                                  ENTRIES64(128, CRC32_0), ENTRIES16(192, CRC32_0),
                                  ENTRIES16(208, CRC32_0), ENTRIES16(224, CRC32_0),
                                  ENTRIES4(240, CRC32_0), ENTRIES4(244, CRC32_0),
                                  ENTRIES4(248, CRC32_0), ENTRY(252, CRC32_0),
                                  ENTRY(253, CRC32_0), ENTRY(254, CRC32_0),
                                  ENTRY(255, CRC32_0) ^ 1};

PARITY(last_entry_mistyped, "crc kept MLF2044")
u32 last_entry_mistyped(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    crc = mistyped[(crc ^ p[i]) & 0xff] ^ (crc >> 8);
  return crc;
}

static u32 filled[256];

void fill_it(u32 polynomial) {
  for (u32 i = 0; i < 256; i++) {
    u32 c = i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ polynomial : c >> 1;
    filled[i] = c;
  }
}

PARITY(filled_at_run_time, "crc lowered")
u32 filled_at_run_time(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    crc = filled[(crc ^ p[i]) & 0xff] ^ (crc >> 8);
  return crc;
}

PARITY(table_as_argument, "crc lowered")
u32 table_as_argument(u32 crc, const u8 *p, size_t n, const u32 *table) {
  for (size_t i = 0; i < n; i++)
    crc = table[(crc ^ p[i]) & 0xff] ^ (crc >> 8);
  return crc;
}

extern const u16 elsewhere[256];

PARITY(table_elsewhere, "crc lowered")
u16 table_elsewhere(u16 crc, const u8 *p, size_t n) {
  while (n--)
    crc = (u16)(crc << 8) ^ elsewhere[(crc >> 8) ^ *p++];
  return crc;
}

PARITY(shifted_by_seven, "crc kept MLF2043")
u32 shifted_by_seven(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    crc = crc32_table[(crc ^ p[i]) & 0xff] ^ (crc >> 7);
  return crc;
}

PARITY(seven_bit_mask, "crc kept MLF2043")
u32 seven_bit_mask(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    crc = crc32_table[(crc ^ p[i]) & 0x7f] ^ (crc >> 8);
  return crc;
}

PARITY(slices_in_the_wrong_order, "crc kept MLF2043")
u32 slices_in_the_wrong_order(u32 crc, const u32 *w, size_t n) {
  while (n--) {
    crc ^= *w++;
    crc = sliced[3][crc & 0xff] ^ sliced[1][(crc >> 8) & 0xff] ^
          sliced[2][(crc >> 16) & 0xff] ^ sliced[0][crc >> 24];
  }
  return crc;
}

PARITY(words_from_the_wrong_end, "crc lowered")
u32 words_from_the_wrong_end(u32 crc, const u32 *w, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= w[i];
    crc = bzip_sliced[3][crc >> 24] ^ bzip_sliced[2][crc >> 16 & 255] ^
          bzip_sliced[1][crc >> 8 & 255] ^ bzip_sliced[0][crc & 255];
  }
  return crc;
}

PARITY(upper_bits_seen, "crc kept MLF2100")
int upper_bits_seen(int crc, const u8 *p, size_t n) {
  while (n--)
    crc = xmodem_table[((crc >> 8) ^ *p++) & 0xff] ^ (crc << 8);
  return crc;
}

// Bytes up to an aligned address, words, and the bytes that are left. The first loop has three
// iterations at most, so it cannot tell whether there are enough bytes for a call.
PARITY(aligned_words, "crc lowered")
PARITY_BUT(aligned_words, "clang-19", "crc lowered + crc lowered", "it joins the first two alone")
PARITY_BUT(aligned_words, "clang-21", "crc lowered + crc lowered", "it joins the first two alone")
PARITY_BUT(aligned_words, "gcc-12", "crc kept MLF3004 + crc lowered + crc kept MLF3004",
           "it joins none, and bounds the bytes around the words")
u32 aligned_words(u32 crc, const u8 *p, u32 n) {
  const u32 *w = (const u32 *)p;
  if (((size_t)p & 3) && n) {
    do {
      crc = crc32_table[(crc ^ *p++) & 0xff] ^ (crc >> 8);
    } while (--n && ((size_t)p & 3));
    w = (const u32 *)p;
  }
  u32 rest = n & 3;
  n >>= 2;
  for (--w; n; --n) {
    crc ^= *++w;
    for (int i = 0; i < 4; i++)
      crc = crc32_table[crc & 0xff] ^ (crc >> 8);
  }
  if (rest) {
    p = (const u8 *)(w + 1) - 1;
    do {
      crc = crc32_table[(crc ^ *++p) & 0xff] ^ (crc >> 8);
    } while (--rest);
  }
  return crc;
}
