/* aligned_macro.c - memlift_aligned in a macro that chooses between words and bytes, as a kernel's
 * memset does, nine times. Each is 1. */
#include <memlift/intrinsics.h>

#ifdef BARE /* a compiler without a C library */
void *aligned_alloc(size_t, size_t);
#else
#include <stdio.h>
#include <stdlib.h>
#endif

#ifndef A
#define A memlift_aligned
#endif
#define OPEN __attribute__((noinline, visibility("default")))
typedef unsigned char u8;

OPEN void clear_words(void *d, size_t n) { __builtin_memset(d, 0, n); }
OPEN void clear_bytes(void *d, size_t n) { __builtin_memset(d, 0, n); }
#define CLEAR(d, n) (A(d, 8) && (n) % 8 == 0 ? (clear_words(d, n), 1) : (clear_bytes(d, n), 0))

static uint64_t words[64];
struct header {
  uint64_t stamp;
  u8 address[24];
};
static struct header headers[16];
static inline int helper(void *d) { return CLEAR(d, 16); }

OPEN int object(void) { return CLEAR(words, 64); }
OPEN int element_of(int i) { return CLEAR(&words[i & 63], 8); }
OPEN int local(void) {
  struct header h;
  return CLEAR(&h, sizeof h);
}
OPEN int member(int i) { return CLEAR(headers[i & 15].address, 24); }
OPEN int inlined(void) { return helper(words + 2); }
OPEN int stated(void *d) { return CLEAR(__builtin_assume_aligned(d, 8), 16); }
OPEN int masked(uintptr_t d) { return CLEAR((void *)(d & ~(uintptr_t)7), 16); }
OPEN int allocated(void) {
  void *d = aligned_alloc(16, 64);
  int r = CLEAR(d, 64);
  __asm__ volatile("" : : "r"(d) : "memory");
  return r;
}
OPEN int chosen(int which) {
  void *d = which ? (void *)words : (void *)headers;
  return CLEAR(d, 16);
}

#ifndef BARE
int main(void) {
  printf("object %d\n", object());
  printf("element of %d\n", element_of(3));
  printf("local %d\n", local());
  printf("member %d\n", member(3));
  printf("inlined %d\n", inlined());
  printf("stated %d\n", stated(words));
  printf("masked %d\n", masked((uintptr_t)words + 3));
  printf("allocated %d\n", allocated());
  printf("chosen %d\n", chosen(1));
  return 0;
}
#endif
