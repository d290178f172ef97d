// reversed-words.c - 4 or 8 bytes in reverse order are one word where an instruction swaps its bytes
// RUN: for cc in %wrappers; do for level in -O1 $(case $cc in *gcc) echo -O2 -O3 ;; esac); do \
// RUN:   $cc $level -S %s -o - | %filecheck %s || { echo "$cc $level"; exit 1; }; done; done
// LLVM makes vectors of those that lie apart at the other levels.
// Bytes that may overlap take a test, which pays where the compiler makes a loop of them.
// RUN: for cc in %wrappers; do \
// RUN:   $cc -O3 -S %s -o - | %filecheck --check-prefix=UNROLLED %s || { echo "$cc"; exit 1; }; done
// RISC-V without Zbb has no such instruction: shifts and masks take longer than bytes.
// RUN: %if riscv64-gcc %{ for cc in %clangs %memlift-riscv64-linux-gnu-gcc; do \
// RUN:   case $cc in *gcc) target= ;; *) target=--target=riscv64-linux-gnu ;; esac; \
// RUN:   $cc $target -O2 -S %s -o - | %filecheck --check-prefix=BYTES %s || { echo "$cc"; exit 1; }; \
// RUN:   $cc $target -O1 -march=rv64gc_zbb -S %s -o - | %filecheck --check-prefix=ZBB %s || \
// RUN:     { echo "$cc zbb"; exit 1; }; done %}

// CHECK-LABEL: four:
// CHECK: bswap
// CHECK-NOT: {{sh[rl]}}
// CHECK: {{^[[:space:]]ret}}
// BYTES-LABEL: four:
// BYTES: {{^[[:space:]]lbu}}
// BYTES-NOT: {{^[[:space:]](lw|sw|srl)}}
// BYTES: .size
// ZBB-LABEL: four:
// ZBB: rev8
// ZBB: .size
void four(unsigned char *restrict d, const unsigned char *restrict s) {
  d = __builtin_assume_aligned(d, 8), s = __builtin_assume_aligned(s, 8);
  for (int i = 0; i < 4; i++) d[i] = s[3 - i];
}

// CHECK-LABEL: eight:
// CHECK: bswap{{q?}} %r
// CHECK-NOT: {{sh[rl]}}
// CHECK: {{^[[:space:]]ret}}
// BYTES-LABEL: eight:
// BYTES: {{^[[:space:]]lbu}}
// BYTES-NOT: {{^[[:space:]](ld|sd|srl)}}
// BYTES: .size
// ZBB-LABEL: eight:
// ZBB: rev8
// ZBB: .size
void eight(unsigned char *restrict d, const unsigned char *restrict s) {
  d = __builtin_assume_aligned(d, 8), s = __builtin_assume_aligned(s, 8);
  for (int i = 0; i < 8; i++) d[i] = s[7 - i];
}

// UNROLLED-LABEL: four_that_may_overlap:
// UNROLLED-NOT: bswap
// UNROLLED: .size
void four_that_may_overlap(unsigned char *d, const unsigned char *s) {
  for (int i = 0; i < 4; i++) d[i] = s[3 - i];
}

// UNROLLED-LABEL: four_by_xor:
// UNROLLED-NOT: bswap
// UNROLLED: .size
void four_by_xor(unsigned char *d, const unsigned char *s) {
  for (int i = 0; i < 4; i++) d[i] = s[i ^ 3];
}

// UNROLLED-LABEL: eight_that_may_overlap:
// UNROLLED: bswap
// UNROLLED: .size
void eight_that_may_overlap(unsigned char *d, const unsigned char *s) {
  for (int i = 0; i < 8; i++) d[i] = s[7 - i];
}
