// met.c - thirty requirements in C that are met, so no compiler may complain
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define REQUIRED __attribute__((memlift("require")))

REQUIRED void fill8(uint8_t *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = 7;
}
REQUIRED void fill32(uint32_t *p, size_t n, uint32_t v) {
  for (size_t i = 0; i < n; i++)
    p[i] = v;
}
REQUIRED void zero(int *p, int n) {
  for (int i = 0; i < n; i++)
    p[i] = 0;
}
REQUIRED void copy(uint32_t *restrict d, const uint32_t *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}
REQUIRED void guarded(uint32_t *d, const uint32_t *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}
REQUIRED void down(uint16_t *restrict d, const uint16_t *restrict s, long n) {
  for (long i = n - 1; i >= 0; i--)
    d[i] = s[i];
}
REQUIRED uint32_t sum(const uint8_t *p, size_t n) {
  uint32_t s = 0;
  for (size_t i = 0; i < n; i++)
    s += p[i];
  return s;
}
REQUIRED void walk(char *p, char *end) {
  while (p != end)
    *p++ = 0;
}
REQUIRED void two_loops(uint8_t *p, uint8_t *q, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = 1;
  for (size_t i = 0; i < n; i++)
    q[i] = 2;
}
REQUIRED void only_a_call(char *p, size_t n) { memset(p, 0, n); }
REQUIRED void unrolled(uint8_t *p) {
  for (int i = 0; i < 4; i++)
    p[i] = (uint8_t)i;
}
// A search is no candidate, and is not asked for.
REQUIRED size_t beside_a_search(const char *s, uint32_t *p, uint32_t v, size_t n) {
  size_t length = 0;
  while (s[length])
    length++;
  for (size_t i = 0; i < n; i++)
    p[i] = v;
  return length;
}
// The loop is in its callers only, once of a known length.
REQUIRED static inline void helper(uint32_t *p, uint32_t v, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = v;
}
void inlined(uint32_t *p, uint32_t v, size_t n) { helper(p, v, n); }
void inlined_short(uint32_t *p, uint32_t v) { helper(p, v, 3); }
void inlined_none(uint32_t *p, uint32_t v) { helper(p, v, 0); }
__attribute__((always_inline)) REQUIRED static inline void always(uint32_t *p, uint32_t v,
                                                                  size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = v;
}
void inlined_always(uint32_t *p, uint32_t v, size_t n) { always(p, v, n); }
// Never called, so there is nothing to check.
REQUIRED static inline void unused(volatile char *p, int n) {
  for (int i = 0; i < n; i++)
    p[i] = 0;
}
// "off" wins: the pair is the way to switch a requirement off for a while.
__attribute__((memlift("off"))) REQUIRED void switched_off(uint8_t *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = 7;
}

// Cloned for its constant.
static __attribute__((noinline)) REQUIRED void cloned(uint32_t *p, uint32_t v, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = v;
}
void clones(uint32_t *p) {
  cloned(p, 5, 100);
  cloned(p + 200, 5, 300);
}

void pragma_fill(uint32_t *p, uint32_t v, size_t n) {
#pragma memlift require
  for (size_t i = 0; i < n; i++)
    p[i] = v;
}
void pragma_idiom(uint32_t *p, uint32_t v, size_t n) {
#pragma memlift require fill
  for (size_t i = 0; i < n; i++)
    p[i] = v;
}
void pragma_zero(int *p, int n) {
#pragma memlift require fill
  for (int i = 0; i < n; i++)
    p[i] = 0;
}
uint32_t pragma_sum(const uint8_t *p, size_t n) {
  uint32_t s = 0;
#pragma memlift require sum
  for (size_t i = 0; i < n; i++)
    s += p[i];
  return s;
}
void pragma_while(uint32_t *p, uint32_t *end, uint32_t v) {
#pragma memlift require
  while (p != end)
    *p++ = v;
}
void pragma_do(uint32_t *p, uint32_t v, size_t n) {
#pragma memlift require
  do
    *p++ = v;
  while (--n);
}
// The other loop may stay.
void pragma_beside_kept(volatile char *io, uint32_t *p, uint32_t v, size_t n) {
  for (size_t i = 0; i < n; i++)
    io[i] = 0;
#pragma memlift require
  for (size_t i = 0; i < n; i++)
    p[i] = v;
  for (size_t i = 0; i < n; i++)
    io[i] = 1;
}
void pragma_inner(uint16_t *p, volatile int *go, uint16_t v, size_t n) {
  while (*go) {
#pragma memlift require fill
    for (size_t i = 0; i < n; i++)
      p[i] = v;
  }
}
// Of a nest.
void pragma_outer(uint32_t (*a)[64], uint32_t v, size_t rows) {
#pragma memlift require
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < 64; i++)
      a[r][i] = v;
}
void pragma_unrolled(uint32_t *p, uint32_t v) {
#pragma memlift require
  for (int i = 0; i < 5; i++)
    p[i] = v;
}
static inline void pragma_helper(uint32_t *p, uint32_t v, size_t n) {
#pragma memlift require fill
  for (size_t i = 0; i < n; i++)
    p[i] = v;
}
void pragma_inlined(uint32_t *p, uint32_t v, size_t n) { pragma_helper(p, v, n); }
void pragma_inlined_short(uint32_t *p, uint32_t v) { pragma_helper(p, v, 2); }
void pragma_if_0(volatile int *p, int n) {
  if (0) {
#pragma memlift require
    for (int i = 0; i < n; i++)
      p[i] = 0;
  }
}
#define FILL(p, v, n)                                                                              \
  _Pragma("memlift require fill") for (size_t k = 0; k < (n); k++)(p)[k] = (v)
void pragma_macro(uint32_t *p, uint32_t v, size_t n) { FILL(p, v, n); }
