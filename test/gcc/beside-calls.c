// beside-calls.c - a call of memcpy stays where its bytes are written or read right beside it
// RUN: %memlift-gcc -O2 -S %s -o - | %filecheck %s
#include <stdio.h>

// The sum reads what the copy has just stored, by words: masked vectors are not forwarded to these.
// CHECK-LABEL: carried:
// CHECK: call memcpy
// CHECK-NOT: memlift_
// CHECK: .size carried
unsigned long a[20], b[20], c[20];
unsigned long carried(unsigned n) {
  unsigned long from[20], to[20], carry = 1;
  for (unsigned i = 0; i < 20; i++)
    from[i] = a[i] * 3;
  for (unsigned i = 0; i < n; i++)
    to[i] = from[i];
  for (unsigned i = 0; i < n; i++) {
    to[i] += carry;
    carry = to[i] < carry;
  }
  for (unsigned i = 0; i < n; i++)
    b[i] = to[i] ^ carry;
  return carry;
}

// Near miss: other objects are written before the copy and read after it.
// CHECK-LABEL: apart:
// CHECK: call memlift_copy
// CHECK: .size apart
unsigned long to[20], others[20];
unsigned long apart(unsigned n) {
  others[n % 20] = n;
  for (unsigned i = 0; i < n; i++)
    to[i] = a[i];
  return others[1];
}

// CHECK-LABEL: written:
// CHECK: {{call|jmp}} memcpy
// CHECK-NOT: memlift_
// CHECK: .size written
void written(unsigned n) {
  for (unsigned i = 0; i < n; i++)
    b[i] = a[i] * 3;
  for (unsigned i = 0; i < n; i++)
    c[i] = b[i];
}

// Near misses: assembler, or a function of the C library, takes its time before the bytes are read.
// CHECK-LABEL: later:
// CHECK: call memlift_copy
// CHECK: .size later
unsigned long later(unsigned n) {
  for (unsigned i = 0; i < n; i++)
    c[i] = a[i];
  __asm__ volatile("" ::: "memory");
  return c[1];
}
// CHECK-LABEL: given:
// CHECK: call memlift_copy
// CHECK: .size given
void given(unsigned n) {
  for (unsigned i = 0; i < n; i++)
    c[i] = a[i];
  fwrite(c, sizeof *c, n, stdout);
}
