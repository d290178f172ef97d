/* string.c - memcpy, memmove and memset in place of arch/riscv/lib/mem*.S
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "user.h"

/* Upwards, and right for a region below the other one that it overlaps: memmove() calls it. */
SHAPE void *memcpy(void *to, const void *from, size_t n) {
  char *d = to;
  const char *s = from;
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
  return to;
}

SHAPE void *memmove(void *to, const void *from, size_t n) {
  char *d = to;
  const char *s = from;
  if ((size_t)(d - s) >= n)
    return memcpy(to, from, n);
  while (n--)
    d[n] = s[n];
  return to;
}

SHAPE void *memset(void *to, int value, size_t n) {
  unsigned char *d = to;
  for (size_t i = 0; i < n; i++)
    d[i] = (unsigned char)value;
  return to;
}
