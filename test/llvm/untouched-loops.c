// untouched-loops.c - near misses and forbidden places: nothing is called, and the remark says why
// RUN: %each %clang -O2 -S -emit-llvm %s -o %t.$v.ll -Rpass=memlift -Rpass-missed=memlift \
// RUN:   -Rpass-analysis=memlift 2>&1 \
// RUN:   | %filecheck %s && not grep 'call.*@memlift' %t.$v.ll %end
#include <stddef.h>
#include <stdint.h>

// CHECK: untouched-loops.c:[[#@LINE+2]]:{{.*}} the stores leave gaps between them [MLF2021]
void gaps(uint32_t *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[2 * i] = 0;
}

// CHECK: untouched-loops.c:[[#@LINE+2]]:{{.*}}[MLF2072]
void counts(uint32_t *p, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    p[i] = i;
}

// CHECK: untouched-loops.c:[[#@LINE+2]]:{{.*}}MLF2014
void wraps(uint8_t *p, unsigned from, size_t n) {
  for (unsigned i = from; i < n; i += 3)
    p[i] = 1;
}

// CHECK: untouched-loops.c:[[#@LINE+2]]:{{.*}} volatile access [MLF2001]
void device(volatile uint32_t *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = 1;
}

// CHECK: untouched-loops.c:[[#@LINE+2]]:{{.*}} atomic access [MLF2002]
void atomic(uint32_t *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    __atomic_store_n(&p[i], 1, __ATOMIC_RELAXED);
}

// An atomic counter beside a plain fill.
// CHECK: untouched-loops.c:[[#@LINE+2]]:{{.*}} atomic access [MLF2002]
void counted(uint32_t *p, size_t n, uint32_t *count) {
  for (size_t i = 0; i < n; i++) {
    p[i] = 7;
    __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
  }
}

// CHECK: untouched-loops.c:[[#@LINE+3]]:{{.*}} something besides its loads{{.*}} [MLF2012]
void hook(uint32_t *);
void calls(uint32_t *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    p[i] = 1;
    hook(p);
  }
}

// CHECK: untouched-loops.c:[[#@LINE+3]]:{{.*}} a value computed in the loop{{.*}} [MLF2016]
int sums(int *d, const int *s, int n, int v) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    sum += s[i];
    d[i] = v;
  }
  return sum;
}

// CHECK: untouched-loops.c:[[#@LINE+2]]:{{.*}} do not advance by the same step [MLF2030]
void two(char *restrict d, const char *restrict a, const char *restrict b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    d[2 * i] = a[i];
    d[2 * i + 1] = b[i];
  }
}

// The implementation itself would call itself.
// CHECK: untouched-loops.c:[[#@LINE+3]]:{{.*}} itself implements a memory routine{{.*}} [MLF2004]
void *wmemset(int *p, int v, size_t n) {
  int *start = p;
  for (size_t i = 0; i < n; i++)
    p[i] = v;
  return start;
}

// CHECK: untouched-loops.c:[[#@LINE+4]]:{{.*}} switched off for this function [MLF2008]
__attribute__((memlift("off")))
void off(uint32_t *p, size_t n) {
  // The loop.
  for (size_t i = 0; i < n; i++)
    p[i] = 1;
}

// CHECK: untouched-loops.c:[[#@LINE+3]]:{{.*}} may not call library routines{{.*}} [MLF2006]
__attribute__((no_builtin))
void no_builtin(uint32_t *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = 1;
}

// CHECK: untouched-loops.c:[[#@LINE+3]]:{{.*}} or saves its caller's registers [MLF2007]
__attribute__((no_caller_saved_registers, target("general-regs-only")))
void handler(uint32_t *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = 1;
}
