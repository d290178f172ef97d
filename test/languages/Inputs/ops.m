/* ops.m - the five loops in methods of Objective-C
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stddef.h>
#include <stdint.h>

__attribute__((objc_root_class))
@interface Bytes
+ (void)copy:(uint8_t *restrict)to from:(const uint8_t *restrict)from size:(ptrdiff_t)size;
+ (void)fill:(uint8_t *)to size:(ptrdiff_t)size;
@end

void copy(uint8_t *, const uint8_t *, ptrdiff_t) __asm__("lang_copy");
void fill(uint8_t *, ptrdiff_t) __asm__("lang_fill");

@implementation Bytes
+ (void)copy:(uint8_t *restrict)to from:(const uint8_t *restrict)from size:(ptrdiff_t)size {
  for (ptrdiff_t i = 0; i < size; i++)
    to[i] = from[i];
}
+ (void)fill:(uint8_t *)to size:(ptrdiff_t)size {
  for (ptrdiff_t i = 0; i < size; i++)
    to[i] = 7;
}
@end

void copy(uint8_t *to, const uint8_t *from, ptrdiff_t size) {
  [Bytes copy:to from:from size:size];
}

void fill(uint8_t *to, ptrdiff_t size) { [Bytes fill:to size:size]; }

uint32_t lang_sum(const uint32_t *from, ptrdiff_t count) {
  uint32_t sum = 0;
  for (ptrdiff_t i = 0; i < count; i++)
    sum += from[i];
  return sum;
}

uint64_t lang_inet(const uint16_t *from, ptrdiff_t count) {
  uint64_t sum = 0;
  for (ptrdiff_t i = 0; i < count; i++)
    sum += from[i];
  return sum;
}

uint32_t lang_crc(const uint8_t *from, ptrdiff_t size) {
  uint32_t crc = 0xffffffff;
  for (ptrdiff_t i = 0; i < size; i++) {
    crc ^= from[i];
    for (int bit = 0; bit < 8; bit++)
      crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
  }
  return ~crc;
}
