// pointer-sums.c - an address is a pointer's and a sum's: whose object it lies in
//
// GCC 14 writes a pointer's value behind a loop as a sum of numbers of its own type, sizetype: the
// object is that of the pointer. A sum that the source writes may lead into another object.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %memlift-gcc -O2 %s -o %t/run -w --memlift-print-loops 2>%t/loops && %t/run
// RUN: %memlift-gcc -O3 %s -o %t/run3 -w && %t/run3
// RUN: %filecheck %s <%t/loops
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static unsigned char first[4096], second[4096];
uintptr_t volatile apart;

// Two arrays, but one object: the copy moves up by one byte again and again.
// CHECK-LABEL: function "own_sum"
// CHECK-NOT: base first
// CHECK: base to unknown
// CHECK: move
__attribute__((noipa)) void own_sum(uintptr_t from_first, size_t n) {
  unsigned char *to = (unsigned char *)((uintptr_t)first + from_first);
  for (size_t i = 0; i < n; i++)
    to[i] = second[i];
}

// The difference of two pointers leads from one into the other.
// CHECK-LABEL: function "by_difference"
// CHECK-NOT: base p
// CHECK: move
__attribute__((noipa)) void by_difference(unsigned char *p, unsigned char *q, size_t n) {
  unsigned char *to = (unsigned char *)((uintptr_t)p + ((uintptr_t)q - (uintptr_t)p) + 1);
  for (size_t i = 0; i < n; i++)
    to[i] = q[i];
}

// The compiler's own sum, behind the first loop: both loops are one copy.
// CHECK-LABEL: function "behind"
// CHECK: base d argument
// CHECK: copy lowered MLF1110
typedef uint64_t __attribute__((may_alias)) w64;
__attribute__((noipa)) void behind(unsigned char *restrict d, const unsigned char *restrict s,
                                   size_t n) {
  while (n >= 8) {
    *(w64 *)d = *(const w64 *)s;
    d += 8, s += 8, n -= 8;
  }
  while (n--)
    *d++ = *s++;
}

int main(void) {
  for (int i = 0; i < 4096; i++)
    second[i] = (unsigned char)(i * 7 + (i >> 8));
  unsigned char byte = second[0];
  apart = (uintptr_t)second + 1 - (uintptr_t)first;
  own_sum(apart, 4000);
  for (int i = 0; i < 4000; i++)
    if (second[i + 1] != byte)
      return 1;
  for (int i = 0; i < 4096; i++)
    second[i] = (unsigned char)(i * 5 + (i >> 8));
  byte = second[0];
  by_difference(first, second, 4000);
  for (int i = 0; i < 4000; i++)
    if (second[i + 1] != byte)
      return 2;
  for (size_t n = 0; n < 100; n++) {
    memset(first, 0, sizeof first);
    behind(first, second, n);
    if (memcmp(first, second, n) || first[n])
      return 3;
  }
  return 0;
}
