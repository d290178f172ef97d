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

// The source of a copy is read only.
// CHECK-LABEL: ;; Function source
// CHECK: memlift_
// CHECK: return 9;
int source(int *restrict d, int *restrict s, size_t n) {
  s[0] = 9;
  for (size_t i = 0; i < n; i++) d[i] = s[i];
  return s[0];
}
