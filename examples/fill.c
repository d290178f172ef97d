/* fill.c - fills memory with zeros and with a 32-bit value.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "ops.h"

void clear_bytes(uint8_t *to, size_t size) {
  for (size_t i = 0; i < size; i++)
    to[i] = 0;
}

void fill_words(uint32_t *to, uint32_t value, size_t count) {
  for (size_t i = 0; i < count; i++)
    to[i] = value;
}
