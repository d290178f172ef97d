/* checksum.c - the Internet checksum, as RFC 1071 explains it.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "ops.h"

uint16_t internet_checksum(const uint8_t *from, size_t size) {
  uint32_t sum = 0;
  for (size_t i = 0; i + 1 < size; i += 2) {
    sum += (uint32_t)from[i] << 8 | from[i + 1];
    sum = (sum & 0xffff) + (sum >> 16);
  }
  if (size & 1) {
    sum += (uint32_t)from[size - 1] << 8;
    sum = (sum & 0xffff) + (sum >> 16);
  }
  return (uint16_t)~sum;
}
