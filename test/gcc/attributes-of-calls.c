// attributes-of-calls.c - what the optimiser knew stays: a call touches its arguments' memory only
// RUN: %memlift-gcc -O2 -fdump-tree-optimized=%t.tree -S %s -o %t.s && %filecheck %s < %t.tree
#include <stddef.h>

int counter;

// The global is read once: neither routine can have changed it.
// CHECK-LABEL: ;; Function global
// CHECK: memlift_fill32
// CHECK-NOT: = counter
// CHECK: }
int global(int *restrict p, size_t n) {
  counter = 5;
  for (size_t i = 0; i < n; i++) p[i] = 3;
  return counter;
}

// A local array that is filled by a call stays known to no one else.
void use(int);
// CHECK-LABEL: ;; Function local
// CHECK-DAG: memlift_fill32
// CHECK-DAG: use (1)
int local(size_t n) {
  int a[64], other[4] = {1, 2, 3, 4};
  for (size_t i = 0; i < (n & 63); i++) a[i] = (int)n;
  use(other[0]);
  return a[n & 31];
}

// Rows may go down from the pointer that is passed: nothing below it is taken for known.
// CHECK-LABEL: ;; Function upwards
// CHECK: memlift_fill_2d
// CHECK-NOT: return 1;
// CHECK: }
int upwards(size_t w, size_t h, size_t pitch, int v) {
  int image[100];
  image[3] = 1;
  int *from = image + 50;
  for (size_t y = 0; y < h; y++, from -= pitch)
    for (size_t x = 0; x < w; x++) from[x] = v;
  return image[3];
}

// The source of a copy is read only.
// CHECK-LABEL: ;; Function source
// CHECK: memlift_
// CHECK: return 9;
size_t length(size_t n) __attribute__((const)); // a copy of what was just written stays memcpy
int source(int *restrict d, int *restrict s, size_t n) {
  s[0] = 9;
  n = length(n);
  for (size_t i = 0; i < n; i++) d[i] = s[i];
  return s[0];
}

// A sum only reads, and only its region: it is made once, and the global is known.
// CHECK-LABEL: ;; Function twice
// CHECK-NOT: = counter
// CHECK: memlift_sum_u8
// CHECK-NOT: memlift_sum_u8
// CHECK-NOT: = counter
// CHECK: }
unsigned twice(const unsigned char *p) {
  unsigned a = 0, b = 0;
  counter = 7;
  for (size_t i = 0; i < 1000; i++) a += p[i];
  for (size_t i = 0; i < 1000; i++) b += p[i];
  return a * b + (unsigned)counter;
}

// Two CRCs of one polynomial share its table.
// CHECK-LABEL: ;; Function crcs
// CHECK: memlift_crc ({{.*}}, &[[TABLE:memlift_crc[.0-9]+]])
// CHECK: memlift_crc ({{.*}}, &[[TABLE]])
// CHECK: }
static unsigned crc(unsigned c, const unsigned char *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    c ^= p[i];
    for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xedb88320 : c >> 1;
  }
  return c;
}
unsigned crcs(const unsigned char *p, const unsigned char *q, size_t n) {
  return crc(1, p, n) ^ crc(2, q, n);
}
