// differential.h - runs each loop twice, lowered and as written, and compares memory and results
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A test includes its own source through LOOPS twice: once with EDITION(name)
// lowered by the plugin, once under memlift("off"). Every loop has one type; `n`
// counts units of `unit` bytes. Both regions end at a page that may not be
// touched in half of the runs, and overlap at random distances in others.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef unsigned char u8;
typedef uintptr_t loop_fn(u8 *d, u8 *s, size_t n, uint64_t v);

struct pair {
  const char *name;
  loop_fn *lowered, *plain;
  unsigned unit;     // bytes per n
  int mayOverlap;    // 0: the loop promises (restrict) that the regions do not
  unsigned align;    // of d and s
};

#ifdef __sparc__
enum { PAGE = 8192, PAGES = 3, SIZE = PAGE * PAGES };
#else
enum { PAGE = 4096, PAGES = 3, SIZE = PAGE * PAGES };
#endif

static u8 *region(void) {
  u8 *p = mmap(0, SIZE + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || mprotect(p + PAGE, SIZE, PROT_READ | PROT_WRITE)) {
    perror("mmap");
    exit(2);
  }
  return p + PAGE;
}

static uint64_t seed = 88172645463325252u;
static uint64_t next(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  return seed ^= seed << 17;
}

static size_t place(size_t bytes, unsigned align) {
  size_t room = SIZE - bytes, at;
  switch (next() % 4) {
  case 0: at = room; break;
  case 1: at = 0; break;
  default: at = next() % (room + 1);
  }
  return at / align * align;
}

static void check(const struct pair *p, u8 *one, u8 *two, u8 *other) {
  static u8 before[SIZE], after[SIZE];
  uint64_t begun = seed;
  size_t n = next() % 8 == 0 ? 0 : next() % (next() % 4 ? 24 : 3 * PAGE / 2 / p->unit);
  size_t bytes = n * p->unit, d = place(bytes, p->align), s = place(bytes, p->align);
  uint64_t v = next();
  int same = p->mayOverlap && next() % 3;
  if (same && next() % 2) { // close together
    size_t by = next() % 64 / p->align * p->align;
    s = next() % 2 ? (d + by + bytes <= SIZE ? d + by : d) : (d >= by ? d - by : d);
  }
  for (size_t i = 0; i < SIZE; ++i)
    before[i] = (u8)(next() >> 11), other[i] = (u8)(i * 7 + 3);
  memcpy(one, before, SIZE);
  uintptr_t r = p->plain(one + d, same ? one + s : other + s, n, v) - (uintptr_t)(one + d);
  memcpy(after, one, SIZE);
  memcpy(two, before, SIZE);
  uintptr_t q = p->lowered(two + d, same ? two + s : other + s, n, v) - (uintptr_t)(two + d);
  if (r == q && memcmp(after, two, SIZE) == 0)
    return;
  size_t at = 0;
  while (at < SIZE && after[at] == two[at])
    ++at;
  printf("FAIL %s seed %llu n %zu d %zu s %zu%s v %#llx: ", p->name, (unsigned long long)begun,
         n, d, s, same ? " (same region)" : "", (unsigned long long)v);
  printf(at < SIZE ? "byte %zu differs\n" : "results differ (%zu)\n", at);
  exit(1);
}

static int run(const struct pair *pairs, size_t count, unsigned trials) {
  u8 *one = region(), *two = region(), *other = region();
  for (size_t i = 0; i < count; ++i)
    for (unsigned t = 0; t < trials; ++t)
      check(&pairs[i], one, two, other);
  printf("PASS %zu loops, %u trials each\n", count, trials);
  return 0;
}
