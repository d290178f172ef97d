// few-iterations.c - a loop for few iterations beside its call is compiled as it would be alone
// RUN: %each %clang -O2 -S -emit-llvm %s -o - | %filecheck %s %end

// Few iterations are too few for vectors, but the loop is unrolled.
// CHECK-LABEL: @words(
// CHECK: call i32 @memlift_sum_low_u32
// CHECK-COUNT-8: load i32
unsigned words(const unsigned *p, unsigned long n) {
  unsigned sum = 0;
  for (unsigned long i = 0; i < n; i++)
    sum += p[i];
  return sum;
}

// It runs where the regions overlap, too: it stays as it is.
// CHECK-LABEL: @down(
// CHECK: call void @memlift_move
// CHECK-COUNT-1: load i32
// CHECK-NOT: load i32
void down(unsigned *to, const unsigned *from, unsigned long n) {
  for (unsigned long i = n; i-- > 0;)
    to[i] = from[i];
}

// The count of a do loop, (n + 3) / 8 + 1 or 1, is computed for the call alone.
// CHECK-LABEL: @wild(
// CHECK-NOT: {{lshr|call}}
// CHECK: icmp {{.*}}i32 %{{.*}}, {{68|69}}
// CHECK-NOT: {{lshr|call}}
// CHECK: br
// CHECK: call void @memlift_copy_forward
void wild(unsigned char *d, const unsigned char *s, unsigned n) {
  unsigned char *end = d + 4 + n;
  do {
    __builtin_memcpy(d, s, 8);
    d += 8, s += 8;
  } while (d < end);
}
