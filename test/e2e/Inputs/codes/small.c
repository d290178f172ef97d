// small.c - codes that a function's name names, drawn by -Os
#include <stddef.h>
#include <stdint.h>

uint32_t table[256];
void code_2126(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ 0xedb88320 : c >> 1;
    table[i] = c;
  }
}
static const uint32_t nibbles[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
uint32_t code_2131(uint32_t crc, const uint8_t *p, size_t n) {
  while (n--) {
    crc ^= *p++;
    crc = nibbles[crc & 15] ^ crc >> 4;
    crc = nibbles[crc & 15] ^ crc >> 4;
  }
  return crc;
}
