// versions.c - where GCC itself makes vectors of a few words under a test for overlap, they stay
// RUN: %memlift-gcc -O3 -fopt-info-missed -S %s -o %t.s 2>&1 | grep memlift: | %filecheck %s
// RUN: %filecheck --check-prefix=ASM %s < %t.s
// RUN: %memlift-gcc -O2 -fopt-info-optimized -S %s -o - 2>&1 | %filecheck --check-prefix=LOW %s

// At -O3 the vectoriser tests the distance; at -O2 it does not, and memlift does.
// CHECK: [[#@LINE+4]]:{{.*}}MLF3021
// ASM-LABEL: tag:
// ASM-COUNT-3: movups %xmm{{[0-9]}}, {{[0-9]*}}(%rdi)
// LOW: [[#@LINE+1]]:{{.*}}inline words with a run-time check{{.*}}MLF1003
void tag(unsigned char *to, const unsigned char *from) { for (int i = 0; i < 48; i++) to[i] = from[i]; }

// It moves the last four of 20 bytes one at a time.
// CHECK-NOT: MLF3021
// ASM-LABEL: rest:
// ASM-NOT: movzbl 16(%rsi)
// ASM: movl 16(%rsi)
void rest(unsigned char *to, const unsigned char *from) { for (int i = 0; i < 20; i++) to[i] = from[i]; }
