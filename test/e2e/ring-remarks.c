// ring-remarks.c - the remark of a loop over a ring names each condition that is tested before it
// RUN: for cc in %wrappers; do %sample; \
// RUN:   $cc -O2 -g -c %s -o %t.o --memlift-remarks=%t.yaml && %filecheck %s < %t.yaml || exit 1; \
// RUN: done

// CHECK-LABEL: Function: {{.*}}masked
// CHECK: Code: 'MLF2064'
// CHECK-NEXT: Need: 'the ring has a size that its index can have'
// CHECK-NEXT: Have: 'tested at run time: (mask & (mask + 1)) == 0'
// CHECK: Code: 'MLF2064'
// CHECK-NEXT: Need: 'the first index is in the ring'
// CHECK-NEXT: Have: 'tested at run time: at <= mask'
// CHECK: Code: 'MLF2064'
// CHECK-NEXT: Need: 'the index does not start again at the ring''s beginning'
// CHECK-NEXT: Have: 'tested at run time: {{.*}}n - 1{{.*}} <= (uint32_t)(mask - at)'
void masked(unsigned char *restrict ring, const unsigned char *restrict s, unsigned at, unsigned n,
            unsigned mask) {
  for (unsigned i = 0; i < n; i++) {
    ring[at] = s[i];
    at = (at + 1) & mask;
  }
}

// CHECK-LABEL: Function: {{.*}}compared
// CHECK: Code: 'MLF2064'
// CHECK-NEXT: Need: 'the ring has a size that its index can have'
// CHECK-NEXT: Have: 'tested at run time: size - 1 < 0x7fffffff'
// CHECK: Code: 'MLF2064'
// CHECK-NEXT: Need: 'the first index is in the ring'
// CHECK-NEXT: Have: 'tested at run time: at <= size - 1'
// CHECK: Code: 'MLF2064'
// CHECK-NEXT: Need: 'the index does not start again at the ring''s beginning'
void compared(unsigned char *restrict ring, const unsigned char *restrict s, int at, int n,
              int size) {
  for (int i = 0; i < n; i++) {
    ring[at] = s[i];
    if (++at >= size)
      at = 0;
  }
}
