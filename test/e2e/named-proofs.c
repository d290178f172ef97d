// named-proofs.c - without built-ins, calls whose names are trusted get all proofs that others get: by what
// callers pass, by what types say, and of variables that LLVM makes one access of
//
// REQUIRES: riscv64-gcc, clang-19, clang-22
// RUN: rm -f %t.* && for cc in %memlift-clang-19 %memlift-clang-22 \
// RUN:   %memlift-riscv64-linux-gnu-gcc; do \
// RUN:   case $cc in *gcc) target= ;; *) target=--target=riscv64-linux-gnu ;; esac; \
// RUN:   $cc $target -O2 -ffreestanding --memlift-trust-names --memlift-trust-types -S %s -o %t.s && \
// RUN:   grep -v "^[ 	]*[.#]" %t.s > %t.i && %filecheck %s < %t.i && \
// RUN:   $cc $target -O2 -ffreestanding --memlift-trust-names -S %s -o %t.s && \
// RUN:   grep -v "^[ 	]*[.#]" %t.s > %t.i && %filecheck --check-prefix=STRICT %s < %t.i \
// RUN:     || { echo "failed: $cc"; exit 1; }; done
typedef __SIZE_TYPE__ size_t;
void *memset(void *, int, size_t);
void *allocate(size_t);
void use(void *);

// CHECK-LABEL: passed:
// CHECK-NOT: memset
// CHECK-COUNT-4: sd{{[ \t]+}}zero
// CHECK: ret
// STRICT-LABEL: passed:
// STRICT-NOT: memset
// STRICT-COUNT-4: sd{{[ \t]+}}zero
// STRICT: ret
__attribute__((noinline)) static void passed(char *p) { memset(p, 0, 32); }
static long buffers[2][8];
void first(void) { passed((char *)buffers[0]); }
void second(void) { passed((char *)buffers[1] + 16); use(buffers); }

struct menu {
  long entries[6];
};
// CHECK-LABEL: converted:
// CHECK-NOT: memset
// CHECK-COUNT-6: sd{{[ \t]+}}zero
// CHECK-NOT: memset
// STRICT-LABEL: converted:
// STRICT: memset
struct menu *converted(void) {
  struct menu *m = allocate(sizeof *m);
  if (m)
    memset(m, 0, sizeof(struct menu));
  return m;
}

// GCC takes it for no built-in, so what GCC knows of a variable makes no words by itself.
// CHECK-LABEL: local:
// CHECK-NOT: memset
// CHECK-COUNT-2: sd{{[ \t]+}}zero
// CHECK: use
// STRICT-LABEL: local:
// STRICT-NOT: memset
// STRICT-COUNT-2: sd{{[ \t]+}}zero
// STRICT: use
void local(void) {
  long name[2];
  memset(name, 0, sizeof name);
  use(name);
}

// Near miss: bytes stay bytes.
// CHECK-LABEL: bytes:
// CHECK: memset
// STRICT-LABEL: bytes:
// STRICT: memset
void bytes(void) {
  char *b = allocate(48);
  if (b)
    memset(b, 0, 48);
}
