// few-vectors.c - a loop for few iterations beside its call has the vectoriser's own vectors
// RUN: %memlift-gcc -O3 -S %s -o - | %filecheck %s

// CHECK-LABEL: words:
// CHECK-DAG: memlift_sum_low_u32
// CHECK-DAG: paddd
unsigned words(const unsigned *p, unsigned long n) {
  unsigned sum = 0;
  for (unsigned long i = 0; i < n; i++)
    sum += p[i];
  return sum;
}

// Stores gain less than the vectoriser's tests cost: the loop stays as it is.
// CHECK-LABEL: fill:
// CHECK-NOT: movups
// CHECK: memlift_fill32
// CHECK-NOT: movups
// CHECK: .size fill
void fill(unsigned *p, unsigned v, unsigned long n) {
  for (unsigned long i = 0; i < n; i++)
    p[i] = v;
}
