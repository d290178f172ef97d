// ring.c - a loop that stays beside its call, and may be long, is compiled as it would be alone
// RUN: %each %clang -O2 -S -emit-llvm %s -o - | %filecheck %s %end

// It runs where the ring wraps: the unroller takes it, as without memlift.
// CHECK-LABEL: @put(
// CHECK: call void @memlift_copy
// CHECK-COUNT-3: store i8
void put(unsigned char *ring, const unsigned char *restrict s, unsigned at, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    ring[(at + i) & 1023] = s[i];
}

// It runs where an index of 32 bits wraps, which is rare: it stays as it is.
// CHECK-LABEL: @at(
// CHECK: call void @memlift_copy
// CHECK-COUNT-1: store i8
// CHECK-NOT: store i8
// CHECK: attributes #0
void at(unsigned char *d, const unsigned char *restrict s, unsigned at, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    d[at + i] = s[i];
}
