// stored.c - sums and checksums that are kept in memory while the loop runs
//
// Behind a pointer, in a context or a global variable: whether the bytes that are
// read are among them is tested at run time where no type tells.
#include "parity.h"
#include "crc-tables.h"

static const u32 crc32_table[256] = {TABLE(CRC32_0)};
static const u16 xmodem_table[256] = {TABLE(XMODEM)};

struct context {
  u32 length, crc;
};

PARITY(stored_crc, "crc guarded")
void stored_crc(struct context *c, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    c->crc = crc32_table[(c->crc ^ p[i]) & 0xff] ^ (c->crc >> 8);
}

PARITY(stored_crc16, "crc guarded")
void stored_crc16(u16 *crc, const u8 *p, size_t n) {
  while (n--)
    *crc = (u16)(*crc << 8) ^ xmodem_table[(*crc >> 8) ^ *p++];
}

// Half a byte at a time, stored behind each; the byte is read again behind the first.
PARITY(stored_nibbles, "crc guarded")
void stored_nibbles(u32 *crc, const u8 *p, size_t n) {
  static const u32 table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
  for (; n--; p++) {
    *crc = table[(*crc ^ *p) & 15] ^ *crc >> 4;
    *crc = table[(*crc ^ *p >> 4) & 15] ^ *crc >> 4;
  }
}

// The word after the state is stored, too: another place.
PARITY(stored_beside, "untouched")
void stored_beside(u32 *sum, const u8 *p, size_t n) {
  for (; n--; p++) {
    sum[0] += *p;
    sum[1] = *p;
  }
}

PARITY(stored_sum, "sum guarded")
void stored_sum(u32 *sum, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    *sum += p[i];
}

PARITY(stored_words, "sum guarded")
void stored_words(u32 *sum, const u32 *p, size_t n) {
  while (n--)
    *sum += *p++;
}

PARITY(stored_fold, "xor_fold guarded")
void stored_fold(u8 *fold, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    *fold ^= p[i];
}

PARITY(stored_hash, "polyhash guarded")
void stored_hash(u32 *hash, const u8 *p, size_t n) {
  for (const u8 *end = p + n; p < end; p++)
    *hash = *hash * 31 + *p;
}

static u32 total;

PARITY(stored_in_a_global, "sum lowered")
void stored_in_a_global(const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    total += p[i];
}

PARITY(stored_and_used, "crc guarded")
u32 stored_and_used(u32 *crc, const u8 *p, size_t n) {
  u32 c = *crc;
  for (size_t i = 0; i < n; i++)
    *crc = c = crc32_table[(c ^ p[i]) & 0xff] ^ (c >> 8);
  return ~c;
}

// The sum lies behind the first word of what is summed: seen without a test.
PARITY(stored_among_them, "sum kept MLF2130")
void stored_among_them(u32 *w) {
  for (int i = 0; i < 100; i++)
    w[50] += w[i];
}
