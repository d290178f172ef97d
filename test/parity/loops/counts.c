// counts.c - how many bytes are one certain byte, in many spellings, and near misses
//
// All have one signature, for test/e2e/counts.test.
#include "parity.h"

#define LOOP(name) long name(const u8 *p, size_t n, int c)

PARITY(count_if, "sum lowered")
LOOP(count_if) {
  long k = 0;
  for (size_t i = 0; i < n; i++)
    if (p[i] == (u8)c)
      k++;
  return k;
}

PARITY(count_plus, "sum lowered")
LOOP(count_plus) {
  u32 k = 7;
  for (size_t i = 0; i < n; i++)
    k += p[i] == (u8)c;
  return k;
}

PARITY(count_lines, "sum lowered")
LOOP(count_lines) {
  int lines = 1;
  const u8 *s = p, *e = p + n;
  while (s < e)
    if (*s++ == '\n')
      lines++;
  return lines;
}

PARITY(count_zeros, "sum lowered")
LOOP(count_zeros) {
  size_t k = 0;
  while (n--)
    k += !*p++;
  return (long)k;
}

PARITY(count_set, "sum lowered")
LOOP(count_set) {
  u8 k = 0; // modulo 256
  for (size_t i = 0; i < n; i++)
    if (p[i] != 0)
      k++;
  return k;
}

PARITY(count_down, "sum lowered")
LOOP(count_down) {
  long left = (long)n;
  for (size_t i = 0; i < n; i++)
    if (p[i] == 0xff)
      left--;
  return left;
}

PARITY(count_two_ways, "sum lowered")
LOOP(count_two_ways) {
  int balance = 0;
  for (size_t i = 0; i < n; i++)
    balance += p[i] == (u8)c ? 5 : -3;
  return balance;
}

PARITY(count_backwards, "sum lowered")
LOOP(count_backwards) {
  int k = 0;
  for (size_t i = n; i-- > 0;)
    if (p[i] == ',')
      k++;
  return k;
}

PARITY(count_of_int, "sum guarded")
LOOP(count_of_int) {
  int k = 0;
  for (size_t i = 0; i < n; i++)
    if (p[i] == c)
      k++;
  return k;
}

PARITY(count_of_signed, "sum guarded")
LOOP(count_of_signed) {
  const signed char *s = (const signed char *)p;
  int k = 0;
  for (size_t i = 0; i < n; i++)
    if (s[i] == c)
      k++;
  return k;
}

// 255 of 256 bytes have one outcome.
PARITY(count_all_ones, "sum lowered")
LOOP(count_all_ones) {
  int k = 0;
  for (size_t i = 0; i < n; i++)
    k += (u8)(p[i] + 1) == 0;
  return k;
}

PARITY(count_below_255, "sum lowered")
LOOP(count_below_255) {
  int k = 0;
  for (size_t i = 0; i < n; i++)
    k += p[i] < 255;
  return k;
}

// Near misses.

PARITY(count_two_bytes, "untouched")
LOOP(count_two_bytes) {
  int k = 0;
  for (size_t i = 0; i < n; i++)
    k += p[i] == '\r' || p[i] == '\n';
  return k;
}

PARITY(count_below_254, "untouched")
LOOP(count_below_254) {
  int k = 0;
  for (size_t i = 0; i < n; i++)
    k += p[i] < 254;
  return k;
}

PARITY(count_by_itself, "untouched")
LOOP(count_by_itself) {
  int k = 1;
  for (size_t i = 0; i < n; i++)
    if (p[i] == (u8)c)
      k += k;
  return k;
}

PARITY(count_by_place, "untouched")
LOOP(count_by_place) {
  size_t k = 0;
  for (size_t i = 0; i < n; i++)
    if (p[i] == (u8)c)
      k += i;
  return (long)k;
}

PARITY(count_of_count, "untouched")
LOOP(count_of_count) {
  u8 k = 0;
  for (size_t i = 0; i < n; i++)
    if (p[i] == k)
      k++;
  return k;
}

PARITY(count_every_second, "sum kept MLF2030")
LOOP(count_every_second) {
  int k = 0;
  for (size_t i = 0; i < n; i += 2)
    if (p[i] == (u8)c)
      k++;
  return k;
}

PARITY(count_halves, "untouched")
LOOP(count_halves) {
  const u16 __attribute__((aligned(1), may_alias)) *h = (const void *)p;
  int k = 0;
  for (size_t i = 0; i < n / 2; i++)
    if (h[i] == (u16)c)
      k++;
  return k;
}
