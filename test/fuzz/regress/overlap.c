// overlap.c - every distance at which a copy upwards or downwards repeats its own bytes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing was wrong here: the case that every change of a guard has to pass first.
#include <stdint.h>
typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
typedef u64 loop(u8 *, u8 *, long, long, u64, u64);
struct info { loop *f; unsigned number, unit, align; char kind; };

u64 F(0)(u8 *a, u8 *b, long n, long m, u64 v, u64 w) {
  for (long i = 0; i < n; i++)
    a[i] = b[i];
  return 0;
}
u64 F(1)(u8 *a, u8 *b, long n, long m, u64 v, u64 w) {
  for (long i = n; i-- > 0;)
    ((u32 *)a)[i] = ((u32 *)b)[i];
  return 0;
}
u64 F(2)(u8 *a, u8 *b, long n, long m, u64 v, u64 w) {
  u8 *p = a, *q = a + m;
  while (n--)
    *p++ = *q++;
  return p - a;
}
const struct info F(table)[] = {
    {F(0), 0, 1, 1, 'O'}, {F(1), 1, 4, 4, 'O'}, {F(2), 2, 1, 1, 'O'}, {0}};
