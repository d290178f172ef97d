// near-misses.c - near misses: one fact away from a fill or a copy, and kept for that fact
// RUN: %memlift-gcc -O2 -fno-tree-loop-distribute-patterns --memlift-runtime=memlift \
// RUN:   -fopt-info-all-optall -fchecking -S %s -o %t.s 2>&1 | grep memlift: | %filecheck %s
// RUN: not grep memlift_ %t.s
#include <stddef.h>
#include <stdint.h>

// CHECK-DAG: [[#@LINE+1]]:{{.*}} [MLF2001]
void volatile_store(volatile int *p, int n) { for (int i = 0; i < n; i++) p[i] = 0; }
// CHECK-DAG: [[#@LINE+2]]:{{.*}} [MLF2002]
void atomic_store(int *p, int n) {
  for (int i = 0; i < n; i++) __atomic_store_n(&p[i], 0, __ATOMIC_RELAXED);
}
// CHECK-DAG: [[#@LINE+1]]:{{.*}} [MLF2008]
__attribute__((memlift("off"))) void off(int *p, int n) { for (int i = 0; i < n; i++) p[i] = 0; }
// CHECK-DAG: [[#@LINE+1]]:{{.*}} [MLF2010]
void list(int **p) { while (*p) { **p = 0; p++; } }
// CHECK-DAG: [[#@LINE+2]]:{{.*}} [MLF2012]
void other(void);
void effect(int *p, int n) { for (int i = 0; i < n; i++) { p[i] = 0; other(); } }
// CHECK-DAG: [[#@LINE+2]]:{{.*}} [MLF2012]
void barrier(int *p, int n) {
  for (int i = 0; i < n; i++) { p[i] = 0; __asm__ volatile("" ::: "memory"); }
}
// CHECK-DAG: [[#@LINE+1]]:{{.*}} [MLF2013]
void scatter(int *p, const int *at, int n) { for (int i = 0; i < n; i++) p[at[i]] = 0; }
// CHECK-DAG: [[#@LINE+1]]:{{.*}} [MLF2015]
void some(int *p, const int *s, int n) { for (int i = 0; i < n; i++) if (s[i]) p[i] = 0; }
// CHECK-DAG: [[#@LINE+2]]:{{.*}} [MLF2016]
int last(int *d, const int *s, int n) {
  int x = 0; for (int i = 0; i < n; i++) d[i] = x = s[i]; return x;
}
// CHECK-DAG: [[#@LINE+1]]:{{.*}} [MLF2021]
void gaps(int *p, int n) { for (int i = 0; i < n; i++) p[2 * i] = 0; }
// CHECK-DAG: [[#@LINE+1]]:{{.*}} [MLF2022]
void twice(char *p, int n) { for (int i = 0; i < n; i++) { p[i] = 1; p[i + 1] = 2; } }
// CHECK-DAG: [[#@LINE+1]]:{{.*}} [MLF2072]
void varies(int *p, int n) { for (int i = 0; i < n; i++) p[i] = i; }
// CHECK-DAG: [[#@LINE+1]]:{{.*}} [MLF2063]
void reloaded(char *p, int n) { for (int i = 0; i < n; i++) p[i] = (char)(p[5] + 1); }
// CHECK-DAG: [[#@LINE+3]]:{{.*}} [MLF2026]
struct wide { uint64_t a, b, c; };
void wide(struct wide *p, int n, uint64_t a, uint64_t b, uint64_t c) {
  for (int i = 0; i < n; i++) { p[i].a = a; p[i].b = b; p[i].c = c; }
}
// CHECK-DAG: [[#@LINE+2]]:{{.*}} [MLF2027]
void padded(long double *d, const long double *s, int n) {
  for (int i = 0; i < n; i++) d[i] = s[i];
}
struct rgb { char r, g, b; };
// CHECK-DAG: [[#@LINE+2]]:{{.*}} [MLF2071]
void reversed(struct rgb *restrict d, const struct rgb *restrict s, int n) {
  for (int i = 0; i < n; i++) d[i] = s[n - 1 - i];
}
// CHECK-DAG: [[#@LINE+1]]:{{.*}} [MLF2031]
void repeats(char *p) { for (int i = 9; i < 100; i++) p[i] = p[i - 9]; }
// CHECK-DAG: [[#@LINE+1]]:{{.*}} [MLF2004]
void *memset(void *p, int v, size_t n) { char *c = p; while (n--) *c++ = (char)v; return p; }
