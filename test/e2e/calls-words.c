// calls-words.c - on riscv64 a copy of 8 bytes is 3 instructions, of 64 are 17, fills are inline
//
// REQUIRES: riscv64-gcc, clang-19, clang-22
// RUN: rm -f %t.* && for cc in %memlift-clang-19 %memlift-clang-22 \
// RUN:   %memlift-riscv64-linux-gnu-gcc; do \
// RUN:   case $cc in *gcc) target= ;; *) target=--target=riscv64-linux-gnu ;; esac; \
// RUN:   $cc $target -O2 -g --memlift-core=generic-inorder --memlift-runtime=none \
// RUN:     --memlift-remarks=%t.r -S %s -o %t.s && \
// RUN:   grep -v "^[ 	]*[.#]" %t.s > %t.i && \
// RUN:   %filecheck %s < %t.i && %filecheck --check-prefix=REMARK %s < %t.r && \
// RUN:   $cc $target -O2 --memlift-runtime=none -S %s -o %t.s && \
// RUN:   grep -v "^[ 	]*[.#]" %t.s > %t.i && %filecheck --check-prefix=LITTLE %s < %t.i || exit 1; done
//
// Checks named "little" show the code without a named core, below -O3.
typedef __SIZE_TYPE__ size_t;
typedef __UINTPTR_TYPE__ uintptr_t;
void *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);

// CHECK-LABEL: eight:
// CHECK: ret
// CHECK: ld
// CHECK-NEXT: sd
// CHECK-NEXT: ret
void eight(char *d, const char *s) {
  if (((uintptr_t)d | (uintptr_t)s) & 7)
    return;
  memcpy(d, s, 8);
}

// CHECK-LABEL: assumed_eight:
// CHECK-NEXT: ld
// CHECK-NEXT: sd
// CHECK-NEXT: ret
void assumed_eight(char *d, const char *s) {
  memcpy(__builtin_assume_aligned(d, 8), __builtin_assume_aligned(s, 8), 8);
}

// LITTLE-LABEL: sixtyfour:
// LITTLE: ret
// LITTLE-COUNT-8: ld
// LITTLE-COUNT-8: sd
// LITTLE-NEXT: ret
// CHECK-LABEL: sixtyfour:
// CHECK: ret
// CHECK-COUNT-8: ld
// CHECK-COUNT-8: sd
// CHECK-NEXT: ret
// REMARK: Bytes: {{ *}}'64'
// REMARK: Words: {{ *}}'memlift'
// REMARK: Fact: {{ *}}'alignment'
// REMARK: Have: {{ *}}'8 bytes'
// REMARK-NEXT: Evidence: {{ *}}'the compiler goes by 1; test at {{.*}}calls-words.c:[[#@LINE+2]]'
void sixtyfour(char *d, const char *s) {
  if (((uintptr_t)d | (uintptr_t)s) & 7)
    return;
  memcpy(d, s, 64);
}

// CHECK-LABEL: assumed_sixtyfour:
// CHECK-NOT: {{[a-z]b }}
// CHECK: ret
void assumed_sixtyfour(char *d, const char *s) {
  memcpy(__builtin_assume_aligned(d, 8), __builtin_assume_aligned(s, 8), 64);
}

// A wrapper of a header: what is known is known where it is used.
static inline void clear(void *p, size_t n) { memset(p, 0, n); }
// LITTLE-LABEL: wrapped:
// LITTLE-COUNT-4: sd
// LITTLE-NOT: sd
// LITTLE: bne
// LITTLE-NEXT: ret
// CHECK-LABEL: wrapped:
// CHECK-COUNT-8: sd
// CHECK: bne
// CHECK-NOT: memset
// CHECK: ret
void wrapped(char *p) {
  p = __builtin_assume_aligned(p, 16);
  clear(p, 256);
}

// CHECK-LABEL: words:
// CHECK-COUNT-8: sw
// CHECK: bne
// CHECK-NEXT: sw
// CHECK-NOT: memset
// CHECK: ret
void words(char *p) {
  if ((uintptr_t)p % 4)
    return;
  memset(p, 0, 100);
}

// A check that folds away.
// CHECK-LABEL: checked:
// CHECK-COUNT-8: sd
// CHECK: bne
// CHECK-NOT: memset
// CHECK: ret
void checked(char *p) {
  if ((uintptr_t)p % 8)
    return;
  __builtin___memset_chk(p, 0, 192, __builtin_object_size(p, 0));
}

// Near misses.
// CHECK-LABEL: unknown:
// CHECK: memset
// REMARK: Code: {{ *}}'MLF2191'
// REMARK-NEXT: Need: {{ *}}'4 bytes'
// REMARK-NEXT: Have: {{ *}}'1 byte'
void unknown(char *p) { memset(p, 0, 128); }
// CHECK-LABEL: two:
// CHECK: memset
void two(char *p) {
  if (!((uintptr_t)p & 1))
    memset(p, 0, 128);
}
// CHECK-LABEL: above:
// CHECK: memset
// REMARK: Code: {{ *}}'MLF3030'
void above(char *p) {
  if (!((uintptr_t)p & 7))
    memset(p, 0, 264);
}
// CHECK-LABEL: length:
// CHECK: memset
// REMARK: Code: {{ *}}'MLF2190'
void length(char *p, size_t n) {
  if (!((uintptr_t)p & 7))
    memset(p, 0, n & 63);
}
// The test says nothing of the other way.
// CHECK-LABEL: elsewhere:
// CHECK: memset
void elsewhere(char *p) {
  if ((uintptr_t)p & 7)
    memset(p, 0, 128);
}
// CHECK-LABEL: moved:
// CHECK: memmove
// REMARK: Code: {{ *}}'MLF3032'
void moved(char *d, const char *s) {
  if (((uintptr_t)d | (uintptr_t)s) & 7)
    return;
  memmove(d, s, 200);
}
// CHECK-LABEL: memset_by_hand:
// CHECK: memset
__attribute__((memlift("off"))) void memset_by_hand(char *p) {
  if (!((uintptr_t)p & 7))
    memset(p, 0, 128);
}
