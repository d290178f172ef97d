/* async_harness.c - a runtime that does what is begun at the worst of the moments it may be done at
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * MOMENT=early: where it is begun. MOMENT=late: where it is ended; till then the destination holds what
 * nobody wrote. A program that was compiled rightly gives the same in both, and what it gives without
 * memlift. MOMENT=never: then it has to give something else, or nobody looks at what was begun. Tokens that are ended twice, never, or were none end the program with 70. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOKENS = 64 };

static struct operation {
  unsigned char *dst;
  const unsigned char *src;
  uint64_t pattern;
  size_t period, n;
  int live;
} list[TOKENS];
static unsigned long begun, live;

static int moment_is(const char *name) {
  const char *moment = getenv("MOMENT");
  return moment && strcmp(moment, name) == 0;
}

static void wrong(const char *what) {
  fprintf(stderr, "harness: %s\n", what);
  _Exit(70);
}

static void carry_out(const struct operation *o) {
  if (o->src)
    memmove(o->dst, o->src, o->n);
  for (size_t i = 0; !o->src && i < o->n; i++)
    o->dst[i] = (unsigned char)(o->pattern >> 8 * (i % o->period));
}

static uint64_t begin(struct operation o) {
  uint64_t token = 1;
  if (o.n == 0) /* what is begun above a test that fails has no end */
    return 0;
  while (list[token].live)
    if (++token == TOKENS)
      wrong("too many tokens");
  o.live = 1;
  list[token] = o;
  begun++, live++;
  /* An overlapping move is done at once by the library, too. */
  int apart = !o.src || ((uintptr_t)o.dst - (uintptr_t)o.src >= o.n &&
                         (uintptr_t)o.src - (uintptr_t)o.dst >= o.n);
  if (!moment_is("early") && apart)
    for (size_t i = 0; i < o.n; i++)
      o.dst[i] ^= (unsigned char)(0x5A + i);
  else
    carry_out(&o), list[token].dst = NULL;
  return token;
}

uint64_t memlift_begin_copy(void *dst, const void *src, size_t n) {
  return begin((struct operation){.dst = dst, .src = src, .n = n});
}

uint64_t memlift_begin_fill(void *dst, uint64_t pattern, size_t period, size_t n) {
  return begin((struct operation){.dst = dst, .pattern = pattern, .period = period, .n = n});
}

void memlift_end(uint64_t token) {
  if (token == 0)
    return;
  if (token >= TOKENS || !list[token].live)
    wrong("a token that is none");
  list[token].live = 0, live--;
  if (list[token].dst && !moment_is("never"))
    carry_out(&list[token]);
}

/* An operation of the program that is under way when its function has returned was forgotten. */
void check_tokens(void);
void check_tokens(void) {
  if (live)
    wrong("a token that was not ended");
}

unsigned long operations_begun(void);
unsigned long operations_begun(void) { return begun; }
