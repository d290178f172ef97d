// calls-main.c - runs each call at every offset, next to pages that nobody may touch, and compares
//
// With CHECK_ALIGNMENT, on x86-64, the processor's own check of alignment is on while a call runs
// that has to be words: a misaligned one ends the program (SIGBUS).
#define _GNU_SOURCE
#include "calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { Page = 4096, Largest = 512, Offsets = 17 };

// A page between two that cannot be touched, twice as large as anything here.
static unsigned char *guarded(void) {
  unsigned char *p =
      mmap(NULL, 3 * Page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || mprotect(p, Page, PROT_NONE) || mprotect(p + 2 * Page, Page, PROT_NONE))
    exit(2);
  return p + Page;
}

// Paints a page with other bytes than with the seed before: a part of a pattern that is computed
// once.
static void paint(unsigned char *p, unsigned seed) {
  static unsigned char pattern[2 * Page];
  static unsigned state;
  if (state == 0)
    for (size_t i = 0; i < sizeof pattern; i++)
      pattern[i] = (unsigned char)((state = state * 1664525u + 1013904223u) >> 24);
  memcpy(p, pattern + seed % Page, Page);
}

static void run(const struct call *c, unsigned char *d, const unsigned char *s, int value) {
#ifdef CHECK_ALIGNMENT
  if (c->align >= 8 && c->bytes > 8 && c->bytes <= (c->operation == Move ? 64 : 256)) {
    __asm__ volatile("pushfq; orl $0x40000, (%%rsp); popfq" ::: "memory", "cc");
    c->run((char *)d, (const char *)s, value);
    __asm__ volatile("pushfq; andl $~0x40000, (%%rsp); popfq" ::: "memory", "cc");
    return;
  }
#endif
  c->run((char *)d, (const char *)s, value);
}

// Computes the bytes that the call has to leave.
static void expect(const struct call *c, unsigned char *want, const unsigned char *d,
                   const unsigned char *s, const unsigned char *page, int value) {
  static unsigned char source[Largest];
  size_t mask = (size_t)c->align - 1, at = (size_t)(d - page);
  if (((uintptr_t)d & mask) || (c->operation >= Copy && ((uintptr_t)s & mask)))
    return;
  for (int i = 0; i < c->bytes; i++)
    source[i] = c->operation == SetZero    ? 0
                : c->operation == SetValue ? (unsigned char)value
                                           : s[i];
  for (int i = 0; i < c->bytes; i++)
    want[at + (size_t)i] = source[i];
}

static long failures, runs;

static void one(const struct call *c, unsigned char *page, unsigned char *d, unsigned char *s,
                int value) {
  static unsigned char want[Page];
  paint(page, (unsigned)runs);
  memcpy(want, page, Page);
  expect(c, want, d, s, page, value);
  run(c, d, s, value);
  ++runs;
  if (memcmp(page, want, Page) && ++failures < 20)
    printf("wrong: operation %d of %d bytes, aligned to %d: to %p from %p\n", c->operation,
           c->bytes, c->align, (void *)d, (void *)s);
}

int main(void) {
  unsigned char *page = guarded(), *other = guarded();
  paint(other, 1);
  for (size_t i = 0; i < call_count; i++) {
    const struct call *c = &calls[i];
    unsigned char *end = page + Page - c->bytes, *last = other + Page - c->bytes;
    for (int k = 0; k < Offsets; k++) {
      int value = k * 37 - 300;
      one(c, page, page + k, last - k % 5 * 4, value);
      one(c, page, end - k, other + k, value);
      one(c, page, end - k, last - k, value);
      for (int apart = -24; c->operation == Move && apart <= 24; apart += 4)
        one(c, page, page + 64 + k, page + 64 + k + apart, value);
      if (c->operation == Copy) // memcpy of an object to itself: struct assignments do it
        one(c, page, end - k, end - k, value);
    }
  }
  printf("%ld runs, %ld wrong\n", runs, failures);
  return failures || runs < 10000;
}
