// few-vectors.c - a loop for few iterations beside its call has the vectoriser's own vectors
// RUN: %memlift-gcc -O3 -S %s -o - | %filecheck %s
// RUN: %memlift-gcc -O3 -mavx2 -S %s -o - | %filecheck --check-prefix=WIDE %s

// Up to 256 bytes the compiler's vectors are as fast as a call, and wider ones at all lengths.
// CHECK-LABEL: words:
// CHECK-DAG: memlift_sum_low_u32
// CHECK-DAG: cmpq $64,
// CHECK-DAG: paddd
// WIDE-LABEL: words:
// WIDE-NOT: memlift_
// WIDE: .size words
unsigned words(const unsigned *p, unsigned long n) {
  unsigned sum = 0;
  for (unsigned long i = 0; i < n; i++)
    sum += p[i];
  return sum;
}

// CHECK-LABEL: fill:
// CHECK-DAG: memlift_fill32
// CHECK-DAG: cmpq $64,
// CHECK-DAG: movups
// CHECK: .size fill
void fill(unsigned *p, unsigned v, unsigned long n) {
  for (unsigned long i = 0; i < n; i++)
    p[i] = v;
}

// The count of a do loop, (n + 3) / 8 + 1 or 1, is computed for the call alone.
// CHECK-LABEL: wild:
// CHECK-NOT: {{shrq|cmov}}
// CHECK: cmpq $256,
// CHECK: ret
// CHECK: memlift_copy_forward
// CHECK: .size wild
void wild(unsigned char *d, const unsigned char *s, unsigned n) {
  unsigned char *end = d + 4 + n;
  do {
    __builtin_memcpy(d, s, 8);
    d += 8, s += 8;
  } while (d < end);
}
