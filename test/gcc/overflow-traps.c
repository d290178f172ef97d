// overflow-traps.c - under -ftrapv signed arithmetic stops the program where it did; the rest is lowered
//
// GCC makes the checking calls when it writes code, so nothing but the type tells before that.
// RUN: %memlift-gcc -O2 -ftrapv -fno-tree-loop-distribute-patterns --memlift-runtime=memlift \
// RUN:   -fopt-info-all-optall -S %s -o %t.s 2>&1 | grep memlift: | %filecheck %s
// RUN: for option in "-O1 -ftrapv" "-O2 -ftrapv" "-O3 -ftrapv" "-O2 -DATTRIBUTE" \
// RUN:     "-O2 -ftrapv --memlift-runtime=none --memlift-core=cva6"; do \
// RUN:   %memlift-gcc $option -DMAIN %s -o %t.run || exit 1; \
// RUN:   for which in 1 2; do timeout 20 %t.run $which; status=$?; [ $status = 134 ] \
// RUN:     || { echo "not stopped: $option $which: $status"; exit 1; }; done; \
// RUN:   %t.run || { echo "failed: $option"; exit 1; }; done
// REQUIRES: runtime
#include <limits.h>
#include <stddef.h>

#ifdef ATTRIBUTE
#define TRAPS __attribute__((noinline, noclone, optimize("trapv")))
#else
#define TRAPS __attribute__((noinline, noclone))
#endif

// CHECK-DAG: [[#@LINE+3]]:{{.*}}[MLF2018]
TRAPS int sum(const int *p, size_t n) {
  int s = 0;
  for (size_t i = 0; i < n; i++)
    s += p[i];
  return s;
}
// CHECK-DAG: [[#@LINE+3]]:{{.*}}[MLF2018]
TRAPS int weighted(const int *p, size_t n) {
  int s = 0;
  for (size_t i = 0; i < n; i++)
    s = s * 31 + p[i];
  return s;
}
/* GCC itself loses the traps of these two, at some levels: they are kept for what they are. */
// CHECK-DAG: [[#@LINE+2]]:{{.*}}[MLF2018]
TRAPS void negated(int *d, const int *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = -s[i];
}
// CHECK-DAG: [[#@LINE+2]]:{{.*}}[MLF2018]
TRAPS void stepped(unsigned char *p, int from, int to) {
  for (int i = from; i <= to; i += 3)
    p[i - from & 3] = 2;
}

// CHECK-DAG: [[#@LINE+3]]:{{.*}}[MLF1001]
TRAPS unsigned unsignedSum(const unsigned *p, size_t n) {
  unsigned s = 0;
  for (size_t i = 0; i < n; i++)
    s += p[i];
  return s;
}
// CHECK-DAG: [[#@LINE+2]]:{{.*}}[MLF1001]
TRAPS void fill(unsigned *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = 77;
}
/* i < n: no step overflows. */
// CHECK-DAG: [[#@LINE+2]]:{{.*}}[MLF100{{[13]}}]
TRAPS void signedIndex(unsigned *restrict p, const unsigned *restrict s, int n) {
  for (int i = 0; i < n; i++)
    p[i] = s[i];
}

#ifdef MAIN
#include <signal.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  static int p[100];
  static unsigned u[100], v[100];
  for (int i = 0; i < 100; i++)
    p[i] = 0x7000000, u[i] = 0x70000000;
  switch (argc > 1 ? atoi(argv[1]) : 0) {
  case 1: return sum(p, 99) & 1;
  case 2: return weighted(p, 99) & 1;
  default: break;
  }
  fill(v, 100);
  if (v[99] != 77 || unsignedSum(u, 3) != 0x50000000 || sum(p, 10) != 0x46000000)
    return 1;
  signedIndex(v, u, 50);
  signedIndex(v, u, 0);
  return !(v[49] == 0x70000000 && v[50] == 77);
}
#endif
