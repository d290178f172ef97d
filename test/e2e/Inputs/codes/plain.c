// plain.c - codes that a function's name names, drawn by -O2 alone
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void code_3005(uint8_t *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = 5;
  for (size_t i = 0; i < 3; i++)
    p[n + i] = 5;
}
uint32_t code_2045(uint32_t start, const uint16_t *p, size_t n) {
  uint32_t sum = start;
  for (size_t i = 0; i < n; i++) {
    sum += p[i];
    sum = (sum & 0xffff) + (sum >> 16);
  }
  return sum;
}
void code_2060(uint8_t *restrict d, const uint8_t *restrict s, size_t n) {
  for (unsigned i = 0; i < n; i++)
    d[i] = s[i];
}
struct buffer {
  size_t used;
  uint8_t *data;
};
void code_2062(struct buffer *b) {
  for (size_t i = 0; i < b->used; i++)
    b->data[i] = 0;
}
uint32_t code_2081(const uint16_t *w, size_t n) {
  uint32_t sum = 0;
  while (n--) {
    sum += *w++;
    if (sum & 0x80000000)
      sum = (sum & 0xffff) + (sum >> 16);
  }
  return sum;
}
static uint32_t table[256];
void fill_table(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ 0xedb88320 : c >> 1;
    table[i] = c;
  }
}
uint32_t code_2123(uint32_t crc, const uint8_t *p, size_t n) {
  while (n--)
    crc = table[(crc ^ *p++) & 0xff] ^ (crc >> 8);
  return crc;
}
void code_3006(uint8_t *d, const uint8_t *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}
void code_1110(uint8_t *restrict d, const uint8_t *restrict s, size_t n) {
  for (; n >= 8; n -= 8, d += 8, s += 8) {
    uint64_t word;
    memcpy(&word, s, 8);
    memcpy(d, &word, 8);
  }
  while (n--)
    *d++ = *s++;
}
void code_1111(uint8_t *d, const uint8_t *s, size_t n) {
  for (; n >= 8; n -= 8, d += 8, s += 8) {
    uint64_t word;
    memcpy(&word, s, 8);
    memcpy(d, &word, 8);
  }
  while (n--)
    *d++ = *s++;
}
uint32_t code_2028(const uint8_t *s, size_t pitch, unsigned w, size_t h) {
  uint32_t sum = 0;
  for (size_t y = 0; y < h; y++)
    for (size_t x = 0; x < (w & 15); x++)
      sum += s[y * pitch + x];
  return sum;
}
#define ADD(k) s += c, s += w[k], c = s >> 32, s &= 0xffffffff
#define ADD4(k) ADD(k), ADD(k + 1), ADD(k + 2), ADD(k + 3)
uint32_t code_2080(const uint32_t *w, size_t n) {
  uint64_t s = 0, c = 0;
  for (size_t i = 0; i < n; i++, w += 16)
    ADD4(0), ADD4(4), ADD4(8), ADD4(12);
  return (uint32_t)(s + c);
}
uint32_t code_2102(uint32_t crc, const uint8_t *p, size_t n, uint32_t polynomial) {
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 8; k++)
      crc = ~(crc & 1 ? crc >> 1 ^ polynomial : crc >> 1);
  }
  return crc;
}
void code_1002(uint8_t *restrict d, size_t pitch, const uint8_t *s, size_t h) {
  for (size_t y = 0; y < h; y++)
    for (size_t x = 0; x < 4; x++)
      d[y * pitch + x] = s[3 - x];
}
