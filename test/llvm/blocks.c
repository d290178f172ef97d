// blocks.c - fills of zero by DC ZVA: of a core whose record has it, of AArch64 in either order of bytes
// RUN: %each for target in aarch64-linux-gnu aarch64_be-linux-gnu; do \
// RUN:   for options in -O2 "-O3 -mgeneral-regs-only"; do \
// RUN:   %clang --target=$target -mcpu=cortex-a53 $options -ffreestanding -S %s -o - \
// RUN:     | %filecheck %s || { echo "$target $options"; exit 1; }; done; done %end
// Elsewhere nothing comes of it: another core, an architecture without such an instruction, memory that
// is no ordinary one (as before the MMU is on, which is what -mstrict-align is for), little code; nor
// where a routine is called.
// RUN: %each for options in "aarch64-linux-gnu -mcpu=cortex-a72" "aarch64-linux-gnu" \
// RUN:   "aarch64-linux-gnu -mcpu=cortex-a53 -mstrict-align" "aarch64-linux-gnu -mcpu=cortex-a53 -Os" \
// RUN:   "x86_64-linux-gnu -mllvm -memlift-core=cortex-a53" \
// RUN:   "riscv64-linux-gnu -mllvm -memlift-core=cortex-a53" \
// RUN:   "armv7-linux-gnueabi -mllvm -memlift-core=cortex-a53" \
// RUN:   "aarch64-linux-gnu -mcpu=cortex-a53 -mllvm -memlift-runtime=memlift"; do \
// RUN:   case $options in *-O*) level=;; *) level=-O2;; esac; \
// RUN:   %clang --target=$options $level -ffreestanding -S %s -o %t.s && \
// RUN:     %filecheck --check-prefix=NONE %s <%t.s || { echo "$options"; exit 1; }; done %end
typedef unsigned char byte;
typedef unsigned long long word;

// NONE: clear:
// NONE-NOT: dczid
// NONE-NOT: {{dc[[:space:]]+zva}}
// NONE-NOT: DCZID

// The size is tested before the register is read.
// CHECK-LABEL: clear:
// CHECK: cmp {{x[0-9]+}}, #256
// CHECK: mrs [[ID:x[0-9]+]], DCZID_EL0
// CHECK: and [[ID]], [[ID]], #0x1f
// CHECK: cmp [[ID]], #4
// CHECK: dc zva, [[AT:x[0-9]+]]
// CHECK: add [[AT]], [[AT]], #64
// CHECK-LABEL: .Lfunc_end0
void clear(byte *p, long n) {
  for (long i = 0; i < n; i++)
    p[i] = 0;
}

// A whole page that begins with a block: nothing is stored where it is cleared.
// CHECK-LABEL: page:
// CHECK-NOT: cmp {{x[0-9]+}}, #256
// CHECK: mrs {{x[0-9]+}}, DCZID_EL0
// CHECK: dc zva
// CHECK-LABEL: .Lfunc_end1
void page(word *p) {
  p = __builtin_assume_aligned(p, 64);
  for (long i = 0; i < 512; i++)
    p[i] = 0;
}

// Near misses: another value, one that is not known, too few bytes, volatile ones.
// CHECK-LABEL: ones:
// CHECK-NOT: DCZID
// CHECK-NOT: zva
void ones(byte *p, long n) {
  for (long i = 0; i < n; i++)
    p[i] = 1;
}
void any(byte *p, long n, byte v) {
  for (long i = 0; i < n; i++)
    p[i] = v;
}
void few(byte *p) {
  for (long i = 0; i < 255; i++)
    p[i] = 0;
}
void some(byte *p, byte n) {
  for (int i = 0; i < n; i++)
    p[i] = 0;
}
void device(volatile word *p, long n) {
  for (long i = 0; i < n; i++)
    p[i] = 0;
}
__attribute__((memlift("off"))) void off(byte *p, long n) {
  for (long i = 0; i < n; i++)
    p[i] = 0;
}
