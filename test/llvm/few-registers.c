// few-registers.c - what is held together fits in the registers of targets that have few
//
// i386 has five for it, with -fPIC and a frame; ARM under -mthumb -march=armv6-m eight. Assembler that
// wants more is an error of the compiler, which nobody could do anything about.
// RUN: %each for target in "i386-linux-gnu -mno-sse -fPIC -fno-omit-frame-pointer" \
// RUN:   "i386-linux-gnu -mno-sse" "x86_64-linux-gnu -mgeneral-regs-only" "armv6m-none-eabi" \
// RUN:   "armv7-linux-gnueabi -mfpu=none" "riscv32-unknown-elf -march=rv32em -mabi=ilp32e"; do \
// RUN:   %clang --target=$target -O2 -ffreestanding -w -mllvm -memlift-core=rocket \
// RUN:     -mllvm -memlift-runtime=none -S %s -o %t.s || { echo "$target"; exit 1; }; done %end
// RUN: %each %clang --target=i386-linux-gnu -mno-sse -O2 -ffreestanding -w -mllvm -memlift-core=rocket \
// RUN:   -mllvm -memlift-runtime=none -S -emit-llvm %s -o %t.ll && %filecheck %s <%t.ll %end
typedef unsigned char byte;
typedef unsigned short half;
typedef unsigned word;

// CHECK-LABEL: define {{.*}}@checksum(
// CHECK: asm "", "=r,=r,=r,=r,0,1,2,3"
// CHECK-NOT: asm {{.*}}=r,=r,=r,=r,=r
// CHECK-LABEL: define {{.*}}@wide(
half checksum(const half *s, long n) {
  word sum = 0;
  for (long i = 0; i < n; i++)
    sum += s[i];
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return sum;
}

unsigned long long wide(const word *s, long n) {
  unsigned long long sum = 0;
  for (long i = 0; i < n; i++)
    sum += s[i];
  return sum;
}

// CHECK-LABEL: define {{.*}}@four(
// CHECK: asm sideeffect "", "=r,=r,=r,=r,0,1,2,3"
// CHECK-NOT: asm {{.*}}=r,=r,=r,=r,=r
// CHECK-LABEL: define {{.*}}@copy(
void four(word *restrict d, const word *restrict s, word a, word b, word c, long n) {
  for (long i = 0; i < n; i++)
    d[i] = (((s[i] * a + b) * s[i] + c) * s[i] + a) * s[i] + b;
}

void seven(word *restrict d, const word *restrict s, word a, long n) {
  for (long i = 0; i < n; i++)
    d[i] = (((((s[i] * a) * s[i] + 1) * s[i] + 2) * s[i] + 3) * s[i] + 4) * s[i] * s[i];
}

void weighed(byte *restrict d, const byte *restrict s, word a, word b, word c, long n) {
  for (long i = 0; i < n; i++)
    d[i] = s[i] * a + (s[i] >> 1) * b + (s[i] >> 2) * c + (s[i] >> 3) * 3u + (s[i] >> 4) * 5u;
}

void copy(word *restrict d, const word *restrict s, long n) {
  for (long i = 0; i < n; i++)
    d[i] = s[i];
}
