// broken.c - requirements in C that are broken; "BROKEN" tells the code, and one of the reasons
#include <stddef.h>
#include <stdint.h>

#define REQUIRED __attribute__((memlift("require")))

REQUIRED void gaps(uint8_t *p, size_t n) {
  for (size_t i = 0; i < n; i++) // BROKEN MLF0016 MLF2021
    p[4 * i + 3] = 255;
}
REQUIRED void is_volatile(volatile uint32_t *p, size_t n) {
  for (size_t i = 0; i < n; i++) // BROKEN MLF0016 MLF2001
    p[i] = 0;
}
extern void callback(int);
REQUIRED void calls(uint32_t *p, size_t n) {
  for (size_t i = 0; i < n; i++) { // BROKEN MLF0016
    p[i] = 0;
    callback(1);
  }
}
REQUIRED void iota(uint32_t *p, size_t n) {
  for (size_t i = 0; i < n; i++) // BROKEN MLF0016
    p[i] = (uint32_t)i;
}
REQUIRED void scaled(float *restrict d, const float *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++) // BROKEN MLF0016
    d[i] = s[i] * 3;
}
REQUIRED void leaves(uint32_t *p, const uint32_t *stop, size_t n) {
  for (size_t i = 0; i < n; i++) { // BROKEN MLF0016
    if (stop[i])
      break;
    p[i] = 5;
  }
}
REQUIRED void conditional(uint32_t *p, const uint8_t *on, size_t n) {
  for (size_t i = 0; i < n; i++) // BROKEN MLF0016
    if (on[i])
      p[i] = 5;
}
REQUIRED void one_of_two(uint32_t *p, volatile uint32_t *io, uint32_t v, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = v;
  for (size_t i = 0; i < n; i++) // BROKEN MLF0016 MLF2001
    io[i] = v;
}
REQUIRED void both(volatile uint8_t *p, volatile uint8_t *q, size_t n) {
  for (size_t i = 0; i < n; i++) // BROKEN MLF0016 MLF2001
    p[i] = 1;
  for (size_t i = 0; i < n; i++) // BROKEN MLF0016 MLF2001
    q[i] = 2;
}
REQUIRED int no_loop(int x) { return 2 * x; } // BROKEN MLF0018
REQUIRED int only_steps(unsigned x) { // BROKEN MLF0018
  int n = 0;
  for (; x > 1; n++)
    x = x & 1 ? 3 * x + 1 : x / 2;
  return n;
}
REQUIRED static inline void helper(volatile uint32_t *p, size_t n) {
  for (size_t i = 0; i < n; i++) // BROKEN MLF0016 MLF2001
    p[i] = 0;
}
void inlined(volatile uint32_t *p, size_t n) { helper(p, n); }
__attribute__((always_inline)) REQUIRED static inline void always(volatile uint32_t *p, size_t n) {
  for (size_t i = 0; i < n; i++) // BROKEN MLF0016 MLF2001
    p[i] = 3; // not as above: GCC makes one of two functions that are equal
}
void inlined_always(volatile uint32_t *p, size_t n) { always(p, n); }
REQUIRED void nest(uint8_t *p, size_t rows, size_t n) {
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < n; i++) // BROKEN MLF0016
      p[r * 1000 + 2 * i] = 9;
}

void pragma_gaps(uint8_t *p, size_t n) {
#pragma memlift require
  for (size_t i = 0; i < n; i++) // BROKEN MLF0016 MLF2021
    p[4 * i + 3] = 255;
}
void pragma_volatile(volatile uint32_t *p, size_t n) {
#pragma memlift require fill
  for (size_t i = 0; i < n; i++) // BROKEN MLF0016 MLF2001
    p[i] = 0;
}
void pragma_other(uint32_t *p, uint32_t v, size_t n) {
#pragma memlift require crc
  for (size_t i = 0; i < n; i++) // BROKEN MLF0017
    p[i] = v;
}
uint32_t pragma_other_sum(const uint8_t *p, size_t n) {
  uint32_t s = 0;
#pragma memlift require fill
  for (size_t i = 0; i < n; i++) // BROKEN MLF0017
    s += p[i];
  return s;
}
void pragma_deleted(uint32_t v, size_t n) {
  uint32_t local[100];
#pragma memlift require
  for (size_t i = 0; i < n; i++) // BROKEN MLF0018
    local[i % 100] = v;
}
int pragma_steps(unsigned x) {
  int n = 0;
#pragma memlift require
  for (; x > 1; n++) // BROKEN MLF0018
    x = x & 1 ? 3 * x + 1 : x / 2;
  return n;
}
void pragma_while(volatile uint32_t *p, volatile uint32_t *end) {
#pragma memlift require
  while (p != end) // BROKEN MLF0016 MLF2001
    *p++ = 0;
}
void pragma_do(volatile uint32_t *p, size_t n) {
#pragma memlift require
  do *p++ = 0; while (--n); // BROKEN MLF0016 MLF2001
}
void pragma_second(uint32_t *p, volatile uint32_t *q, uint32_t v, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = v;
#pragma memlift require
  for (size_t i = 0; i < n; i++) // BROKEN MLF0016 MLF2001
    q[i] = v;
}
void pragma_outer(volatile uint32_t *p, size_t rows, size_t n) {
#pragma memlift require
  for (size_t r = 0; r < rows; r++) // BROKEN MLF0016 MLF2001
    for (size_t i = 0; i < n; i++)
      p[r * n + i] = 1;
}
static inline void pragma_helper(volatile uint32_t *p, size_t n) {
#pragma memlift require fill
  for (size_t i = 0; i < n; i++) // BROKEN MLF0016 MLF2001
    p[i] = 1;
}
void pragma_inlined(volatile uint32_t *p, size_t n) { pragma_helper(p, n); }
