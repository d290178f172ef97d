/* aligned.c - places where a pointer is provably aligned, is provably not, or may be either.
 * Each function gives the sum of what memlift_aligned says there. */
#include <memlift/intrinsics.h>

#ifdef BARE /* a compiler without a C library */
void *aligned_alloc(size_t, size_t);
#else
#include <stdio.h>
#include <stdlib.h>
#endif

#ifndef A
#define A memlift_aligned
#endif
#define APART static __attribute__((noinline))
#define OPEN __attribute__((noinline, visibility("default"))) /* not all callers are known */
typedef unsigned char u8;

void use(const volatile void *p) {
  static const volatile void *volatile seen;
  seen = p;
}

static _Alignas(64) u8 first[256], second[128];
static _Alignas(256) u8 pool[65536];

APART int callee(u8 *p) {
  use(p);
  return A(p, 64);
}
APART int all_callers(void) { return callee(first) && callee(second + 64); }

APART int assumed_callee(u8 *p) {
  use(p);
  return A(p, 64);
}
APART int assuming_caller(void *q) {
  int r = assumed_callee(__builtin_assume_aligned(q, 64));
  use(q);
  return r;
}

APART u8 *slot(int i) {
  use(pool);
  return pool + (i & 255) * 256;
}
APART int returned(int i) { return A(slot(i), 256); }

OPEN int tested(u8 *d) {
  if ((uintptr_t)d & 7)
    return -1;
  return A(d, 8);
}

APART int tested_both(u8 *d, const u8 *s) {
  if (((uintptr_t)d | (uintptr_t)s) & 7)
    return -1;
  return A(d, 8) + A(s, 8);
}

APART int before_a_loop(u8 *d, const u8 *s, int n) {
  if (((uintptr_t)d | (uintptr_t)s) & 7)
    return -1;
  int r = A(d, 8);
  for (int i = 0; i < n; i++)
    d[i] = (u8)(s[i] + 1);
  return r + A(s, 8);
}

APART int peeled(u8 *d, const u8 *s, size_t n) {
  int r = 0;
  while (n && ((uintptr_t)d & 7)) {
    *d++ = *s++;
    n--;
  }
  if (n == 0)
    return -1;
  while (n >= 8) {
    r = A(d, 8);
    use(d);
    d += 8;
    n -= 8;
  }
  return r;
}

static struct {
  u8 *buffer;
  int other;
} state;
APART void fill_state(void) { state.buffer = aligned_alloc(64, 4096); }
APART int field(void) { return A(state.buffer, 64); }

struct point {
  uint64_t x, y, z;
};
static struct point points[100];
APART int element(int i) { return A(&points[i], 8); }
APART int walked(int n) {
  int r = 0;
  for (struct point *p = points; p < points + n; p++) {
    r = A(p, 8);
    use(p);
  }
  return r;
}

APART int together(u8 *d, const u8 *s, size_t n) {
  if (((uintptr_t)d ^ (uintptr_t)s) & 7)
    return -1;
  while (n && ((uintptr_t)d & 7)) {
    *d++ = *s++;
    n--;
  }
  if (!n)
    return -1;
  return A(d, 8) + A(s, 8);
}

OPEN int rounded(u8 *p) { return A((u8 *)(((uintptr_t)p + 63) & ~(uintptr_t)63), 64); }
APART int literal(void) { return A((void *)4096, 4096); }

/* No proof, or a proof that it is not so. */
struct __attribute__((packed)) packed {
  char c;
  uint64_t x;
};
OPEN int in_packed(struct packed *p) { return A(&p->x, 8); }
APART int beside(void) { return A(pool + 4, 8); }
OPEN int unknown(u8 *p) { return A(p, 2); }
OPEN int after_the_loop(uint64_t *w, int n) { /* which may not have run */
  for (int i = 0; i < n; i++)
    w[i] = 0;
  return A(w, 8);
}
OPEN int nothing_copied(u8 *d, const u8 *s, size_t n) {
  __builtin_memcpy(d, s, n);
  return A(d, 8);
}
OPEN int only_the_first(u8 *p, int n) { /* steps of 12 */
  int r = 0;
  if ((uintptr_t)p & 7)
    return -1;
  for (int i = 0; i < n; i++, p += 12) {
    r |= A(p, 8);
    use(p);
  }
  return r;
}

/* Once decided, a constant. */
OPEN int constant(u8 *d) {
  if ((uintptr_t)d & 7)
    return -1;
  return __builtin_constant_p(A(d, 8)) + A(d, 8);
}

#ifndef BARE
int main(void) {
  fill_state();
  printf("all callers %d\n", all_callers());
  printf("assuming caller %d\n", assuming_caller(first));
  printf("returned %d\n", returned(3));
  printf("tested %d\n", tested(pool));
  printf("tested both %d\n", tested_both(pool, first));
  printf("before a loop %d\n", before_a_loop(pool, first, 20));
  printf("peeled %d\n", peeled(pool + 3, first, 100));
  printf("field %d\n", field());
  printf("element %d\n", element(7));
  printf("walked %d\n", walked(9));
  printf("together %d\n", together(pool + 3, first + 3, 100));
  printf("rounded %d\n", rounded(pool + 5));
  printf("literal %d\n", literal());
  printf("in packed %d\n", in_packed((struct packed *)pool));
  printf("beside %d\n", beside());
  printf("unknown %d\n", unknown(pool));
  printf("after the loop %d\n", after_the_loop((uint64_t *)pool, 3));
  printf("nothing copied %d\n", nothing_copied(pool, first, 8));
  printf("only the first %d\n", only_the_first(pool, 3));
  printf("constant %d\n", constant(pool));
  return 0;
}
#endif
