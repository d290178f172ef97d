/* alignment.c - memory operations on pointers that are aligned by something, or that somebody
 * misaligns (print-alignment.test). */
#include <memlift/intrinsics.h>
#include <string.h>
#include <stdlib.h>
#define APART static __attribute__((noinline))
typedef unsigned char u8;
static _Alignas(64) u8 first[256], second[128];
extern void use(const volatile void *p);
APART void all(u8 *p) { memset(p, 0, 40); use(p); }
APART void most(u8 *p) { memset(p, 1, 40); use(p); }
static u8 *buffer, *other;
void anybody(u8 *p, u8 *q, size_t n) {
  memcpy(p, q, n);
}
void tested(u8 *p, size_t n) {
  if ((uintptr_t)p & 15)
    return;
  memset(p, 1, n);
  use(p);
}
void assumed(u8 *p, size_t n) {
  u8 *q = __builtin_assume_aligned(p, 32);
  memset(q, 1, n);
  use(p);
}
APART u8 *made(u8 *p) { use(p); return first + 128; }
void returned(u8 *p) { memset(made(p), 0, 33); }
void stored(void) { memset(buffer, 0, 33); memset(other, 1, 33); }
void set(void) {
  buffer = aligned_alloc(64, 4096);
  other = (u8 *)aligned_alloc(64, 4096) + 2;
}
int asked(u8 **p) { return memlift_aligned(*p, 8); }
void callers(void) {
  all(first);
  all(second + 64);
  most(first);
  most(second + 2);
}
int tested_before(u8 *p) {
  if ((uintptr_t)p & 7)
    return -1;
  return memlift_aligned(p, 8);
}
