/* differential.c - runs each loop twice, plain and through memlift, and compares memory.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The arenas end in pages that must not be touched; regions lie flush against either end, at every
 * alignment of their element, and over each other at every distance up to DISTANCE elements. Lengths
 * start at 0. Prints how many cases agreed, or the first that does not; exits 1 then.
 */
#define _DEFAULT_SOURCE
#include "loops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef DISTANCE
#define DISTANCE 40
#endif
enum { PAGES = 4, LARGEST = 700, NEAR = 64 };

struct arena {
  unsigned char *start;
  size_t size;
};

static struct arena plain_to, plain_from, memlift_to, memlift_from;
static unsigned long cases;

static struct arena new_arena(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  unsigned char *all = mmap(0, (PAGES + 2) * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED || mprotect(all + page, PAGES * page, PROT_READ | PROT_WRITE)) {
    perror("mmap");
    exit(2);
  }
  return (struct arena){all + page, PAGES * page};
}

static void scramble(struct arena arena, unsigned seed) {
  for (size_t i = 0; i < arena.size; i++)
    arena.start[i] = (unsigned char)((i * 2654435761u + seed * 40503u) >> 11);
}

static void reset(void) {
  scramble(plain_to, 1);
  scramble(memlift_to, 1);
  scramble(plain_from, 2);
  scramble(memlift_from, 2);
}

static void fail(const struct loop *loop, size_t count, size_t to, size_t from) {
  printf("%s: destination differs: count %zu, destination at %zu, source at %zu of its arena\n",
         loop->name, count, to, from);
  exit(1);
}

/* Offsets are from the start of the arenas; in_place: the source is in the destination's. Compares
 * what is near the destination; compare_rest() does the rest. */
static void compare(size_t index, size_t count, size_t to, size_t from, int in_place) {
  const struct loop *plain = &plain_loops[index], *lifted = &memlift_loops[index];
  const uint64_t value = 0x8877665544332211;
  plain->run(plain_to.start + to, (in_place ? plain_to : plain_from).start + from, count, value);
  lifted->run(memlift_to.start + to, (in_place ? memlift_to : memlift_from).start + from, count,
              value);
  size_t low = to < NEAR ? 0 : to - NEAR, high = to + count * plain->element + NEAR;
  if (high > plain_to.size)
    high = plain_to.size;
  if (memcmp(plain_to.start + low, memlift_to.start + low, high - low))
    fail(plain, count, to, from);
  cases++;
}

/* Nothing restores the arenas between the cases of a length: a stray byte stays until here. */
static void compare_rest(size_t index, size_t count) {
  const char *what = memcmp(plain_to.start, memlift_to.start, plain_to.size)         ? "destination"
                     : memcmp(plain_from.start, memlift_from.start, plain_from.size) ? "source"
                                                                                     : 0;
  if (!what)
    return;
  printf("%s: a byte far from the region differs in the arena of the %s: count %zu\n",
         plain_loops[index].name, what, count);
  exit(1);
}

static size_t step_of(const struct loop *loop) { /* what an offset has to be a multiple of */
  switch (loop->element) {
  case 3: case 5: return 1;
  case 10: return 2;
  case 12: return 4;
  case 16: return 8;
  default: return loop->element;
  }
}

static void at_both_ends(size_t index, size_t count) {
  const struct loop *loop = &plain_loops[index];
  size_t size = count * loop->element, step = step_of(loop);
  for (size_t shift = 0; shift < 3 * 16; shift += step) {
    size_t end = (plain_to.size - size - shift) / step * step;
    compare(index, count, shift, end, 0);
    compare(index, count, end, shift, 0);
  }
  size_t last = plain_to.size - size;
  if (last % step == 0)
    compare(index, count, last, last, 0);
}

static void over_each_other(size_t index, size_t count) {
  const struct loop *loop = &plain_loops[index];
  /* Whole elements only: half a struct over another is undefined. */
  size_t step = loop->element, middle = plain_to.size / 4;
  for (size_t distance = 0; distance <= DISTANCE * step; distance += step) {
    compare(index, count, middle, middle + distance, 1);
    compare(index, count, middle + distance, middle, 1);
  }
}

int main(void) {
  plain_to = new_arena();
  plain_from = new_arena();
  memlift_to = new_arena();
  memlift_from = new_arena();
  for (size_t index = 0; plain_loops[index].name; index++)
    for (size_t count = 0; count <= LARGEST; count += count < 40 ? 1 : count / 3) {
      reset();
      at_both_ends(index, count);
      if (plain_loops[index].reads && !plain_loops[index].restricted)
        over_each_other(index, count);
      compare_rest(index, count);
    }
  printf("%lu cases agree\n", cases);
  return 0;
}
