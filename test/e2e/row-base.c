// row-base.c - a pointer that is chosen between loops that continue one another
// RUN: for cc in %wrappers; do $cc -O2 -S %s -o %t.s && %filecheck %s <%t.s || \
// RUN:   { echo "failed: $cc"; exit 1; }; done
#include <stdint.h>

// The loops' addresses are no linear functions of their counts, so nothing of them is lowered.
// CHECK-LABEL: {{^}}hashes:
// CHECK-NOT: memlift_
uint64_t hashes(const unsigned char *c, const unsigned char *e, unsigned k) {
  uint64_t x = k;
  if (k <= 4)
    for (unsigned i = 0; i < 900; i++)
      x = x * 33 + (k & 1 ? c : e)[i * 3] % 7;
  for (unsigned i = 0; i < 900; i++)
    x = x * 33 + c[i * 3 % 6000];
  return x;
}
