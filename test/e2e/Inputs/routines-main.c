/* routines-main.c - runs the routines of routines.c, renamed, beside unreadable pages
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * All lengths from 0 to 300 at all alignments of destination and source, the regions directly
 * behind an unreadable page and directly in front of one; copies also onto their own source, from
 * 24 bytes below to 24 bytes above it. What must be there is made byte by byte, here.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *lifted_memcpy(void *, const void *, size_t);
void *lifted_memmove(void *, const void *, size_t);
void *lifted_mempcpy(void *, const void *, size_t);
void *lifted_memset(void *, int, size_t);
void lifted_bzero(void *, size_t);

enum routine { Memcpy, Memmove, Mempcpy, Memset, Bzero, Routines };
static const char *const names[] = {"memcpy", "memmove", "mempcpy", "memset", "bzero"};

enum { Room = 4096, Most = 300, Value = 0x1a5 };
static uint8_t want[Room], before[Room];
static unsigned long runs;

/// Room bytes between two unreadable pages.
static uint8_t *between(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  uint8_t *p = mmap(0, Room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || mprotect(p + page, Room, PROT_READ | PROT_WRITE))
    return 0;
  return p + page;
}

/// Computes the destination's bytes; a volatile index keeps it one byte at a time.
static void model(enum routine r, size_t d, const uint8_t *from, int same, size_t s, size_t n) {
  memcpy(want, before, Room);
  for (volatile size_t i = 0; i < n; i++)
    want[d + i] = r == Bzero    ? 0
                  : r == Memset ? (uint8_t)Value
                  : !same       ? from[s + i]
                  : r == Memmove ? before[s + i]
                                 : want[s + i]; /* upwards, whatever has been overwritten */
}

static void *run(enum routine r, uint8_t *to, const uint8_t *from, size_t n) {
  switch (r) {
  case Memcpy: return lifted_memcpy(to, from, n);
  case Memmove: return lifted_memmove(to, from, n);
  case Mempcpy: return (uint8_t *)lifted_mempcpy(to, from, n) - n;
  case Memset: return lifted_memset(to, Value, n);
  default: lifted_bzero(to, n); return to;
  }
}

static int trial(enum routine r, uint8_t *to, size_t d, const uint8_t *from, size_t s, size_t n) {
  memcpy(to, before, Room);
  model(r, d, from, to == from, s, n);
  ++runs;
  if (run(r, to + d, from + s, n) != to + d) {
    printf("%s: %zu bytes at %zu: the result is not the destination\n", names[r], n, d);
    return 0;
  }
  if (!memcmp(want, to, Room))
    return 1;
  size_t at = 0;
  while (want[at] == to[at])
    ++at;
  printf("%s: %zu bytes at %zu from %zu%s: byte %zd is %u, not %u\n", names[r], n, d, s,
         to == from ? " of the same" : "", (ssize_t)at - (ssize_t)d, to[at], want[at]);
  return 0;
}

/// Where a region of n bytes lies: at a multiple of 8 and `at`, behind or in front of a page.
static size_t place(size_t n, unsigned at, int front) {
  if (!front)
    return at;
  size_t offset = Room - n;
  while (offset % 8 != at)
    --offset;
  return offset;
}

static int apart(enum routine r, uint8_t *to, const uint8_t *from) {
  int copies = r < Memset;
  for (size_t n = 0; n <= Most; n++)
    for (unsigned at = 0; at < (copies ? 64 : 8); at++)
      for (int front = 0; front < 2; front++)
        if (!trial(r, to, place(n, at % 8, front), from, place(n, at / 8, front), n))
          return 0;
  return 1;
}

/// memcpy's arguments are restrict: it is not asked.
static int onto(enum routine r, uint8_t *to) {
  if (r != Memmove && r != Mempcpy)
    return 1;
  for (size_t n = 0; n <= Most; n += n < 80 ? 1 : 7)
    for (unsigned s = 32; s < 40; s++)
      for (unsigned d = s - 24; d <= s + 24; d++)
        if (!trial(r, to, d, to, s, n))
          return 0;
  return 1;
}

int main(void) {
  uint8_t *to = between(), *from = between();
  if (!to || !from)
    return 2;
  for (size_t i = 0; i < Room; i++) {
    from[i] = (uint8_t)(i * 7 + (i >> 8) + 1);
    before[i] = (uint8_t)(i * 11 + (i >> 8) + 129);
  }
  for (unsigned r = 0; r < Routines; r++)
    if (!apart(r, to, from) || !onto(r, to))
      return 1;
  printf("%lu calls agree\n", runs);
  return 0;
}
