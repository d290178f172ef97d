// tables.c - no routine of riscv64 tests a table that the program fills
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
