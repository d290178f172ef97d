// strings.c - loops that end at a byte, and copy or sum what comes before it; near misses
//
// All have one signature, for test/e2e/strings.test: p and d have n bytes, the last one of p is 0.
#include "parity.h"

PARITY_FLAGS("--memlift-searches")

#define LOOP(name) u64 name(u8 *d, const u8 *p, size_t n, int c)

PARITY(copy_while, "move lowered")
LOOP(copy_while) {
  u8 *to = d;
  while (*p)
    *to++ = *p++;
  *to = 0;
  return (u64)(to - d);
}

PARITY(copy_and_end, "move lowered")
LOOP(copy_and_end) {
  size_t i = 0;
  while ((d[i] = p[i]) != 0)
    i++;
  return i;
}

PARITY(copy_bounded, "move lowered")
LOOP(copy_bounded) {
  size_t i;
  for (i = 0; i < n && p[i]; i++)
    d[i] = p[i];
  return i;
}

PARITY(copy_apart, "move lowered")
LOOP(copy_apart) {
  u8 *restrict to = d;
  const u8 *restrict from = p;
  size_t i;
  for (i = 0; i < n && from[i] != (u8)c; i++)
    to[i] = from[i];
  return i;
}

PARITY(copy_field, "move lowered")
LOOP(copy_field) {
  u8 *to = d;
  const u8 *e = p + n;
  while (p < e && *p != ',' && *p != 0)
    *to++ = *p++;
  return (u64)(to - d);
}

PARITY(sum_string, "sum lowered")
LOOP(sum_string) {
  u32 sum = 0;
  for (; *p; p++)
    sum += *p;
  return sum;
}

PARITY(sum_bounded, "sum lowered")
LOOP(sum_bounded) {
  u64 sum = 3;
  for (size_t i = 0; i < n; i++) {
    if (p[i] == (u8)c)
      break;
    sum += p[i];
  }
  return sum;
}

PARITY(sum_of_last_too, "sum lowered")
LOOP(sum_of_last_too) {
  u32 sum = 0;
  size_t i = 0;
  for (;;) {
    sum += p[i];
    if (p[i] == 0 || i + 1 == n)
      break;
    i++;
  }
  return sum;
}

PARITY(hash_string, "polyhash lowered")
LOOP(hash_string) {
  u32 h = 5381;
  while (*p)
    h = h * 33 + *p++;
  return h;
}

PARITY(xor_string, "xor_fold lowered")
LOOP(xor_string) {
  u8 x = 0;
  for (; *p && *p != '*'; p++)
    x ^= *p;
  return x;
}

PARITY(count_commas, "sum lowered")
LOOP(count_commas) {
  int k = 0;
  for (; *p; p++)
    k += *p == ',';
  return (u64)k;
}

// Near misses: kept.

LOOP(copy_upper) {
  u8 *to = d;
  for (; *p; p++)
    *to++ = (u8)(*p ^ 0x20);
  return (u64)(to - d);
}

LOOP(copy_while_stored) {
  size_t i = 0;
  do
    d[i] = p[i];
  while (d[i] != 0 && ++i < n);
  return i;
}

LOOP(copy_ends_at_other) {
  size_t i;
  for (i = 0; i < n && d[i] != (u8)c; i++)
    d[i] = p[i];
  return i;
}

LOOP(fill_string) {
  size_t i;
  for (i = 0; i < n && p[i]; i++)
    d[i] = (u8)c;
  return i;
}

LOOP(fnv_string) {
  u32 h = 2166136261u;
  for (; *p; p++)
    h = (h ^ *p) * 16777619;
  return h;
}

LOOP(copy_every_second) {
  size_t i;
  for (i = 0; i + 1 < n && p[i]; i += 2)
    d[i] = p[i];
  return i;
}

LOOP(copy_backwards) {
  size_t i = n;
  while (i > 0 && p[i - 1] != (u8)c) {
    i--;
    d[i] = p[i];
  }
  return i;
}
