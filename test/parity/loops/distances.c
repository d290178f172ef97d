// distances.c - loops that run while enough is left between two pointers
//
// `end - p >= 4` is a test of a distance, not of a pointer: one that counts down by what
// the pointer counts up, in bytes or in elements.
#include "parity.h"

typedef u32 w32 __attribute__((may_alias, aligned(1)));
typedef u16 w16 __attribute__((may_alias, aligned(1)));

PARITY(left_four, "sum lowered")
u64 left_four(u8 *d, const u8 *p, const u8 *end, size_t n) {
  u32 s = 0;
  while (end - p >= 4) {
    s += p[0] + p[1] + p[2] + p[3];
    p += 4;
  }
  return s;
}

PARITY(left_any, "sum lowered")
u64 left_any(u8 *d, const u8 *p, const u8 *end, size_t n) {
  u32 s = 0;
  while (end - p > 0)
    s += *p++;
  return s;
}

PARITY(left_unsigned, "sum lowered")
u64 left_unsigned(u8 *d, const u8 *p, const u8 *end, size_t n) {
  u32 s = 0;
  if (end < p)
    return 0;
  for (; (size_t)(end - p) > 1; p += 2)
    s += *(const w16 *)p;
  return s;
}

// The pointer is used behind, for what is left.
PARITY(left_and_rest, "sum lowered + sum lowered")
u64 left_and_rest(u8 *d, const u8 *p, const u8 *end, size_t n) {
  u32 s = 0;
  for (; end - p >= 8; p += 8)
    s += p[0] + p[1] + p[2] + p[3] + p[4] + p[5] + p[6] + p[7];
  s <<= 8;
  while (p != end && p < end)
    s += *p++;
  return s;
}

PARITY(left_elements, "sum lowered")
u64 left_elements(u8 *d, const u8 *b, const u8 *e, size_t n) {
  const w32 *p = (const w32 *)b, *end = p + (e - b) / 4;
  u32 s = 0;
  while (end - p >= 2) {
    s += p[0] + p[1];
    p += 2;
  }
  return s;
}

PARITY(passed, "sum lowered")
u64 passed(u8 *d, const u8 *b, const u8 *end, size_t n) {
  const u8 *p = b;
  u32 s = 0;
  while ((size_t)(p - b) < n)
    s += *p++;
  return s;
}

PARITY(passed_elements, "fill lowered")
u64 passed_elements(u8 *d, const u8 *b, const u8 *end, size_t n) {
  w32 *first = (w32 *)d, *p = first;
  while (p - first < (ptrdiff_t)(n / 4))
    *p++ = 0x01020304;
  return (u64)((u8 *)p - d);
}

PARITY(passed_elements_unsigned, "fill lowered")
u64 passed_elements_unsigned(u8 *d, const u8 *b, const u8 *end, size_t n) {
  w32 *first = (w32 *)d, *p = first;
  while ((size_t)(p - first) < n / 4)
    *p++ = 0x01020304;
  return (u64)(p - first);
}

PARITY(passed_elements_int, "fill lowered")
u64 passed_elements_int(u8 *d, const u8 *b, const u8 *end, size_t n) {
  w32 *first = (w32 *)d, *p = first;
  while ((int)(p - first) < (int)(n / 4))
    *p++ = 0x01020304;
  return (u64)((u8 *)p - d);
}

PARITY(passed_elements_half, "fill lowered")
u64 passed_elements_half(u8 *d, const u8 *b, const u8 *end, size_t n) {
  w16 *first = (w16 *)d, *p = first;
  while ((unsigned)(p - first) != (unsigned)n / 2)
    *p++ = 0x0102;
  return (u64)((u8 *)p - d);
}

PARITY(passed_elements_exactly, "fill lowered")
u64 passed_elements_exactly(u8 *d, const u8 *b, const u8 *end, size_t n) {
  w32 *first = (w32 *)d, *p = first;
  ptrdiff_t count = (ptrdiff_t)(n / 4);
  while (p - first != count)
    *p++ = 0x01020304;
  return (u64)((u8 *)p - d);
}

PARITY(passed_pairs, "fill lowered")
u64 passed_pairs(u8 *d, const u8 *b, const u8 *end, size_t n) {
  w32 *first = (w32 *)d, *p = first;
  while (p - first < (ptrdiff_t)(n / 8 * 2)) {
    p[0] = 7;
    p[1] = 7;
    p += 2;
  }
  return (u64)((u8 *)p - d);
}

// Three bytes, and twelve: no powers of two.
struct colour {
  u8 red, green, blue;
} __attribute__((may_alias));

