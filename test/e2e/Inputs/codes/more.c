// more.c - further codes that a function's name names, drawn by -O2 alone
#include <stddef.h>
#include <stdint.h>

#define SPREAD __attribute__((memlift("spread")))

SPREAD void code_1019(float *restrict d, const float *restrict a, float scale, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = a[i] * scale;
}
SPREAD void code_1021(float *d, const float *a, float scale, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = a[i] * scale;
}
SPREAD void code_3054(uint32_t *restrict d, const uint32_t *restrict a, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = a[i];
}
_Thread_local float factors[4];
SPREAD void code_2222(float *restrict d, const float *restrict a, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = a[i] * factors[i & 3];
}
uint16_t code_2103(uint16_t crc, const uint16_t *w, size_t n, uint16_t polynomial) {
  for (size_t i = 0; i < n; i++) {
    crc ^= w[i];
    for (int k = 0; k < 16; k++)
      crc = crc & 0x8000 ? crc << 1 ^ polynomial : crc << 1;
  }
  return crc;
}
uint32_t code_2127(uint32_t crc, const uint8_t *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint8_t byte = p[i];
    for (int k = 0; k < 8; k++, byte >>= 1) {
      int out = (crc ^ byte) & 1;
      crc >>= 1;
      if (out)
        crc = (crc | 1 << 23) ^ 0x5a6000;
    }
  }
  return crc;
}
