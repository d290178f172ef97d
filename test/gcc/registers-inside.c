// registers-inside.c - steps of a shift register inside a loop, which GCC unrolls early at -O3
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: gcc-12
// RUN: rm -f %t.yaml && %memlift-gcc -O3 --memlift-remarks=%t.yaml -S %s -o %t.s && \
// RUN:   memlift-report --color never -v %t.yaml | %filecheck --check-prefixes=CHECK,VECTOR %s
// RUN: rm -f %t.yaml && %memlift-gcc -O3 -fno-tree-vectorize --memlift-remarks=%t.yaml -S %s -o %t.s && \
// RUN:   memlift-report --color never -v %t.yaml | %filecheck --check-prefixes=CHECK,SCALAR %s
//
// Remarks change no code.
// RUN: %memlift-gcc -O3 -S %s -o %t.quiet.s && %memlift-gcc -O3 --memlift-remarks=%t.yaml -S %s -o %t.s && \
// RUN:   cmp %t.s %t.quiet.s
//
// Without GCC's pipeline of loops they are unrolled as ever.
// RUN: %memlift-gcc -O3 -fno-tree-loop-optimize -S %s -o %t.on.s && \
// RUN:   %memlift-gcc -O3 -fno-tree-loop-optimize --memlift-off -S %s -o %t.off.s && cmp %t.on.s %t.off.s
#include <stdint.h>
void use(uint32_t);

// CHECK: modbus: crc inlined [MLF1017
uint16_t modbus(uint16_t crc, const uint8_t *p, unsigned n, unsigned m) {
  while (n--) {
    crc ^= *p;
    p += m;
    for (int i = 0; i < 8; i++)
      crc = crc & 1 ? crc >> 1 ^ 0xA001 : crc >> 1;
    if (crc == 7)
      m++;
  }
  return crc;
}

// CHECK: each: crc inlined [MLF1017
void each(uint32_t c, unsigned n) {
  for (unsigned k = 0; k < n; k++) {
    use(c);
    for (int i = 0; i < 8; i++)
      c = c & 1 ? c >> 1 ^ 0xEDB88320 : c >> 1;
  }
}

// The loop around is a CRC as a whole.
// CHECK: whole: crc lowered [MLF1001
uint16_t whole(uint16_t crc, const uint8_t *p, unsigned n) {
  while (n--) {
    crc ^= *p++;
    for (int i = 0; i < 8; i++)
      crc = crc & 1 ? crc >> 1 ^ 0xA001 : crc >> 1;
  }
  return crc;
}

// Sixteen of these are computed at once.
// VECTOR: sixteen: none kept
// SCALAR: sixteen: crc inlined [MLF1017
void sixteen(uint8_t *restrict d, const uint8_t *restrict s) {
  for (int k = 0; k < 4096; k++) {
    uint8_t c = s[k];
    for (int i = 0; i < 8; i++)
      c = c & 0x80 ? c << 1 ^ 7 : c << 1;
    d[k] = c;
  }
}

// CHECK-NOT: unrolled_by_pragma: crc
void unrolled_by_pragma(uint32_t c, unsigned n) {
  for (unsigned k = 0; k < n; k++) {
    use(c);
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++)
      c = c & 1 ? c >> 1 ^ 0xEDB88320 : c >> 1;
  }
}
