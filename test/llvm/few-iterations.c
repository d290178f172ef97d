// few-iterations.c - a loop for few iterations beside its call is compiled as it would be alone
// RUN: %each %clang -O2 -S -emit-llvm %s -o - | %filecheck %s %end
// RUN: %each %clang -O2 -mavx2 -S -emit-llvm %s -o - | %filecheck --check-prefix=WIDE %s %end

// Up to 256 bytes the compiler's vectors are as fast as a call, and wider ones at all lengths.
// CHECK-LABEL: @words(
// CHECK: icmp {{.*}}i64 %{{.*}}, 6{{[45]$}}
// CHECK-DAG: call i32 @memlift_sum_low_u32
// CHECK-DAG: load <4 x i32>
// CHECK: ret i32
// WIDE-LABEL: @words(
// WIDE-NOT: call i32 @memlift
// WIDE: ret i32
unsigned words(const unsigned *p, unsigned long n) {
  unsigned sum = 0;
  for (unsigned long i = 0; i < n; i++)
    sum += p[i];
  return sum;
}

// CHECK-LABEL: @down(
// CHECK: icmp {{.*}}i64 %{{.*}}, 6{{[45]$}}
// CHECK: call void @memlift_move
void down(unsigned *to, const unsigned *from, unsigned long n) {
  for (unsigned long i = n; i-- > 0;)
    to[i] = from[i];
}

// The count of a do loop, (n + 3) / 8 + 1 or 1, is computed for the call alone.
// CHECK-LABEL: @wild(
// CHECK-NOT: {{lshr|call}}
// CHECK: icmp {{.*}}i32 %{{.*}}, {{252|253}}
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

// Four words unrolled need no test for overlap.
// CHECK-LABEL: @limbs(
// CHECK-NOT: icmp
// CHECK-COUNT-4: load i64
// CHECK-NOT: icmp
// CHECK: ret void
void limbs(unsigned long *d, const unsigned long *s) {
  for (int i = 0; i < 4; i++)
    d[i] = s[i];
}

// 48 bytes are vectors under the compiler's own test, 32 are unrolled by it, which are bytes.
// CHECK-LABEL: @vectors(
// CHECK: icmp {{ult .*, 16|ugt .*, -16}}
// CHECK: load <16 x i8>
// CHECK: ret void
void vectors(unsigned char *d, const unsigned char *s) {
  for (int i = 0; i < 48; i++)
    d[i] = s[i];
}
// CHECK-LABEL: @unrolled(
// CHECK: icmp {{.*}}, {{31|32}}
// CHECK: ret void
void unrolled(unsigned char *d, const unsigned char *s) {
  for (int i = 0; i < 32; i++)
    d[i] = s[i];
}
