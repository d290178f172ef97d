// products.c - CRCs in place: the target of the function decides how
// RUN: %each %clang -O2 -mpclmul -mllvm -memlift-runtime=none -Rpass=memlift -S -emit-llvm %s \
// RUN:   -o - 2>&1 | %filecheck --check-prefixes=X86 %s %end
// RUN: %each %clang -O2 -march=haswell -mllvm -memlift-runtime=none -Rpass=memlift -S -emit-llvm \
// RUN:   %s -o - 2>&1 | %filecheck --check-prefixes=X86,STEP86 %s %end
// RUN: %each %clang -O2 -msse4.2 -mllvm -memlift-runtime=none -S -emit-llvm %s -o - \
// RUN:   | %filecheck --check-prefixes=ONLY86 %s %end
// RUN: %each %clang -O2 -mgeneral-regs-only -mcrc32 -ffreestanding -S -emit-llvm %s -o - \
// RUN:   | %filecheck --check-prefixes=ONLY86 %s %end
// RUN: %each %clang --target=riscv64-linux-gnu -march=rv64gc_zbc -O2 -ffreestanding -Rpass=memlift \
// RUN:   -S -emit-llvm %s -o - 2>&1 | %filecheck --check-prefix=RISCV %s %end
// RUN: %each %clang --target=riscv64-linux-gnu -march=rv64gcv_zbkc -O2 -ffreestanding -S %s -o - \
// RUN:   | %filecheck --check-prefix=ZBKC %s %end
// RUN: %each %clang --target=aarch64-linux-gnu -march=armv8-a+aes -O2 -ffreestanding -S -emit-llvm \
// RUN:   %s -o - | %filecheck --check-prefix=ARM %s %end
// RUN: %each %clang --target=aarch64-linux-gnu -march=armv8.1-a -O2 -ffreestanding -S %s -o - \
// RUN:   | %filecheck --check-prefix=STEPARM %s %end

// Near misses: no such instruction, one that needs registers which may not be used, a size to keep
// small, another word size, another byte order.
// RUN: %each %clang -O2 -mllvm -memlift-runtime=none -fsave-optimization-record \
// RUN:   -foptimization-record-passes=memlift -foptimization-record-file=%t.yaml -S -emit-llvm %s \
// RUN:   -o - | %filecheck --check-prefixes=NONE,OWN %s && \
// RUN:   %filecheck --check-prefix=WHY %s <%t.yaml %end
// RUN: %each %clang -O2 -mpclmul -mno-implicit-float -ffreestanding -S -emit-llvm %s -o - \
// RUN:   | %filecheck --check-prefix=NONE %s %end
// RUN: %each %clang -Os -mpclmul -ffreestanding -S -emit-llvm %s -o - \
// RUN:   | %filecheck --check-prefix=SMALL %s %end
// RUN: %each %clang -m32 -mpclmul -O2 -ffreestanding -S -emit-llvm %s -o - \
// RUN:   | %filecheck --check-prefix=NONE %s %end
// RUN: %each %clang --target=riscv64-linux-gnu -O2 -ffreestanding -S -emit-llvm %s -o - \
// RUN:   | %filecheck --check-prefix=NONE %s %end
// RUN: %each %clang --target=aarch64-linux-gnu -O2 -ffreestanding -S -emit-llvm %s -o - \
// RUN:   | %filecheck --check-prefix=NONE %s %end
// RUN: %each %clang --target=aarch64_be-linux-gnu -march=armv8-a+aes -O2 -ffreestanding -S \
// RUN:   -emit-llvm %s -o - | %filecheck --check-prefix=NONE %s %end
#include "../e2e/Inputs/products.h"

// X86: remark: loop became a faster loop in place: carry-less products, 16 bytes at a time [MLF1010]
// RISCV: remark: loop became a faster loop in place: carry-less products, 16 bytes at a time [MLF1010]
// STEP86: remark: {{.*}}in place: carry-less products, and the CRC instruction [MLF1010]

// X86-LABEL: @any(
// X86: call <2 x i64> @llvm.x86.pclmulqdq(
// ONLY86-LABEL: @any(
// ONLY86-NOT: pclmulqdq
// RISCV-LABEL: @any(
// RISCV: call i64 @llvm.riscv.clmulh.i64(
// ZBKC-LABEL: any:
// ZBKC: clmulh
// ZBKC-NOT: vsetvli
// ARM-LABEL: @any(
// ARM: call <16 x i8> @llvm.aarch64.neon.pmull64(
// STEPARM-LABEL: any:
// STEPARM-NOT: pmull
// NONE-LABEL: @any(
// NONE-NOT: pclmulqdq
// NONE-NOT: clmul
// NONE-NOT: pmull
// WHY: Code: {{.*}}MLF3012
// WHY: Have: {{.*}}the target has none; -mpclmul allows it
// SMALL-LABEL: @any(
// SMALL-NOT: pclmulqdq
UP(any, 0x8bb7)

// STEP86-LABEL: @castagnoli(
// STEP86: call i64 @llvm.x86.sse42.crc32.64.64(
// ONLY86-LABEL: @castagnoli(
// ONLY86: call i64 @llvm.x86.sse42.crc32.64.64(
// ARM-LABEL: @castagnoli(
// STEPARM-LABEL: castagnoli:
// STEPARM: crc32cx
DOWN(castagnoli, 0x82f63b78)

// x86 has no instruction for this one.
// STEPARM-LABEL: zip:
// STEPARM: crc32x
// ONLY86-LABEL: @zip(
// ONLY86-NOT: call i64 @llvm.x86.sse42
DOWN(zip, 0xedb88320)

// The function's own target: an attribute.
// NONE-LABEL: @own(
// OWN: call <2 x i64> @llvm.x86.pclmulqdq(
#ifdef __x86_64__
__attribute__((target("pclmul")))
#endif
UP(own, 0x1021)
