// rewritten.c - where a register that is written again at once keeps its core waiting, it is another one
//
// REQUIRES: riscv64-gcc
// RUN: for core in cva6 generic-inorder; do %build/bin/memlift-riscv64-linux-gnu-gcc -march=rv64imac -mabi=lp64 \
// RUN:   -O2 -ffreestanding -w --memlift-core=$core --memlift-runtime=none --memlift-verify -S %s -o - \
// RUN:   | %filecheck %s || { echo "$core"; exit 1; }; done
// RUN: %build/bin/memlift-riscv64-linux-gnu-gcc -march=rv64imac -mabi=lp64 -O2 -ffreestanding -w \
// RUN:   --memlift-core=rocket --memlift-runtime=none -S %s -o %t.s
// RUN: grep mul %t.s || %filecheck --check-prefix=AGAIN %s <%t.s
// CHECK-LABEL: fill:
// CHECK: slli [[A:a[0-9]]],{{a[0-9]}},8
// CHECK-NOT: {{(or|add)}} [[A]],
// CHECK: slli [[B:a[0-9]]],{{a[0-9]}},16
// CHECK-NOT: {{(or|add)}} [[B]],
// CHECK: slli [[C:a[0-9]]],{{a[0-9]}},32
// CHECK-NOT: {{(or|add)}} [[C]],
// CHECK: andi {{a[0-9]}},a2,-256
// CHECK: sd
// Rocket does not wait. From GCC 13 on, the compiler makes one product of such shifts.
// AGAIN-LABEL: fill:
// AGAIN: slli [[A:a[0-9]]],{{a[0-9]}},8
// AGAIN-NEXT: {{(or|add)}} [[A]],
void fill(unsigned char *d, int value, unsigned long n) {
  for (unsigned long i = 0; i < n; i++)
    d[i] = value;
}
