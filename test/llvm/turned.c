// turned.c - counters that an exclusive or subtracts, in loops that would be straight code later
// RUN: %each %clang -O2 -c -o /dev/null %s -Rpass=memlift -Rpass-missed=memlift \
// RUN:   -Rpass-analysis=memlift 2>&1 | %filecheck %s %end
// RUN: %each %clang -O2 %s %libmemlift -o %t-$v && %t-$v %end
// RUN: %each %clang -O3 %s %libmemlift -o %t-$v && %t-$v %end
#include <stdio.h>
#include <string.h>

// As LLVM 18 has 7 - i.
// CHECK: turned.c:[[#@LINE+2]]:{{.*}} [MLF3005]
__attribute__((noinline)) void eight(unsigned char *restrict d, const unsigned char *restrict s) {
  for (int i = 0; i < 8; i++)
    d[i] = s[i ^ 7];
}

// Beyond 7 the order changes within each 8 bytes.
// CHECK: turned.c:[[#@LINE+2]]:{{.*}} copy loop kept: {{.*}} [MLF2013]
__attribute__((noinline)) void sixteen(unsigned char *restrict d, const unsigned char *restrict s) {
  for (int i = 0; i < 16; i++)
    d[i] = s[i ^ 7];
}

// 6 is no mask of low bits.
// CHECK: turned.c:[[#@LINE+2]]:{{.*}} copy loop kept: {{.*}} [MLF2013]
__attribute__((noinline)) void holes(unsigned char *restrict d, const unsigned char *restrict s) {
  for (int i = 0; i < 8; i++)
    d[i] = s[i ^ 6];
}

// Regions that may overlap: the loop stays for these.
// CHECK: turned.c:[[#@LINE+2]]:{{.*}} [MLF1003]
__attribute__((noinline)) void anywhere(unsigned char *d, const unsigned char *s) {
  for (int i = 0; i < 8; i++)
    d[i] = s[i ^ 7];
}

typedef void function(unsigned char *, const unsigned char *);

static int differs(function *f, int n, int mask, int to, int from) {
  unsigned char got[64], wanted[64];
  for (int i = 0; i < 64; i++)
    got[i] = wanted[i] = (unsigned char)(37 * i + 11);
  for (volatile int i = 0; i < n; i++)
    wanted[to + i] = wanted[from + (i ^ mask)];
  f(got + to, got + from);
  if (!memcmp(got, wanted, sizeof got))
    return 0;
  printf("mask %d of %d, from %d to %d\n", mask, n, from, to);
  return 1;
}

int main(void) {
  int wrong =
      differs(eight, 8, 7, 3, 32) + differs(sixteen, 16, 7, 3, 32) + differs(holes, 8, 6, 3, 32);
  for (int to = 0; to < 48; to++)
    wrong += differs(anywhere, 8, 7, to, 20);
  return wrong != 0;
}
