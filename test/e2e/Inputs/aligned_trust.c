/* aligned_trust.c - what the type of an argument says, and what it does not */
#include <memlift/intrinsics.h>

#include <stdio.h>

#define A memlift_aligned
#define OPEN __attribute__((noinline, visibility("default"))) /* not all callers are known */
typedef unsigned char u8;
typedef uint64_t anywhere __attribute__((aligned(1)));
typedef uint64_t half __attribute__((aligned(4)));

static _Alignas(64) u8 pool[4096];

struct line {
  int count;
  _Alignas(64) u8 bytes[64];
};
struct __attribute__((packed)) packed {
  char c;
  uint64_t x;
};
struct open;

OPEN int words(uint64_t *w) { return A(w, 8); }
OPEN int walked(uint64_t *w, int n) { /* as bytes */
  u8 *p = (u8 *)w;
  int r = A(p, 8);
  for (int i = 0; i < n; i++)
    r |= A(p + 8 * i, 8);
  return r;
}
OPEN int member(struct line *l, int n) {
  int r = 0;
  for (int i = 0; i < n; i++)
    r |= A(l[i].bytes, 64);
  return r;
}
OPEN int after_the_loop(uint64_t *w, int n) { /* which may not have run */
  for (int i = 0; i < n; i++)
    w[i] = 0;
  return A(w, 8);
}
OPEN int there_and_back(uint32_t *w) { return A((uint32_t *)(void *)(u8 *)w, 4); }
OPEN int pointer(uint64_t **p) { return A(p, 8); }
OPEN int in_packed(struct packed *p) { return A(&p->x, 8); }
OPEN int whole_packed(struct packed *p) { return A(p, 2); }
OPEN int from_char(char *c) { return A((uint64_t *)c, 8); }
OPEN int from_void(void *v) {
  uint64_t *w = v;
  return A(w, 8);
}
OPEN int from_number(uintptr_t n) { return A((uint64_t *)n, 8); }
OPEN int loaded(uint64_t **p) { return A(*p, 8); }
OPEN int not_aligned(anywhere *w) { return A(w, 2); }
OPEN int half_aligned(half *w) { return A(w, 4) + A(w, 8); }
OPEN int odd_step(uint32_t *w, int n) { return A((u8 *)w + n, 2); }
OPEN int unknown_type(struct open *p) { return A(p, 2); }
OPEN int narrower(uint32_t *w) { return A((uint64_t *)w, 8); }

/* Functions that may be replaced: weak, so that compilers do not look into them. */
__attribute__((weak)) uint64_t *found(void) { return (uint64_t *)pool; }
__attribute__((weak)) struct packed *found_packed(void) { return (struct packed *)(pool + 1); }
__attribute__((weak)) char *found_char(void) { return (char *)pool; }
OPEN int result(void) { return A(found(), 8); }
OPEN int behind_result(void) { return A((u8 *)found() + 4, 4) + 2 * A((u8 *)found() + 4, 8); }
OPEN int result_in_packed(void) { return A(&found_packed()->x, 2); }
OPEN int result_from_char(void) { return A((uint64_t *)found_char(), 2); }

int main(void) {
  uint64_t *where = (uint64_t *)pool;
  printf("words %d\n", words(where));
  printf("walked %d\n", walked(where, 3));
  printf("member %d\n", member((struct line *)pool, 2));
  printf("after the loop %d\n", after_the_loop(where, 3));
  printf("there and back %d\n", there_and_back((uint32_t *)pool));
  printf("pointer %d\n", pointer(&where));
  printf("half aligned %d\n", half_aligned((half *)pool));
  printf("in packed %d\n", in_packed((struct packed *)pool));
  printf("whole packed %d\n", whole_packed((struct packed *)pool));
  printf("from char %d\n", from_char((char *)pool));
  printf("from void %d\n", from_void(pool));
  printf("from number %d\n", from_number((uintptr_t)pool));
  printf("loaded %d\n", loaded(&where));
  printf("not aligned %d\n", not_aligned((anywhere *)pool));
  printf("odd step %d\n", odd_step((uint32_t *)pool, 1));
  printf("unknown type %d\n", unknown_type((struct open *)pool));
  printf("narrower %d\n", narrower((uint32_t *)pool));
  printf("result %d\n", result());
  printf("behind result %d\n", behind_result());
  printf("result in packed %d\n", result_in_packed());
  printf("result from char %d\n", result_from_char());
  return 0;
}
