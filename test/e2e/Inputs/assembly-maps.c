/* assembly-maps.c - loops that are no idiom, whose shape in assembly is looked at
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <stddef.h>
#include <stdint.h>

void flip(uint8_t *d, const uint8_t *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i] ^ 0x5a;
}

void turn(uint32_t *d, const uint32_t *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i] << 24 | (s[i] & 0xff00) << 8 | (s[i] >> 8 & 0xff00) | s[i] >> 24;
}

void scale(uint32_t *d, const uint32_t *s, uint32_t a, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] += a * s[i];
}

void prefix(uint32_t *d, size_t n) { /* each needs the one before: as it is */
  for (size_t i = 1; i < n; i++)
    d[i] += d[i - 1];
}
