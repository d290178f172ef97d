// dataflow.c - under -fsanitize=dataflow no routine is called: it would be asked for as f.dfsan
// RUN: %each %clang -O2 -fsanitize=dataflow -c %s -o %t.o -Rpass-missed=memlift 2>&1 | %filecheck %s && \
// RUN:   nm %t.o | not grep memlift_ %end
#include <stddef.h>

// CHECK: dataflow.c:[[#@LINE+2]]:{{.*}}[MLF2005]
void fill(unsigned *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = 0x01010102;
}
