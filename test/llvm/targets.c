// targets.c - other targets: arguments are passed as C passes them, big endian is known
// RUN: %each %clang --target=riscv64-linux-gnu -mcpu=sifive-u74 -O2 -ffreestanding -mllvm \
// RUN:   -memlift-runtime=memlift -S -emit-llvm %s -o - \
// RUN:   | %filecheck --check-prefixes=CHECK,RISCV %s %end
// RUN: %each %clang --target=powerpc64-linux-gnu -O2 -ffreestanding -mllvm \
// RUN:   -memlift-runtime=memlift -S -emit-llvm %s -o - \
// RUN:   | %filecheck --check-prefixes=CHECK,POWER %s %end
// RUN: %each %clang --target=powerpc64-linux-gnu -O2 -ffreestanding -mllvm -memlift-print-loops \
// RUN:   -c %s -o %t.o 2>&1 | grep 'target 64 big' %end
// RUN: %each %clang --target=i686-linux-gnu -mregparm=3 -O2 -ffreestanding -mllvm \
// RUN:   -memlift-runtime=memlift -S -emit-llvm %s -o - \
// RUN:   | %filecheck --check-prefix=I686 %s %end
// GPUs have nothing to call.
// RUN: %each %clang --target=nvptx64 -O2 -ffreestanding -mllvm -memlift-runtime=memlift -S \
// RUN:   -emit-llvm %s -o - | not grep memlift_ %end
typedef __SIZE_TYPE__ size_t;

// CHECK-LABEL: @fill16(
// CHECK: call void @memlift_fill16(ptr {{.*}}, i16 zeroext %{{.*}}, i64
// I686-LABEL: @fill16(
// I686: call void @memlift_fill16(ptr {{.*}}, i16 {{.*}}, i32
void fill16(unsigned short *p, size_t n, unsigned short v) {
  for (size_t i = 0; i < n; i++)
    p[i] = v;
}

// RISCV: call void @memlift_fill32(ptr {{.*}}, i32 signext %{{.*}}, i64
// POWER: call void @memlift_fill32(ptr {{.*}}, i32 zeroext %{{.*}}, i64
// I686: declare void @memlift_fill32(ptr inreg, i32 inreg, i32 inreg)
void fill32(unsigned *p, size_t n, unsigned v) {
  for (size_t i = 0; i < n; i++)
    p[i] = v;
}
