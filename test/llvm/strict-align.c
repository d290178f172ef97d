// strict-align.c - no unaligned word is loaded or stored under -mstrict-align, whatever the core
//
// The compiler would make bytes of each, eight for a word.
// RUN: %each %clang --target=aarch64-linux-gnu -mcpu=cortex-a53 -O2 -ffreestanding -w \
// RUN:   -mllvm -memlift-runtime=none -S %s -o - | %filecheck --check-prefix=ANY %s %end
// RUN: %each %clang --target=aarch64-linux-gnu -mcpu=cortex-a53 -mstrict-align -O2 -ffreestanding -w \
// RUN:   -mllvm -memlift-runtime=none -S %s -o - | %filecheck --check-prefix=STRICT %s %end
// RUN: %each %clang --target=riscv64-linux-gnu -march=rv64imac -mabi=lp64 -O2 -ffreestanding -w -mllvm -memlift-core=cortex-a53 \
// RUN:   -mllvm -memlift-runtime=none -S %s -o - | %filecheck --check-prefix=RISCV %s %end
// RUN: %each %clang --target=riscv64-linux-gnu -march=rv64imac -mabi=lp64 -mno-strict-align -O2 -ffreestanding -w \
// RUN:   -mllvm -memlift-core=cortex-a53 -mllvm -memlift-runtime=none -S %s -o - | %filecheck --check-prefix=FAST %s %end

// The first word's alignment is not tested, or bytes lead up to it.
// ANY-LABEL: copy:
// ANY-NOT: and {{[wx][0-9]+}}, {{[wx][0-9]+}}, #0x7
// ANY: {{ldp|ldr}} x
// STRICT-LABEL: copy:
// STRICT: eor [[APART:[wx][0-9]+]],
// STRICT: {{tst|ands|and}} {{.*}}#0x7
// STRICT: {{ldp|ldr}} x
// RISCV-LABEL: copy:
// RISCV: xor
// RISCV: andi {{.*}}, 7
// RISCV: ld
// FAST-LABEL: copy:
// FAST-NOT: xor
// FAST: ld
void copy(unsigned char *restrict d, const unsigned char *restrict s, unsigned long n) {
  for (unsigned long i = 0; i < n; i++)
    d[i] = s[i];
}
