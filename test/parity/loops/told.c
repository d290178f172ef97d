// told.c - loops that are far from any operation, and told all the same
//
// Those that are entered in several places no compiler takes for loops; the others
// write nothing, but make one number of what they read.
#include "parity.h"

PARITY(duff_copy, "none kept MLF2017")
void duff_copy(u8 *to, const u8 *from, int count) {
  int n = (count + 7) / 8;
  switch (count % 8) {
  case 0: do { *to++ = *from++;
  case 7:      *to++ = *from++;
  case 6:      *to++ = *from++;
  case 5:      *to++ = *from++;
  case 4:      *to++ = *from++;
  case 3:      *to++ = *from++;
  case 2:      *to++ = *from++;
  case 1:      *to++ = *from++;
          } while (--n > 0);
  }
}

PARITY(duff_fill, "none kept MLF2017")
void duff_fill(u32 *to, int count, u32 v) {
  int n = (count + 3) / 4;
  switch (count & 3) {
  case 0: do { *to++ = v;
  case 3:      *to++ = v;
  case 2:      *to++ = v;
  case 1:      *to++ = v;
          } while (--n > 0);
  }
}

PARITY(duff_sum, "none kept MLF2017")
u32 duff_sum(const u8 *p, int count) {
  u32 s = 0;
  int n = (count + 3) / 4;
  switch (count & 3) {
  case 0: do { s += *p++;
  case 3:      s += *p++;
  case 2:      s += *p++;
  case 1:      s += *p++;
          } while (--n > 0);
  }
  return s;
}

PARITY(into_the_middle, "none kept MLF2017")
void into_the_middle(u8 *d, const u8 *s, size_t n, int late) {
  size_t i = 0;
  if (late)
    goto inside;
again:
  d[i] = s[i];
inside:
  d[i + 1] = s[i + 1];
  i += 2;
  if (i < n)
    goto again;
}

// Labels that are entered at the top only make an ordinary loop.
PARITY(from_the_top, "copy lowered")
void from_the_top(u8 *restrict d, const u8 *restrict s, size_t n) {
  size_t i = 0;
again:
  d[i] = s[i];
  i += 1;
  if (i < n)
    goto again;
}

PARITY(largest, "none kept MLF2040")
u8 largest(const u8 *p, size_t n) {
  u8 m = 0;
  for (size_t i = 0; i < n; i++)
    if (p[i] > m)
      m = p[i];
  return m;
}

PARITY(all_bits, "none kept MLF2040")
u32 all_bits(const u32 *p, size_t n) {
  u32 m = 0;
  for (size_t i = 0; i < n; i++)
    m |= p[i];
  return m;
}

PARITY(lines, "sum lowered")
u32 lines(const u8 *p, size_t n) {
  u32 m = 0;
  for (size_t i = 0; i < n; i++)
    m += p[i] == 10;
  return m;
}

PARITY(squares, "none kept MLF2040")
u64 squares(const u32 *p, size_t n) {
  u64 m = 0;
  for (size_t i = 0; i < n; i++)
    m += (u64)p[i] * p[i];
  return m;
}

PARITY(inner_product, "none kept MLF2040")
u32 inner_product(const u16 *p, const u16 *q, size_t n) {
  u32 m = 0;
  for (size_t i = 0; i < n; i++)
    m += (u32)p[i] * q[i];
  return m;
}

PARITY(odd_ones, "none kept MLF2040")
u32 odd_ones(const u32 *p, size_t n) {
  u32 m = 0;
  for (size_t i = 0; i < n; i++)
    if (p[i] & 1)
      m += p[i];
  return m;
}

PARITY(compare_in_constant_time, "none kept MLF2040")
int compare_in_constant_time(const u8 *a, const u8 *b, size_t n) {
  u8 r = 0;
  while (n--)
    r |= *a++ ^ *b++;
  return r;
}

PARITY(sum_up_to_a_line, "sum kept MLF3055")
u32 sum_up_to_a_line(const u8 *p, size_t n) {
  u32 m = 0;
  for (size_t i = 0; i < n; i++) {
    if (p[i] == 10)
      break;
    m += p[i];
  }
  return m;
}

PARITY(squares_up_to_a_line, "none kept MLF2010 MLF2011 MLF2020")
u32 squares_up_to_a_line(const u8 *p, size_t n) {
  u32 sum = 0;
  for (size_t i = 0; i < n && p[i] != '\n'; i += 3)
    sum += p[i] * p[i];
  return sum;
}

// A search makes no number of what it reads, and writes nothing; it is told of all the same.
PARITY(search, "search kept MLF3055")
int search(const u8 *p, int n, u8 c) {
  for (int i = 0; i < n; i++)
    if (p[i] == c)
      return i;
  return -1;
}
