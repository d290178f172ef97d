// aligned-entry.c - a copy and a fill between aligned addresses, where unaligned words trap
//
// REQUIRES: clang-22, clang-19, riscv64-gcc
// RUN: %memlift-clang-22 --target=riscv64-linux-gnu -O2 -S %s -o - | %filecheck --check-prefixes=CHECK,CLANG %s
// RUN: %memlift-clang-19 --target=riscv64-linux-gnu -O2 -S %s -o - | %filecheck --check-prefixes=CHECK,CLANG %s
// RUN: %memlift-riscv64-linux-gnu-gcc -O2 -S %s -o - | %filecheck %s
// RUN: %memlift-clang-22 -O2 -S %s -o - | %filecheck --check-prefix=FAST %s
// FAST-NOT: _a{{[0-9]}}
#include <stddef.h>
#include <stdint.h>

// GCC makes a memcpy of it by itself, and forgets what the accesses said.
// CHECK-LABEL: words:
// CLANG: memlift_copy_a8
void words(uint64_t *restrict d, const uint64_t *restrict s, size_t n) {
  if (n)
    for (size_t i = 0; i < n; i++)
      d[i] = s[i];
}

_Alignas(16) unsigned char ring[4096];
extern _Alignas(8) unsigned char from[4096];

// CHECK-LABEL: bytes:
// CHECK: memlift_copy_a8
void bytes(size_t n) {
  for (size_t i = 0; i < n; i++)
    ring[i] = from[i];
}

// CHECK-LABEL: blank:
// CHECK: memlift_fill64_a8
void blank(size_t n) {
  for (size_t i = 0; i < n; i++)
    ring[i] = 0x20;
}

_Alignas(64) unsigned char lines[4096];
extern _Alignas(128) unsigned char pages[4096];

// CHECK-LABEL: whole:
// CHECK: memlift_copy_a64
void whole(size_t n) {
  for (size_t i = 0; i < n; i++)
    lines[i] = pages[i];
}

// CHECK-LABEL: clear:
// CHECK: memlift_fill64_a64
void clear(size_t n) {
  for (size_t i = 0; i < n; i++)
    lines[i] = 0;
}

// One of them is no more than a multiple of 8, or lies between two lines.
// CHECK-LABEL: partly:
// CHECK: memlift_copy_a8
void partly(size_t n) {
  for (size_t i = 0; i < n; i++)
    lines[i] = from[i];
}

// CHECK-LABEL: between:
// CHECK: memlift_fill64_a8
void between(size_t n) {
  for (size_t i = 0; i < n; i++)
    lines[i + 32] = 0x20;
}

// One byte in: not a multiple of 8.
// CHECK-LABEL: shifted:
// CHECK-NOT: _a8
// CHECK: .size
void shifted(size_t n) {
  for (size_t i = 0; i < n; i++)
    ring[i + 1] = from[i];
}
