// size-first.c - whether there are enough bytes is asked in front of whether there are any
//
// REQUIRES: riscv64-gcc
// RUN: %build/bin/memlift-riscv64-linux-gnu-gcc -march=rv64imac -mabi=lp64 -O2 -fchecking -ffreestanding -w \
// RUN:   --memlift-core=cva6 --memlift-runtime=none --memlift-verify -S %s -o - | %filecheck %s
#include "../llvm/Inputs/size-first.h"

// The first branch is the guard's. What comes before the first word, and what is too short, which asks
// then, lie behind all else.
// CHECK-LABEL: fill:
// CHECK-NOT: beq
// CHECK: bleu a2,{{a[0-9]}},.L[[SHORT:[A-Za-z0-9_]+]]
// CHECK-NOT: sb
// CHECK: sd
// CHECK-NOT: sb {{a[0-9]}},0(a0)
// CHECK: ret
// CHECK: .L[[SHORT]]:
// CHECK-NEXT: beq a2,zero
// CHECK-LABEL: copy:
// CHECK-NOT: beq
// CHECK: bleu a2,{{a[0-9]}},.L
// The value behind the loop is one where there was something, and another where there was not.
// CHECK-LABEL: behind:
// CHECK-NOT: beq
// CHECK: bleu a2,{{a[0-9]}},.L
// n below 0 is nothing to do, and a size that is large enough.
// CHECK-LABEL: below:
// CHECK: ble a2,zero
// CHECK: bleu
// Another number says that there is nothing to do.
// CHECK-LABEL: other:
// CHECK: beq a3,zero
// CHECK: bleu
// Something else is done where there is something.
// CHECK-LABEL: more:
// CHECK: beq a2,zero
// CHECK: sw
// CHECK: bleu
// 31 bytes more than n are enough where n is 0, too.
// CHECK-LABEL: longer:
// CHECK: beq a2,zero