PARITY(passed_threes, "fill lowered")
u64 passed_threes(u8 *d, const u8 *b, const u8 *end, size_t n) {
  struct colour *first = (struct colour *)d, *p = first;
  for (; p - first < (ptrdiff_t)(n / 3); p++) {
    p->red = 9;
    p->green = 9;
    p->blue = 9;
  }
  return (u64)((u8 *)p - d);
}

PARITY(passed_threes_int, "fill lowered")
u64 passed_threes_int(u8 *d, const u8 *b, const u8 *end, size_t n) {
  struct colour *first = (struct colour *)d, *p = first;
  for (; (int)(p - first) < (int)n / 3; p++) {
    p->red = 9;
    p->green = 9;
    p->blue = 9;
  }
  return (u64)((u8 *)p - d);
}

struct twelve {
  u32 a, b, c;
} __attribute__((may_alias, packed));

PARITY(left_twelves, "sum lowered")
u64 left_twelves(u8 *d, const u8 *b, const u8 *e, size_t n) {
  const struct twelve *p = (const struct twelve *)b, *end = p + (e - b) / 12;
  ptrdiff_t spared = (ptrdiff_t)(n % 3);
  u32 s = 0;
  for (; end - p > spared; p++)
    s += p->a + p->b + p->c;
  return s;
}

// The first pointer is not where the loop begins.
PARITY(passed_from_behind, "sum lowered")
u64 passed_from_behind(u8 *d, const u8 *b, const u8 *e, size_t n) {
  const w32 *first = (const w32 *)b, *p = first + 1;
  u32 s = 0;
  while (p - first < (ptrdiff_t)(n / 4))
    s += *p++;
  return s;
}

PARITY(left_fill, "fill lowered")
u64 left_fill(u8 *d, const u8 *b, const u8 *e, size_t n) {
  u8 *end = d + n;
  for (; end - d >= 4; d += 4) {
    d[0] = 1;
    d[1] = 2;
    d[2] = 3;
    d[3] = 4;
  }
  return (u64)(end - d);
}

PARITY(left_copy, "copy lowered")
u64 left_copy(u8 *restrict d, const u8 *restrict p, const u8 *end, size_t n) {
  while (end - p >= 4) {
    *(w32 *)d = *(const w32 *)p;
    d += 4;
    p += 4;
  }
  return (u64)(end - p);
}

// Both ends move, and what is between them is read from one.
PARITY(closing_in, "sum lowered")
u64 closing_in(u8 *d, const u8 *p, const u8 *end, size_t n) {
  u32 s = 0;
  while (end - p > 0) {
    s += *p++;
    end--;
  }
  return s;
}

// --- near misses ---

// The distance goes by four, past a bound of two: it may pass 0 and be large again.
PARITY(left_no_room, "sum kept MLF2010")
u64 left_no_room(u8 *d, const u8 *p, const u8 *end, size_t n) {
  u32 s = 0;
  if (end < p || (end - p) % 4 == 3)
    return 0;
  for (; (size_t)(end - p) > 2; p += 4)
    s += p[0] + p[1] + p[2] + p[3];
  return s;
}

// A bound that no compiler knows: the same.
PARITY(left_variable_unsigned, "sum kept MLF2010")
u64 left_variable_unsigned(u8 *d, const u8 *p, const u8 *end, size_t n) {
  size_t bound = n % 2 + 1;
  u32 s = 0;
  if (end < p || (end - p) % 4 > 1)
    return 0;
  for (; (size_t)(end - p) > bound; p += 4)
    s += p[0] + p[1] + p[2] + p[3];
  return s;
}

// By fours, divided by three: no number of elements.
PARITY(passed_no_element, "fill kept MLF2010 MLF2016")
u64 passed_no_element(u8 *d, const u8 *b, const u8 *end, size_t n) {
  u8 *p = d;
  for (; (size_t)(p - d) / 3 < n / 4; p += 4)
    *(w32 *)p = 7;
  return (u64)(p - d);
}

// With its sign the distance ends below the bound, and nowhere else.
PARITY(left_variable, "sum lowered")
u64 left_variable(u8 *d, const u8 *p, const u8 *end, size_t n) {
  ptrdiff_t bound = (ptrdiff_t)(n & 7) + 3;
  u32 s = 0;
  for (; end - p > bound; p += 4)
    s += p[0] + p[1] + p[2] + p[3];
  return s;
}

PARITY(left_three, "sum lowered")
u64 left_three(u8 *d, const u8 *p, const u8 *end, size_t n) {
  u32 s = 0;
  for (; end - p >= 3; p += 3)
    s += p[0] + p[1] + p[2];
  return s;
}
