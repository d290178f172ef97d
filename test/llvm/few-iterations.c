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
// CHECK: declare void @memlift_move
void down(unsigned *to, const unsigned *from, unsigned long n) {
  for (unsigned long i = n; i-- > 0;)
    to[i] = from[i];
}
