// named-types.c - a function that is called memset and takes something else is none, trusted or not
//
// REQUIRES: riscv64-gcc, clang-19, clang-22
// RUN: rm -f %t.* && for cc in %memlift-clang-19 %memlift-clang-22 \
// RUN:   %memlift-riscv64-linux-gnu-gcc; do \
// RUN:   case $cc in *gcc) target= ;; *) target=--target=riscv64-linux-gnu ;; esac; \
// RUN:   $cc $target -O2 -w -ffreestanding --memlift-trust-names -S %s -o %t.s && \
// RUN:   %filecheck %s < %t.s || { echo "failed: $cc"; exit 1; }; \
// RUN: done
typedef __UINTPTR_TYPE__ uintptr_t;
void *memset(void *, __SIZE_TYPE__, int);
static __attribute__((noinline)) void *memcpy(void *d, const void *s, __SIZE_TYPE__ n) {
  *(volatile char *)d = 1;
  return (char *)d + n;
}

// CHECK-LABEL: order:
// CHECK: memset
void order(char *p) {
  if (!((uintptr_t)p & 7))
    memset(p, 128, 0);
}

// CHECK-LABEL: own:
// CHECK: memcpy
void own(char *p, char *q) {
  if (!(((uintptr_t)p | (uintptr_t)q) & 7))
    memcpy(p, q, 128);
}
