// trust-types.c - what a type says of a pointer counts where the loop may not run
//
// Under -Oz (clang) and -Os (gcc) the exit test stays on top, so the call stands where the loop may
// run not at all: then only the option makes the access's type a proof.
// REQUIRES: clang-22, gcc-12
// RUN: rm -f %t.*
// RUN: %memlift-clang-22 -Oz -c %s -o %t.o --memlift-remarks=%t.a --memlift-trust-types
// RUN: %filecheck --check-prefix=TRUST %s < %t.a
// RUN: %memlift-clang-22 -Oz -c %s -o %t.o --memlift-remarks=%t.b
// RUN: not grep -q assumed %t.b
// RUN: %memlift-gcc -Os -c %s -o %t.o --memlift-remarks=%t.c --memlift-trust-types
// RUN: %filecheck --check-prefix=TRUST %s < %t.c
// RUN: %memlift-gcc -Os -c %s -o %t.o --memlift-remarks=%t.d
// RUN: not grep -q assumed %t.d
// TRUST: Fact: {{ *}}'alignment'
// TRUST-NEXT: Verdict: {{ *}}'assumed'
// TRUST-NEXT: Need:
// TRUST-NEXT: Have: {{ *}}'8 bytes, by the type of the store
// TRUST-NEXT: Evidence: {{ *}}'trust-types'
#include <stddef.h>
#include <stdint.h>

void fill(uint64_t *d, size_t n, uint64_t v) {
  for (size_t i = 0; i < n; i++)
    d[i] = v;
}
