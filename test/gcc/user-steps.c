// user-steps.c - where accesses may fault, a loop has no more than its accesses and steps
//
// GCC made an integer of the pointer that steps, and a move of it to the pointer in each iteration,
// as a fault leads to where the pointer is used.
// REQUIRES: riscv64-gcc
// RUN: %memlift-riscv64-linux-gnu-gcc -O2 -ffreestanding --memlift-core=sifive-u74 -S %s -o - | \
// RUN:   grep -v '^[[:space:]]*[.#]' | %filecheck %s
typedef __SIZE_TYPE__ size_t;
#define USER __attribute__((memlift("user")))

// CHECK-LABEL: copy:
// CHECK: {{sd .*56\(}}
// CHECK-NEXT: addi
// CHECK-NEXT: bne
// CHECK: lbu
// CHECK-NEXT: addi
// CHECK-NEXT: sb
// CHECK-NEXT: addi
// CHECK-NEXT: bne
USER size_t copy(char *restrict d, const char *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
  return 0;
}

// Nor is the zero extended from a byte.
// CHECK-LABEL: clear:
// CHECK-NOT: {{andi .*255|zext}}
// CHECK: sb
// CHECK-NEXT: addi
// CHECK-NEXT: bne
// CHECK-NOT: {{andi .*255|zext}}
USER size_t clear(char *d, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = 0;
  return 0;
}
