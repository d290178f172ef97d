// endless.c - counters that wrap only after an access to nearly all of the address space
// RUN: %memlift-gcc -O2 --memlift-print-loops -c %s -o %t.o 2>&1 | %filecheck %s
#include <stddef.h>
#include <string.h>

// No object is as large as that.
// CHECK-LABEL: loop "{{.*}}:by_eights#0"
// CHECK-NOT: assume
// CHECK: fill lowered
void by_eights(unsigned char *d, size_t n) {
  for (size_t i = 0; i + 8 <= n; i += 8)
    memset(d + i, 0, 8);
}

// Nothing is accessed where the condition is false, and the loop would not end.
// CHECK-LABEL: loop "{{.*}}:perhaps#0"
// CHECK: assume MLF2060 (ule %n -9)
// CHECK: fill guarded
void perhaps(unsigned char *d, size_t n, int writes) {
  for (size_t i = 0; i + 8 <= n; i += 8)
    if (writes)
      memset(d + i, 0, 8);
}
