// crcs.c - cyclic redundancy checks that every compiler must see alike
#include "parity.h"

PARITY(crc32_bits, "crc lowered")
u32 crc32_bits(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 8; k++)
      crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
  }
  return crc;
}

PARITY(crc32_mask, "crc lowered")
u32 crc32_mask(u32 crc, const u8 *p, size_t n) {
  while (n--) {
    crc ^= *p++;
    for (int k = 8; k > 0; k--)
      crc = (crc >> 1) ^ (0x82f63b78 & -(crc & 1));
  }
  return crc;
}

PARITY(crc32_if, "crc lowered")
u32 crc32_if(const u8 *p, size_t n) {
  u32 crc = 0xffffffff;
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 8; k++) {
      if (crc & 1)
        crc = (crc >> 1) ^ 0xedb88320;
      else
        crc >>= 1;
    }
  }
  return ~crc;
}

PARITY(xmodem_bits, "crc lowered")
u16 xmodem_bits(u16 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= (u16)(p[i] << 8);
    for (int k = 0; k < 8; k++)
      crc = crc & 0x8000 ? (u16)(crc << 1 ^ 0x1021) : (u16)(crc << 1);
  }
  return crc;
}

PARITY(crc64_bits, "crc lowered")
u64 crc64_bits(u64 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 8; k++)
      crc = crc & 1 ? crc >> 1 ^ 0xc96c5795d7870f42 : crc >> 1;
  }
  return crc;
}

static const u32 nibbles[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
    0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
    0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

PARITY(crc32_nibbles, "crc lowered")
u32 crc32_nibbles(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    crc = crc >> 4 ^ nibbles[crc & 15];
    crc = crc >> 4 ^ nibbles[crc & 15];
  }
  return crc;
}

// One entry mistyped: another function, and the entry is named.
static const u32 mistyped[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
    0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
    0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21d,
};

PARITY(crc32_mistyped, "crc kept MLF2044")
u32 crc32_mistyped(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    crc = crc >> 4 ^ mistyped[crc & 15];
    crc = crc >> 4 ^ mistyped[crc & 15];
  }
  return crc;
}

// The polynomial with one bit moved in the middle of a round.
PARITY(crc32_slip, "crc kept MLF2043")
u32 crc32_slip(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 4; k++)
      crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    for (int k = 0; k < 4; k++)
      crc = crc & 1 ? crc >> 1 ^ 0xedb88310 : crc >> 1;
  }
  return crc;
}

// --- bytes from the last to the first, and a message that enters at the other end ---

PARITY(bit_entered, "crc guarded")
u32 bit_entered(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    u8 byte = p[i];
    for (int k = 7; k >= 0; k--) {
      u32 out = crc >> 23;
      crc = (crc << 1) & 0xffffff;
      crc |= out ^ ((byte >> k) & 1);
      if (out)
        crc ^= 0xb4c000;
    }
  }
  return crc;
}

PARITY(bit_entered_down, "crc guarded")
u32 bit_entered_down(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    u8 byte = p[n - i - 1];
    for (int k = 7; k >= 0; k--) {
      u32 out = crc >> 23;
      crc = (crc << 1) & 0xffffff;
      crc |= out ^ ((byte >> k) & 1);
      if (out)
        crc ^= 0xb4c000;
    }
  }
  return crc;
}

PARITY(last_byte_first, "crc lowered")
u32 last_byte_first(u32 crc, const u8 *p, size_t n) {
  while (n--) {
    crc ^= p[n];
    for (int k = 0; k < 8; k++)
      crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
  }
  return crc;
}

// Two bytes in the order of memory, the last two first.
PARITY(last_pair_first, "crc kept MLF2030 + crc inlined")
PARITY_ALREADY(last_pair_first, "clang-22", "crc kept MLF2030", ".crctable", "LLVM 22 makes a table of the steps itself")
PARITY_BUT(last_pair_first, "clang-21", "crc kept MLF2030 + crc inlined", "LLVM 21 makes no table of them")
u32 last_pair_first(u32 crc, const u8 *p, size_t n) {
  for (size_t i = n / 2; i > 0; i--) {
    crc ^= p[2 * i - 2] | p[2 * i - 1] << 8;
    for (int k = 0; k < 16; k++)
      crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
  }
  return crc;
}

PARITY(every_other_down, "crc kept MLF2030 + crc inlined")
PARITY_ALREADY(every_other_down, "clang-22", "crc kept MLF2030", ".crctable", "LLVM 22 makes a table of the steps itself")
PARITY_BUT(every_other_down, "clang-21", "crc kept MLF2030 + crc inlined", "LLVM 21 makes no table of them")
u32 every_other_down(u32 crc, const u8 *p, size_t n) {
  for (size_t i = n / 2; i > 0; i--) {
    crc ^= p[2 * i - 1];
    for (int k = 0; k < 8; k++)
      crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
  }
  return crc;
}

// Near miss: more than one bit enters, so the or may meet a bit that is set already.
PARITY(two_bits_entered, "untouched")
u32 two_bits_entered(u32 crc, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    u8 byte = p[i];
    for (int k = 7; k >= 0; k--) {
      u32 out = crc >> 23;
      crc = (crc << 1) & 0xffffff;
      crc |= out ^ ((byte >> k) & 3);
      if (out)
        crc ^= 0xb4c000;
    }
  }
  return crc;
}

PARITY(copied_down, "copy_sum guarded")
u32 copied_down(u32 crc, u8 *d, const u8 *s, size_t n) {
  while (n--) {
    d[n] = s[n];
    crc ^= s[n];
    for (int k = 0; k < 8; k++)
      crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
  }
  return crc;
}
