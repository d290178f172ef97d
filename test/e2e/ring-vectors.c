// ring-vectors.c - a loop over a ring gets its call where compilers make vectors of other loops, too
// RUN: for cc in %wrappers; do %sample; \
// RUN:   $cc -O3 -march=x86-64-v3 -S %s -o %t.s && %filecheck %s < %t.s || exit 1; done

// CHECK-LABEL: words:
// CHECK: memlift_copy
// CHECK-LABEL: flat:
// CHECK-NOT: memlift_copy
void words(unsigned *restrict ring, const unsigned *restrict s, unsigned at, unsigned n,
           unsigned mask) {
  for (unsigned i = 0; i < n; i++) {
    ring[at] = s[i];
    at = (at + 1) & mask;
  }
}

void flat(unsigned *d, const unsigned *s, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    d[i] = s[i];
}
