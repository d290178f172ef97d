// crc-forms.c - CRCs of many widths in both directions, bit by bit and by a table
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built twice with another F(x).
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const char *name;
  uint64_t (*run)(uint64_t state, const uint8_t *p, size_t n);
} form;

// A register of `width` bits; a narrower CRC shifting down is held as it is.
#define DOWN(name, type, poly)                                                                 \
  static uint64_t name(uint64_t state, const uint8_t *p, size_t n) {                           \
    type c = (type)state;                                                                      \
    for (size_t i = 0; i < n; i++) {                                                           \
      c ^= p[i];                                                                               \
      for (int k = 0; k < 8; k++)                                                              \
        c = c & 1 ? c >> 1 ^ (type)(poly) : c >> 1;                                            \
    }                                                                                          \
    return c;                                                                                  \
  }
#define UP(name, type, width, poly)                                                            \
  static uint64_t name(uint64_t state, const uint8_t *p, size_t n) {                           \
    const type all = (type)(~(uint64_t)0 >> (64 - (width))), top = (type)1 << ((width)-1);     \
    type c = (type)state & all;                                                                \
    for (size_t i = 0; i < n; i++) {                                                           \
      c ^= (type)((type)p[i] << ((width)-8));                                                  \
      for (int k = 0; k < 8; k++)                                                              \
        c = (type)((c & top ? (type)(c << 1) ^ (type)(poly) : (type)(c << 1)) & all);          \
    }                                                                                          \
    return c;                                                                                  \
  }

DOWN(down32, uint32_t, 0xedb88320)
DOWN(down32c, uint32_t, 0x82f63b78)
DOWN(down16, uint16_t, 0x8408)
DOWN(down64, uint64_t, 0xc96c5795d7870f42)
DOWN(down8, uint8_t, 0x14)
DOWN(down10, uint16_t, 0x331)
DOWN(down27, uint32_t, 0x5d1c2d3)
UP(up32, uint32_t, 32, 0x04c11db7)
UP(up32c, uint32_t, 32, 0x1edc6f41)
UP(up16, uint16_t, 16, 0x1021)
UP(up64, uint64_t, 64, 0x42f0e1eba9ea3693)
UP(up8, uint8_t, 8, 0x05 << 3)
UP(up10, uint16_t, 10, 0x233)
UP(up27, uint32_t, 27, 0x2ad8c5d)

// Short, of a known length, and of one that is known not to be large.
static uint64_t fixed(uint64_t state, const uint8_t *p, size_t n) {
  return n < 40 ? 0 : down32(state, p, 40);
}
static uint64_t bounded(uint64_t state, const uint8_t *p, size_t n) {
  return up16(state, p, n & 127);
}
static uint64_t bounded32c(uint64_t state, const uint8_t *p, size_t n) {
  return down32c(state, p, n & 31);
}

// As most programs have it.
static const uint32_t table[256] = {
#include "crc-table.h"
};
static uint64_t looked(uint64_t state, const uint8_t *p, size_t n) {
  uint32_t c = (uint32_t)state;
  for (size_t i = 0; i < n; i++)
    c = table[(c ^ p[i]) & 0xff] ^ c >> 8;
  return c;
}

const form F(forms)[] = {
    {"down32", down32},   {"down32c", down32c}, {"down16", down16},
    {"down64", down64},   {"down8", down8},     {"down10", down10},
    {"down27", down27},   {"up32", up32},       {"up32c", up32c},
    {"up16", up16},       {"up64", up64},       {"up8", up8},
    {"up10", up10},       {"up27", up27},       {"fixed", fixed},
    {"bounded", bounded}, {"bounded32c", bounded32c}, {"looked", looked},
    {0, 0}};
