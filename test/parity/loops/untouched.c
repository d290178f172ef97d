// untouched.c - memory and functions that are never touched, and the reason told
#include "parity.h"

PARITY(volatile_fill, "fill kept MLF2001")
void volatile_fill(volatile u8 *d, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = 0;
}

PARITY(atomic_fill, "fill kept MLF2002")
void atomic_fill(u32 *d, size_t n, u32 v) {
  for (size_t i = 0; i < n; i++)
    __atomic_store_n(&d[i], v, __ATOMIC_RELAXED);
}

PARITY(segment_fill, "fill kept MLF2003")
void segment_fill(__seg_gs u32 *d, size_t n, u32 v) {
  for (size_t i = 0; i < n; i++)
    d[i] = v;
}

PARITY(wmemset, "fill kept MLF2004")
int *wmemset(int *d, int v, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = v;
  return d;
}

PARITY(switched_off, "fill kept MLF2008")
__attribute__((memlift("off"))) void switched_off(u32 *d, size_t n, u32 v) {
  for (size_t i = 0; i < n; i++)
    d[i] = v;
}

PARITY(off_call, "fill kept MLF2008")
__attribute__((memlift("off"))) void off_call(u8 *d, size_t n) {
  __builtin_memset(d, 0, n);
}
