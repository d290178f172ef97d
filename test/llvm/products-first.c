// products-first.c - products stand side by side where an addition right behind one waits: on CVA6
//
// RUN: %each %clang --target=riscv64-linux-gnu -march=rv64imac -mabi=lp64 -O3 -ffreestanding -w \
// RUN:   -mllvm -memlift-core=cva6 -mllvm -memlift-runtime=none -S -emit-llvm %s -o - | %filecheck %s %end
// RUN: %each %clang --target=riscv64-linux-gnu -march=rv64imac -mabi=lp64 -O3 -ffreestanding -w \
// RUN:   -mllvm -memlift-core=sifive-u74 -mllvm -memlift-runtime=none -S -emit-llvm %s -o - \
// RUN:   | %filecheck --check-prefix=APART %s %end

// CHECK-LABEL: define {{.*}}@scaled(
// CHECK: = mul i32
// CHECK-NEXT: = mul i32
// CHECK-NEXT: = mul i32
// CHECK-NEXT: = mul i32
// CHECK-NEXT: asm {{.*}}"=r,=r,=r,=r,0,1,2,3"
// The U74 waits for nothing.
// APART-LABEL: define {{.*}}@scaled(
// APART: = mul i32
// APART-NEXT: = add i32
void scaled(unsigned *restrict d, const unsigned *restrict s, unsigned a, unsigned long n) {
  for (unsigned long i = 0; i < n; i++)
    d[i] += a * s[i];
}
