// products.c - CRCs in place: the target of the function decides how
// RUN: %memlift-gcc -O2 -mpclmul --memlift-runtime=none -fopt-info-optimized -S %s -o - 2>&1 \
// RUN:   | %filecheck --check-prefix=PRODUCTS %s
// RUN: %memlift-gcc -O2 -march=haswell -ffreestanding -fopt-info-optimized -S %s -o - 2>&1 \
// RUN:   | %filecheck --check-prefixes=PRODUCTS,BOTH %s
// RUN: %memlift-gcc -O2 -msse4.2 -ffreestanding -S %s -o - | %filecheck --check-prefix=STEPS %s
// RUN: %memlift-gcc -O2 -mgeneral-regs-only -mcrc32 -ffreestanding -DPLAIN -S %s -o - \
// RUN:   | %filecheck --check-prefix=STEPS --implicit-check-not=xmm %s
// RUN: %memlift-gcc -O2 -flto -mpclmul -msse4.2 -ffreestanding -c %s -o %t.o
// RUN: %gcc12 -flto -r -flinker-output=nolto-rel -fplugin=%plugingcc %t.o -o %t.r.o

// Near misses: no such instruction, no registers for it, a size to keep small.
// RUN: rm -f %t.yaml
// RUN: %memlift-gcc -O2 --memlift-runtime=none --memlift-remarks=%t.yaml -S %s -o - \
// RUN:   | %filecheck --check-prefixes=NONE,OWN %s
// RUN: %filecheck --check-prefix=WHY %s <%t.yaml
// RUN: %memlift-gcc -O2 -mpclmul -mgeneral-regs-only -ffreestanding -DPLAIN -S %s -o - \
// RUN:   | %filecheck --check-prefix=NONE %s
// RUN: %memlift-gcc -O2 -mpclmul -mno-sse -ffreestanding -DPLAIN -S %s -o - \
// RUN:   | %filecheck --check-prefix=NONE %s
// RUN: %memlift-gcc -Os -mpclmul -ffreestanding -DPLAIN -S %s -o - \
// RUN:   | %filecheck --check-prefix=NONE %s
// RUN: %memlift-gcc -O2 -m32 -mpclmul -msse2 -ffreestanding -DPLAIN -S %s -o - \
// RUN:   | %filecheck --check-prefix=NONE %s
#include "../e2e/Inputs/products.h"

// PRODUCTS-LABEL: any:
// PRODUCTS: pclmulqdq
// STEPS-LABEL: any:
// STEPS-NOT: pclmulqdq
// NONE-LABEL: any:
// NONE-NOT: pclmulqdq
// WHY: Code: {{.*}}MLF3012
// WHY: Have: {{.*}}the target has none; -mpclmul allows it
UP(any, 0x8bb7)

// BOTH-LABEL: castagnoli:
// BOTH: pclmul
// BOTH: crc32q
// STEPS-LABEL: castagnoli:
// STEPS: crc32q
DOWN(castagnoli, 0x82f63b78)

// The function's own target: an attribute.
// NONE-LABEL: own:
// OWN: pclmulqdq
#ifndef PLAIN
__attribute__((target("pclmul")))
#endif
UP(own, 0x1021)
