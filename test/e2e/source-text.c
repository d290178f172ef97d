// source-text.c - remarks show the expressions of the source, the same from each compiler.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && for cc in %wrappers; do \
// RUN:   $cc -g -O2 -c %s -o one.o --memlift-remarks=r.yaml && \
// RUN:   sed -n "s/^\(Function\|  - Have\): *'\(.*\)'$/\1: \2/p" r.yaml >have && \
// RUN:   %filecheck %s --input-file=have && \
// RUN:   not grep -E '\((zext|sext|trunc|add|sub|mul|select) |:(32|64)\b|[%%&$][a-z]|@[0-9]' have \
// RUN:   || { echo "failed: $cc"; exit 1; }; \
// RUN: done
#include <stddef.h>
#include <stdint.h>

// CHECK-LABEL: Function: fill
// CHECK: Have: n{{$}}
// CHECK: Have: value{{$}}
// CHECK: Have: 4 * n bytes{{$}}
// CHECK: Have: 4 bytes: value{{$}}
void fill(uint32_t *to, uint32_t value, size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] = value;
}

// CHECK-LABEL: Function: all_but_one
// CHECK: Have: from[...]{{$}}
// CHECK: Have: 2 * n - 2 bytes{{$}}
// CHECK: Have: from{{$}}
void all_but_one(uint16_t *restrict to, const uint16_t *restrict from, size_t n) {
  for (size_t i = 0; i + 1 < n; i++)
    to[i + 1] = from[i];
}

// CHECK-LABEL: Function: backwards
// CHECK: Have: n bytes{{$}}
// CHECK: Have: from{{$}}
void backwards(uint8_t *restrict to, const uint8_t *restrict from, unsigned n) {
  for (unsigned i = n; i > 0; i--)
    to[i - 1] = from[i - 1];
}

// CHECK-LABEL: Function: sum
// CHECK: Have: n{{$}}
// CHECK: Have: total: total + data[i]{{$}}
// CHECK: Have: n bytes{{$}}
uint32_t sum(const uint8_t *data, size_t n) {
  uint32_t total = 0;
  for (size_t i = 0; i < n; i++)
    total += data[i];
  return total;
}

// CHECK-LABEL: Function: pairs
// CHECK: Have: (n - 1) / 2 + 1{{$}}
// CHECK: Have: total: total + (data[2 * i] << 8 | data[2 * i + 1]){{$}}
// CHECK: Have: 2 * ((n - 1) / 2) + 2 bytes{{$}}
uint32_t pairs(const uint8_t *data, size_t n) {
  uint32_t total = 0;
  for (size_t i = 0; i < n; i += 2)
    total += (uint32_t)(data[i] << 8) | data[i + 1];
  return total;
}

// CHECK-LABEL: Function: rows
// CHECK: Have: height{{$}}
// CHECK: Have: colour{{$}}
// CHECK: Have: height rows, pitch bytes apart, of width bytes{{$}}
// CHECK: Have: 1 byte: colour{{$}}
void rows(uint8_t *screen, size_t pitch, size_t width, size_t height, uint8_t colour) {
  for (size_t y = 0; y < height; y++)
    for (size_t x = 0; x < width; x++)
      screen[y * pitch + x] = colour;
}

// CHECK-LABEL: Function: derived
// CHECK: Have: from[i] ^ 0x5a{{$}}
// CHECK: Have: 8 * n bytes{{$}}
void derived(uint64_t *restrict to, const uint64_t *restrict from, size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] = from[i] ^ 0x5a;
}

// CHECK-LABEL: Function: halves
// CHECK: Have: bytes / 2{{$}}
// CHECK: Have: from[i]{{$}}
// CHECK: Have: 2 * (bytes / 2) bytes{{$}}
void halves(uint16_t *to, const uint16_t *from, unsigned bytes) {
  for (unsigned i = 0; i < bytes / 2; i++)
    to[i] = from[i];
}
