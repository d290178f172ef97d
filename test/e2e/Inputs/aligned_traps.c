/* aligned_traps.c - places where aligned pointers are all that is seen at first sight, and others
 * come all the same. Each line says what memlift_aligned answers; main says so if that is wrong. */
#include <memlift/intrinsics.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define A memlift_aligned
#define APART static __attribute__((noinline))
typedef unsigned char u8;

static _Alignas(64) u8 pool[4096];
static volatile int one = 1;
static int wrong;

/* The answer for p, which is only right as 0: p is not aligned. */
#define SAY(name, p, n)                                                                            \
  do {                                                                                             \
    int is = A(p, n);                                                                              \
    wrong += is && ((uintptr_t)(p) & ((n)-1));                                                     \
    printf("%s %d\n", name, is);                                                                   \
  } while (0)

APART void by_address(u8 *p) { SAY("called through a pointer", p, 8); }
__attribute__((noinline)) void visible(u8 *p) { SAY("visible", p, 8); }
__attribute__((noinline, weak)) u8 *weak_result(void) { return pool; }
APART void counted(int n, u8 *p, ...) { SAY("variable arguments", p, 8); (void)n; }
APART void recursive(u8 *p, int n) {
  if (n)
    recursive(p + 1, n - 1);
  else
    SAY("recursive", p, 8);
}
APART void around(u8 *p, int n) {
  if (n)
    around(p + 64, n - 1);
  else
    SAY("recursive in steps", p, 64);
}
APART void renamed(u8 *p) { SAY("alias", p, 8); }
void other_name(u8 *p) __attribute__((alias("renamed")));

static u8 *escapes, *first_is_odd = pool + 1, *pointed_to, *by_asm, *never_odd;
static u8 *volatile changes;
static __thread u8 *each_has_one;
static u8 **pointer_to = &pointed_to;
static union {
  u8 *p;
  uintptr_t n;
} both;
static struct pair {
  u8 *p;
  u8 *q;
} copied, source = {pool + 1, pool};
static u8 *pieces[2];
static __attribute__((section(".kept"), used)) u8 *kept;

APART void set_all(void) {
  u8 *odd = pool + one;
  escapes = first_is_odd = pointed_to = by_asm = never_odd = pool;
  changes = each_has_one = both.p = copied.p = pieces[0] = pieces[1] = kept = pool;
  memcpy(&escapes, &odd, sizeof odd);
  *pointer_to = odd;
  both.n |= 1;
  copied = source;
  __asm__("" : "=m"(by_asm) : : "memory");
  memset(&pieces, one, 1);
}

APART void say_variables(void) {
  SAY("escapes", escapes, 8);
  SAY("pointed to", pointed_to, 8);
  SAY("union", both.p, 8);
  SAY("copied", copied.p, 8);
  SAY("by asm", by_asm, 8);
  SAY("pieces", pieces[0], 8);
  SAY("volatile", changes, 8);
  SAY("a thread's", each_has_one, 8);
  SAY("never odd", never_odd, 64);
}

/* A loop that is entered in the middle is none to a compiler. */
static volatile u8 sink;
APART void entered(u8 *p, uintptr_t low) {
  unsigned n = 0;
  if (!((uintptr_t)p & 1))
    goto inside;
  while (n++ < 7) {
    sink = (u8)low;
  inside:;
  }
  SAY("behind a loop entered in the middle", (u8 *)low, 16);
}

int main(void) {
  void (*volatile f)(u8 *) = by_address;
  SAY("first is odd", first_is_odd, 2);
  SAY("section", kept, 8);
  SAY("text", &"text of a program"[1], 2);
  set_all();
  f(pool + one);
  by_address(pool);
  visible(pool);
  SAY("weak", weak_result(), 8);
  counted(2, pool + one, 1, 2);
  counted(2, pool, 1);
  recursive(pool, 3);
  around(pool, 3);
  renamed(pool);
  other_name(pool + one);
  say_variables();
  for (int k = 0; k < 64; k += one)
    entered(pool + 8 * k, (uintptr_t)(pool + 8 * k) & 63);
  return wrong != 0;
}
