// size-first.c - whether there are enough bytes is asked in front of whether there are any
//
// RUN: %each %clang --target=riscv64-linux-gnu -march=rv64imac -mabi=lp64 -O2 -ffreestanding -w \
// RUN:   -mllvm -memlift-core=cva6 -mllvm -memlift-runtime=none -S %s -o - | %filecheck %s %end
#include "Inputs/size-first.h"

// The first branch is the guard's. What does not begin with a word, and what is too short, which asks
// then, lie behind all else.
// CHECK-LABEL: fill:
// CHECK-NOT: beqz
// CHECK: {{bgeu a[0-9], a2|bltu a2, a[0-9]}}, .L[[SHORT:[A-Za-z0-9_]+]]
// CHECK-NOT: sb
// CHECK: sd
// CHECK: ret
// CHECK: .L[[SHORT]]:
// CHECK-NEXT: beqz a2,
// CHECK-LABEL: copy:
// CHECK-NOT: beqz
// CHECK: {{bgeu a[0-9], a2|bltu a2, a[0-9]}}, .L
// The value behind the loop is one where there was something, and another where there was not.
// CHECK-LABEL: behind:
// CHECK-NOT: beqz
// CHECK: {{bgeu a[0-9], a2|bltu a2, a[0-9]}}, .L
// n below 0 is nothing to do, and a size that is large enough.
// CHECK-LABEL: below:
// CHECK: blez a2,
// CHECK: {{bgeu|bltu}}
// Another number says that there is nothing to do.
// CHECK-LABEL: other:
// CHECK: {{beqz|seqz}} a3,
// CHECK: {{bgeu|bltu}}
// Something else is done where there is something.
// CHECK-LABEL: more:
// CHECK: beqz a2,
// CHECK: sw
// CHECK: {{bgeu|bltu}}
// 31 bytes more than n are enough where n is 0, too.
// CHECK-LABEL: longer:
// CHECK: beqz a2,
