// rows-of-calls.c - every compiler tells of a kept loop over mem* calls, and of the calls
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && for cc in %wrappers; do \
// RUN:   $cc -O2 -c %s -o one.o --memlift-runtime=none --memlift-remarks=r.yaml && \
// RUN:   sed -n "s/^Function: *'*\([a-z]*\).*/\1/p; s/^  - String: *'*\(.*\)/  \1/p" r.yaml >said && \
// RUN:   %filecheck %s --input-file=said || { echo "failed: $cc"; exit 1; }; \
// RUN: done
#include <string.h>

// CHECK: {{^}}apart{{$}}
// CHECK-NEXT: fill loop kept: there is no routine to call {{.*}}MLF3001
// CHECK-NEXT: {{^}}apart{{$}}
// CHECK-NEXT: made this a call of memset
void apart(unsigned char (*d)[4000], size_t n) {
  for (size_t i = 0; i < n; i++)
    memset(d[i], 0, 400);
}

// CHECK-NEXT: {{^}}between{{$}}
// CHECK-NEXT: fill loop kept: {{.*}}MLF2023
// CHECK-NEXT: {{^}}between{{$}}
// CHECK-NEXT: made this a call of memset
void between(unsigned char (*d)[4000], size_t n) {
  for (size_t i = 0; i < n; i++) {
    d[i][3000] = 1;
    memset(d[i], 0, 400);
  }
}
// CHECK-NOT: {{^[a-z]}}
