// products-first.c - products stand side by side where an addition right behind one waits: on CVA6
//
// REQUIRES: riscv64-gcc
// RUN: %build/bin/memlift-riscv64-linux-gnu-gcc -march=rv64imac -mabi=lp64 -O3 -ffreestanding -w \
// RUN:   --memlift-core=cva6 --memlift-runtime=none --memlift-verify -S %s -o - \
// RUN:   | grep -oE '^[a-z]+:|^[[:space:]](mulw?|addw|sw)[[:space:]]' | %filecheck %s
// Rocket takes six cycles for each: there is time beside them.
// RUN: %build/bin/memlift-riscv64-linux-gnu-gcc -march=rv64imac -mabi=lp64 -O3 -ffreestanding -w \
// RUN:   --memlift-core=rocket --memlift-runtime=none -S %s -o - \
// RUN:   | grep -oE '^[a-z]+:|^[[:space:]](mulw?|addw|sw)[[:space:]]' | not %filecheck %s 2>&1 \
// RUN:   | grep "error: CHECK"

// CHECK-LABEL: scaled:
// CHECK-NEXT: mul
// CHECK-NEXT: mul
// CHECK-NEXT: mul
// CHECK-NEXT: mul
// CHECK-NEXT: addw
// CHECK-NEXT: addw
// CHECK-NEXT: addw
// CHECK-NEXT: addw
// CHECK-NEXT: sw
// CHECK-NEXT: sw
// CHECK-NEXT: sw
// CHECK-NEXT: sw
// CHECK-NEXT: mul
// CHECK-NEXT: mul
void scaled(unsigned *restrict d, const unsigned *restrict s, unsigned a, unsigned long n) {
  for (unsigned long i = 0; i < n; i++)
    d[i] += a * s[i];
}
