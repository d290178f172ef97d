// named-calls.c - without built-ins a call of memset becomes words where names are trusted
//
// REQUIRES: riscv64-gcc, clang-19, clang-22
// RUN: rm -f %t.* && for cc in %memlift-clang-19 %memlift-clang-22 \
// RUN:   %memlift-riscv64-linux-gnu-gcc; do \
// RUN:   case $cc in *gcc) target= ;; *) target=--target=riscv64-linux-gnu ;; esac; \
// RUN:   for how in -ffreestanding -fno-builtin; do \
// RUN:     $cc $target -O2 --memlift-core=generic-inorder $how --memlift-trust-names -S %s -o %t.s && \
// RUN:     grep -v "^[ 	]*[.#]" %t.s > %t.i && %filecheck %s < %t.i && \
// RUN:     $cc $target -O2 $how -S %s -o %t.s && \
// RUN:     grep -v "^[ 	]*[.#]" %t.s > %t.i && %filecheck --check-prefix=PLAIN %s < %t.i \
// RUN:       || { echo "failed: $cc $how"; exit 1; }; \
// RUN: done; done
typedef __SIZE_TYPE__ size_t;
typedef __UINTPTR_TYPE__ uintptr_t;
void *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t);

// CHECK-LABEL: clear:
// CHECK-COUNT-16: sd
// CHECK-NOT: memset
// CHECK: ret
// PLAIN-LABEL: clear:
// PLAIN: memset
void clear(char *p) {
  if (!((uintptr_t)p & 7))
    memset(p, 0, 128);
}

// The routine returns its first argument.
// CHECK-LABEL: result:
// CHECK-NOT: memcpy
// CHECK-COUNT-4: sd
// CHECK: ret
// PLAIN-LABEL: result:
// PLAIN: memcpy
char *result(char *d, const char *s) {
  if (((uintptr_t)d | (uintptr_t)s) & 7)
    return 0;
  return (char *)memcpy(d, s, 32) + 1;
}

// Near misses: no alignment, no constant, and the function itself.
// CHECK-LABEL: unknown:
// CHECK: memset
void unknown(char *p) { memset(p, 0, 128); }
// CHECK-LABEL: length:
// CHECK: memset
void length(char *p, size_t n) {
  if (!((uintptr_t)p & 7))
    memset(p, 0, n);
}
// CHECK-LABEL: memmove:
// CHECK: memcpy
void *memmove(void *d, const void *s, size_t n) {
  return ((uintptr_t)d | (uintptr_t)s) & 7 ? d : memcpy(d, s, n & 0 ? n : 128);
}
