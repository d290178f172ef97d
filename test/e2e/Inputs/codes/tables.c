// tables.c - no routine of riscv64 tests a table that the program fills, or folds registers side by side
#include "../../../parity/loops/crc-tables.h"
#include <stddef.h>
#include <stdint.h>
static uint32_t table[256];
void fill_table(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ 0xedb88320 : c >> 1;
    table[i] = c;
  }
}
uint32_t code_2125(uint32_t crc, const uint8_t *p, size_t n) {
  while (n--)
    crc = table[(crc ^ *p++) & 0xff] ^ (crc >> 8);
  return crc;
}

static const uint32_t two[8][256] = {
    {TABLE(CRC32_15)}, {TABLE(CRC32_14)}, {TABLE(CRC32_13)}, {TABLE(CRC32_12)},
    {TABLE(CRC32_11)}, {TABLE(CRC32_10)}, {TABLE(CRC32_9)},  {TABLE(CRC32_8)},
};
static uint32_t looked_up(uint64_t v) {
  uint32_t c = 0;
  for (int k = 0; k < 8; k++)
    c ^= two[k][v >> 8 * k & 0xff];
  return c;
}
void code_2128(uint32_t *registers, const uint64_t *words, size_t rounds) {
  uint32_t a = registers[0], b = registers[1];
  for (; rounds; rounds--, words += 2) {
    a = looked_up(a ^ words[0]);
    b = looked_up(b ^ words[1]);
  }
  registers[0] = a, registers[1] = b;
}
