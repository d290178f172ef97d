// kernel-debug.c - loops that a kernel's debugging instruments are kept, and the remark says why
//
// KASAN checks each access, so its loops are not lowered; a function with memlift("user") has to be
// left out of it, as the assembler is that it replaces, or does not compile. Lockdep turns a lock in
// a loop into calls.
// RUN: for cc in %wrappers; do \
// RUN:   cc="$cc -O2 -ffreestanding --memlift-runtime=none --memlift-core=cva6"; \
// RUN:   kasan="$cc -fsanitize=kernel-address"; \
// RUN:   for out in 'no_sanitize("kernel-address")' no_sanitize_address; do \
// RUN:     $kasan -DOPTS_OUT="$out" -c %s -o %t.o --memlift-remarks=%t.yaml && \
// RUN:     %filecheck --check-prefix=KASAN %s < %t.yaml && \
// RUN:     objdump -h %t.o | grep __ex_table || { echo "failed: $cc, $out"; exit 1; }; \
// RUN:   done; \
// RUN:   $cc -DPLAIN -c %s -o %t.o --memlift-remarks=%t.yaml && \
// RUN:   %filecheck --check-prefix=PLAIN %s < %t.yaml || { echo "failed: $cc"; exit 1; }; \
// RUN:   not $kasan -DSANITIZED -c %s -o %t.o 2>&1 | grep MLF0012 || exit 1; \
// RUN: done
#include <stddef.h>

#define SHAPE __attribute__((memlift("shape")))
#define USER __attribute__((memlift("user")))
#ifdef SANITIZED
#define OUTSIDE
#else
#define OUTSIDE __attribute__((OPTS_OUT))
#endif

// KASAN: Missed
// KASAN: Function: {{ *}}'{{.*}}copy'
// KASAN: MLF2005
// PLAIN: Passed
// PLAIN: Function: {{ *}}'{{.*}}copy'
SHAPE void copy(char *restrict d, const char *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

#ifndef PLAIN
// KASAN: Passed
// KASAN: Function: {{ *}}'{{.*}}copy_out'
// KASAN: MLF1020
USER OUTSIDE size_t copy_out(char *restrict d, const char *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
  return 0;
}
#else
struct lockdep_map;
void lock_acquire(struct lockdep_map *lock);
void lock_release(struct lockdep_map *lock);

// PLAIN: Missed
// PLAIN: Function: {{ *}}'{{.*}}locked'
// PLAIN: {{lock_acquire|lock_release}}
SHAPE void locked(struct lockdep_map *lock, char *restrict d, const char *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    lock_acquire(lock);
    d[i] = s[i];
    lock_release(lock);
  }
}
#endif
