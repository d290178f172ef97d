// chain-sources.c - messages about a later loop of a chain find what its symbols are computed from
// RUN: %each rm -f %t.yaml && %clang -O2 -c %s -o %t.o -mllvm -memlift-remarks=%t.yaml && \
// RUN:   %filecheck %s < %t.yaml %end
// An expression that is one symbol has a graph of its own, for messages only. The loops of a chain
// have their symbols in common, and so that graph: the compiler stopped, as the second loop's had
// not what the first one's symbols refer to.
#include <stddef.h>

// CHECK: Function: 'both'
// CHECK: Code: 'MLF2024'
void both(unsigned char *restrict d, const unsigned char *restrict a, unsigned char *restrict c,
          const unsigned char *restrict b, size_t n, size_t w, size_t p) {
  for (size_t i = 0; i < n; i++)
    for (size_t x = 0; x < w; x++) {
      d[i * w + x] += a[i * p + x];
      c[i * w + x] = b[i * 16 + x];
    }
}
