// recurrences.c - what loops carry: recurrences, constant tables, results
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %memlift-gcc -O2 --memlift-print-loops -c %s -o %t.o 2>&1 | %filecheck %s
// RUN: %memlift-gcc -O1 --memlift-print-loops -c %s -o %t.o 2>&1 | %filecheck %s
#include <stddef.h>
#include <stdint.h>

// CHECK-LABEL: recurrences.c:bytes#0"
// CHECK: rec s 32 init 0:32
// CHECK: load p + 0 step [1] bytes 1 align 1
// CHECK: next s (add $s (zext 32 @0))
// CHECK: liveout "s" rec s
uint32_t bytes(const uint8_t *p, size_t n) {
  uint32_t s = 0;
  for (size_t i = 0; i < n; i++)
    s += p[i];
  return s;
}

// CHECK-LABEL: recurrences.c:folded#0"
// CHECK: rec s 64 init (zext 64 %start)
// CHECK: next s (add $s (zext 64 @0))
// CHECK: liveout "s" rec s
uint16_t folded(const uint16_t *p, size_t n, uint16_t start) {
  uint64_t s = start;
  for (size_t i = 0; i < n; i++)
    s += p[i];
  s = (s >> 16) + (s & 0xffff);
  s += s >> 16;
  return (uint16_t)~s;
}

// CHECK-LABEL: recurrences.c:adler#0"
// CHECK: next a (add $a (zext 32 @0))
// CHECK: next b (add $b (add $a (zext 32 @0)))
// CHECK-DAG: liveout "a" rec a
// CHECK-DAG: liveout "b" rec b
uint32_t adler(const uint8_t *p, size_t n) {
  uint32_t a = 1, b = 0;
  while (n--) {
    a += *p++;
    b += a;
  }
  return (b % 65521) << 16 | a % 65521;
}

// A conditional step becomes a select of what is mixed in.
// CHECK-LABEL: recurrences.c:bits#0"
// CHECK: rec c 32 init %c
// CHECK: next c (xor (lshr [[X:\(xor \$c \(zext 32 @0\)\)]] 1:32)
// CHECK-SAME: (select (ne (and [[X]] 1:32) 0:32) 3988292384:32 0:32))
// CHECK: liveout "{{.*}}" rec c
uint32_t bits(uint32_t c, const uint8_t *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    c ^= p[i];
    if (c & 1)
      c = c >> 1 ^ 0xedb88320;
    else
      c >>= 1;
  }
  return c;
}

// CHECK-LABEL: recurrences.c:nibbles#0"
// CHECK: table nibble 32 [0 498536548 997073096 651767980 1994146192
// CHECK-NOT: load nibble
// CHECK: next c (xor (table nibble (zext 64 (and {{.*}} 15:32)))
static const uint32_t nibble[2][8] = {
    {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
     0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c},
    {0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
     0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c}};
uint32_t nibbles(uint32_t c, const uint8_t *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    c ^= p[i];
    c = (&nibble[0][0])[c & 15] ^ c >> 4;
    c = (&nibble[0][0])[c & 15] ^ c >> 4;
  }
  return c;
}

// Entries outside of the table are never read, so none are made up for them.
// CHECK-LABEL: recurrences.c:outside#0"
// CHECK: table nibble 32 [0 498536548 {{[0-9 ]*}}2685067896 3183342108]
// CHECK: kept MLF2043
uint32_t outside(uint32_t c, const uint8_t *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    c = nibble[0][(c ^ p[i]) & 31] ^ c >> 4;
  return c;
}

// Filled when the program runs: no constants are known.
// CHECK-LABEL: recurrences.c:filled#0"
// CHECK: table table 32 unknown at &table
// CHECK: load unknown nonaffine
// CHECK: lowered MLF1001
uint32_t table[256];
uint32_t filled(uint32_t c, const uint8_t *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    c = table[(c ^ p[i]) & 255] ^ c >> 8;
  return c;
}

// Another file may have another one of a weak object.
// CHECK-LABEL: recurrences.c:replaced#0"
// CHECK: table weakling 32 unknown
// CHECK: load unknown nonaffine
__attribute__((weak)) const uint32_t weakling[4] = {1, 2, 3, 4};
uint32_t replaced(uint32_t c, const uint8_t *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    c = weakling[(c ^ p[i]) & 3] ^ c >> 2;
  return c;
}

// A rotation, and a value that lags behind: no recurrence is that live-out.
// CHECK-LABEL: recurrences.c:rotated#0"
// CHECK: next c (add (or (shl $c 5:32) (lshr $c 27:32)) (zext 32 @0))
// CHECK: liveout "{{.*}}" lost
uint32_t rotated(uint32_t c, const uint8_t *p, size_t n) {
  uint32_t last = 0;
  for (size_t i = 0; i < n; i++) {
    last = c;
    c = (c << 5 | c >> 27) + p[i];
  }
  return last;
}

// The outer loop only hands the sum on.
// CHECK-LABEL: recurrences.c:rows#0"
// CHECK: dim trip
// CHECK-NEXT: dim trip 40
// CHECK-NEXT: rec s 32 init 3:32
// CHECK-NEXT: load p + 0 step [40 1]
// CHECK: next s (add $s (zext 32 @0))
// CHECK: liveout "s" rec s
uint32_t rows(const uint8_t *p, size_t h) {
  uint32_t s = 3;
  for (size_t y = 0; y < h; y++)
    for (size_t x = 0; x < 40; x++)
      s += p[y * 40 + x];
  return s;
}

// A small loop over no memory is evaluated, not part of the nest.
// CHECK-LABEL: recurrences.c:steps#0"
// CHECK: dim trip
// CHECK-NEXT: rec c 32
// CHECK: next c (xor (lshr (xor (lshr (xor $c (zext 32 @0)) 1:32) {{.*}}
// CHECK: liveout "c" rec c
uint32_t steps(uint32_t c, const uint8_t *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    c ^= p[i];
    for (int k = 0; k < 2; k++)
      c = c >> 1 ^ (-(c & 1) & 0xedb88320);
  }
  return c;
}
