// shaped.c - functions whose loops are only shaped: those that are an idiom themselves, too
#include "parity.h"
PARITY_FLAGS("--memlift-core=cva6 --memlift-shape=memmove,bzero,listed")

#define SHAPE __attribute__((memlift("shape")))

PARITY(memcpy, "copy guarded")
SHAPE void *memcpy(void *restrict to, const void *restrict from, size_t n) {
  u8 *d = to;
  const u8 *s = from;
  while (n--)
    *d++ = *s++;
  return to;
}

PARITY(memset, "fill guarded")
SHAPE void *memset(void *to, int v, size_t n) {
  u8 *d = to;
  for (size_t i = 0; i < n; i++)
    d[i] = (u8)v;
  return to;
}

PARITY(memmove, "move guarded + move guarded")
void *memmove(void *to, const void *from, size_t n) {
  u8 *d = to;
  const u8 *s = from;
  if (d < s)
    for (size_t i = 0; i < n; i++)
      d[i] = s[i];
  else
    while (n--)
      d[n] = s[n];
  return to;
}

PARITY(bzero, "fill guarded")
void bzero(void *to, size_t n) {
  for (u8 *d = to; n; n--)
    *d++ = 0;
}

PARITY(listed, "fill guarded")
void listed(u32 *d, size_t n, u32 v) {
  for (size_t i = 0; i < n; i++)
    d[i] = v;
}

PARITY(sums, "sum inlined")
SHAPE u32 sums(const u8 *s, size_t n) {
  u32 sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += s[i];
  return sum;
}

PARITY(pairs, "sum inlined")
SHAPE u32 pairs(const u8 *s, size_t n) {
  u32 sum = 0;
  for (size_t i = 0; i + 1 < n; i += 2)
    sum += (u32)s[i] << 8 | s[i + 1];
  return sum;
}

PARITY(halves, "sum inlined")
SHAPE u32 halves(const u16 *s, size_t n) {
  u32 sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += s[i];
  return sum;
}

PARITY(turned, "copy_swap kept MLF3001 MLF3011 MLF3013")
SHAPE void turned(u32 *restrict d, const u32 *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = __builtin_bswap32(s[i]);
}

PARITY(volatile_fill, "fill kept MLF2001")
SHAPE void volatile_fill(volatile u8 *d, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = 0;
}

PARITY(off, "fill kept MLF2008")
SHAPE __attribute__((memlift("off"))) void off(u32 *d, size_t n, u32 v) {
  for (size_t i = 0; i < n; i++)
    d[i] = v;
}
