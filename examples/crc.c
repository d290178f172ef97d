/* crc.c - CRC-32, one bit at a time.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "ops.h"

uint32_t crc32(const uint8_t *from, size_t size) {
  uint32_t crc = 0xffffffff;
  for (size_t i = 0; i < size; i++) {
    crc ^= from[i];
    for (int bit = 0; bit < 8; bit++)
      crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
  }
  return ~crc;
}
