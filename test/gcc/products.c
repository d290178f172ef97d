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
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef __SIZE_TYPE__ size_t;

// PRODUCTS-LABEL: any:
// PRODUCTS: pclmulqdq
// STEPS-LABEL: any:
// STEPS-NOT: pclmulqdq
// NONE-LABEL: any:
// NONE-NOT: pclmulqdq
// WHY: Code: {{.*}}MLF3012
// WHY: Have: {{.*}}the target has none; -mpclmul allows it
u16 any(u16 c, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    c ^= (u16)(p[i] << 8);
    for (int k = 0; k < 8; k++)
      c = (u16)(c & 0x8000 ? c << 1 ^ 0x8bb7 : c << 1);
  }
  return c;
}

// BOTH-LABEL: castagnoli:
// BOTH: pclmul
// BOTH: crc32q
// STEPS-LABEL: castagnoli:
// STEPS: crc32q
u32 castagnoli(u32 c, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    c ^= p[i];
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ 0x82f63b78 : c >> 1;
  }
  return c;
}

// The function's own target: an attribute.
// NONE-LABEL: own:
// OWN: pclmulqdq
#ifndef PLAIN
__attribute__((target("pclmul")))
#endif
u16 own(u16 c, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    c ^= (u16)(p[i] << 8);
    for (int k = 0; k < 8; k++)
      c = (u16)(c & 0x8000 ? c << 1 ^ 0x1021 : c << 1);
  }
  return c;
}
