// registers.c - steps of a shift register stay where vectors run them for many iterations at once
// RUN: %each %clang -O3 -mavx2 -S -emit-llvm %s -o - | %filecheck %s %end

typedef unsigned short u16;

// Each register starts anew: sixteen are in a vector of AVX2.
// CHECK-LABEL: @each(
// CHECK-NOT: memlift
// CHECK: lshr <16 x i16>
void each(u16 *restrict d, const u16 *restrict s, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    u16 c = s[i];
    for (int k = 0; k < 8; k++)
      c = c >> 1 ^ (-(c & 1) & 0xa001);
    d[i] = c;
  }
}

// The register goes on from one iteration to the next, and all of them are stored.
// CHECK-LABEL: @chain(
// CHECK: getelementptr {{.*}}@memlift
void chain(u16 *restrict d, const u16 *restrict s, unsigned n) {
  u16 c = 0;
  for (unsigned i = 0; i < n; i++) {
    c ^= s[i] & 255;
    for (int k = 0; k < 8; k++)
      c = c >> 1 ^ (-(c & 1) & 0xa001);
    d[i] = c;
  }
}

// Nothing is a vector where a call is in the loop.
unsigned next(void);
// CHECK-LABEL: @calls(
// CHECK: getelementptr {{.*}}@memlift
void calls(u16 *restrict d, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    u16 c = (u16)next();
    for (int k = 0; k < 8; k++)
      c = c >> 1 ^ (-(c & 1) & 0xa001);
    d[i] = c;
  }
}
