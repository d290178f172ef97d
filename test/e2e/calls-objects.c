// calls-objects.c - variables whose fills and copies want it stand at multiples of eight; calls under -Os
//
// REQUIRES: riscv64-gcc, clang-19, clang-22
// RUN: rm -f %t.* && for cc in %memlift-clang-19 %memlift-clang-22 \
// RUN:   %memlift-riscv64-linux-gnu-gcc; do \
// RUN:   case $cc in *gcc) target= ;; *) target=--target=riscv64-linux-gnu ;; esac; \
// RUN:   $cc $target -O2 --memlift-runtime=none -S %s -o %t.s && \
// RUN:   grep -v "^[ 	]*[.#]" %t.s > %t.i && %filecheck %s < %t.i || exit 1; done
// RUN: %memlift-clang-22 --target=riscv64-linux-gnu -O2 --memlift-runtime=none -S %s -o %t.s
// RUN: %filecheck --check-prefix=CLANG %s < %t.s
// RUN: %memlift-clang-22 --target=riscv64-linux-gnu -Os --memlift-runtime=none -S %s -o %t.s
// RUN: grep -v "^[ 	]*[.#]" %t.s > %t.i && %filecheck --check-prefix=SIZE %s < %t.i
// RUN: %memlift-riscv64-linux-gnu-gcc -Os --memlift-runtime=none -S %s -o %t.s
// RUN: grep -v "^[ 	]*[.#]" %t.s > %t.i && %filecheck --check-prefix=SIZE %s < %t.i
typedef __SIZE_TYPE__ size_t;
void *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t);
void use(void *);
static char global[48];

// CHECK-LABEL: local:
// CHECK-NOT: sb
// CHECK-COUNT-2: sd{{[ \t]+}}zero
// CHECK-NOT: memset
// CHECK: {{call|tail}} use
void local(void) {
  char name[16];
  memset(name, 0, sizeof name);
  use(name);
}

// LLVM makes one access of it long before alignment can be proved.
// CHECK-LABEL: access:
// CHECK-NOT: {{s[bh][ \t]}}
// CHECK: sd{{[ \t]+}}zero
// CHECK-NOT: {{s[bh][ \t]}}
// CHECK: {{call|tail}} use
void access(void) {
  struct { unsigned short rows, columns, width, height; } size;
  memset(&size, 0, sizeof size);
  use(&size);
}

// CHECK-LABEL: inside:
// CHECK-NOT: sb
// CHECK-COUNT-3: sd{{[ \t]+}}zero
// CHECK-NOT: memset
// CHECK: {{call|tail}} use
void inside(void) {
  memset(global + 8, 0, 24);
  use(global);
}

// CHECK-LABEL: copied:
// CHECK-NOT: lb
// CHECK-COUNT-3: sd
// CHECK-NOT: memcpy
// CHECK: {{call|tail}} use
void copied(const char *from) {
  char name[24];
  memcpy(name, __builtin_assume_aligned(from, 8), sizeof name);
  use(name);
}

// Near misses: the other pointer may be anything; the place in the variable is odd; the
// variable is somebody else's; its section may be an array.
// CHECK-LABEL: anything:
// CHECK: {{memcpy|lbu}}
// CHECK: use
void anything(const char *from) {
  char name[24];
  memcpy(name, from, sizeof name);
  use(name);
}
// CHECK-LABEL: odd:
// CHECK: memset
// CHECK: use
void odd(void) {
  char name[64];
  memset(name + 3, 0, 48);
  use(name);
}
extern char others[64];
// CHECK-LABEL: foreign:
// CHECK: memset
void foreign(void) { memset(others, 0, 48); }
// GCC aligns all arrays by itself.
static char placed[64] __attribute__((section("table")));
// CHECK-LABEL: sectioned:
// CLANG-LABEL: sectioned:
// CLANG: memset
// CLANG: use
void sectioned(void) {
  memset(placed, 0, 48);
  use(placed);
}

// A loop over single words: as long as a call with its arguments.
// SIZE-LABEL: filled:
// SIZE-NOT: memset
// SIZE: sd{{[ \t]+}}zero
// SIZE-NOT: sd{{[ \t]+}}zero
// SIZE: bne
// SIZE-NOT: memset
// SIZE: ret
void filled(char *p) { memset(__builtin_assume_aligned(p, 8), 0, 200); }
// SIZE-LABEL: moved:
// SIZE-NOT: memcpy
// SIZE: ld
// SIZE-NOT: memcpy
// SIZE: bne
// SIZE-NOT: memcpy
// SIZE: ret
void moved(char *d, const char *s) {
  memcpy(__builtin_assume_aligned(d, 8), __builtin_assume_aligned(s, 8), 120);
}
