// few-bytes.c - where GCC makes no call of a copy, memlift makes one for enough bytes only
// RUN: %memlift-gcc -O1 -S %s -o - | %filecheck %s
// RUN: %memlift-gcc -O2 -S %s -o - | %filecheck --check-prefix=CALLS %s
#include <stddef.h>

// At -O1 it keeps the loop, and at -O2 it makes a call of memcpy, which becomes another.
// CHECK-LABEL: copy:
// CHECK: cmpq $9, %rdx
// CHECK: memlift_copy
// CALLS-LABEL: copy:
// CALLS-NOT: cmpq
// CALLS: memlift_copy
void copy(unsigned char *restrict d, const unsigned char *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++) d[i] = s[i];
}

// Never more than 16 bytes: no call at either level but that of memcpy.
// CHECK-LABEL: field:
// CHECK-NOT: memlift_
// CALLS-LABEL: field:
// CALLS-NOT: memlift_
void field(unsigned char *restrict d, const unsigned char *restrict s, unsigned n) {
  unsigned m = n & 15;
  for (unsigned i = 0; i < m; i++) d[i] = s[i];
}
