// chain-values.c - the code beside a chain's call keeps its registers and its signed comparisons
// RUN: %memlift-gcc -O2 -fno-tree-vectorize -S %s -o - | %filecheck %s
//
// n - 16 >= 0 is a test of a sign. What the call needs is copied where it is needed, so no value of
// the loops has a register that is saved at the function's entry for the call. GCC 12 to 14 push
// registers before the call, GCC 15 and 16 make room on the stack; vectors of GCC 15 have a frame.
// CHECK-LABEL: blocks:
// CHECK-NOT: {{push|%rsp|2147483}}
// CHECK: movzwl
// CHECK-NOT: {{push|%rsp}}
// CHECK: ret
// CHECK: {{push|subq.*%rsp}}
// CHECK-NOT: 2147483
// CHECK: call{{.*}}memlift_sum_u16
typedef unsigned short u16;

unsigned long blocks(const u16 *w, int n) {
  unsigned long sum = 0;
  while ((n -= 16) >= 0) {
    sum += w[0], sum += w[1], sum += w[2], sum += w[3];
    sum += w[4], sum += w[5], sum += w[6], sum += w[7];
    w += 8;
  }
  n += 16;
  while ((n -= 2) >= 0)
    sum += *w++;
  return sum + *(const unsigned char *)w + n;
}
