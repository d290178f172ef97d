// words-main.c - runs each loop of words.c as plain and as lifted, beside unreadable pages
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All lengths from 0 to 300 at all alignments of destination and source, the regions directly
// behind an unreadable page and directly in front of one, and some larger lengths. A region that
// does not fit is moved by as little as it takes.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct {
  void (*run)(uint8_t *, const uint8_t *, size_t, uint64_t);
  unsigned align, reads;
  const char *name;
} entry;
extern const entry plain_loops[], lifted_loops[];

enum { Room = 16384 };
static uint8_t start[Room], want[Room];

/// Room bytes between two unreadable pages.
static uint8_t *between(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  uint8_t *p = mmap(0, Room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || mprotect(p + page, Room, PROT_READ | PROT_WRITE))
    return 0;
  return p + page;
}

static uint8_t *to, *from;

/// Where a region of n bytes lies: at a multiple of 8 and `at`, behind or in front of a page.
static size_t place(size_t n, unsigned at, int front) {
  if (!front)
    return at;
  size_t offset = Room - n;
  while (offset % 8 != at)
    --offset;
  return offset;
}

/// True if both leave the same near the region, which is as before then.
static int trial(const entry *plain, const entry *lifted, size_t n, size_t d, size_t s,
                 const uint8_t *source) {
  uint64_t v = 0x8182838485868788 ^ n * 0x0101010101010101;
  size_t at = d < 64 ? 0 : d - 64, size = (d + n + 64 > Room ? Room : d + n + 64) - at;
  plain->run(to + d, source + s, n, v);
  memcpy(want + at, to + at, size);
  memcpy(to + at, start + at, size);
  lifted->run(to + d, source + s, n, v);
  int same = !memcmp(want + at, to + at, size);
  if (same) {
    memcpy(to + at, start + at, size);
    return 1;
  }
  while (want[at] == to[at])
    ++at;
  printf("%s: %zu bytes at %zu from %zu%s: byte %zu is %u, not %u\n", plain->name, n, d, s,
         source == to ? " of the same" : "", at - d, to[at], want[at]);
  return 0;
}

static int all(const entry *plain, const entry *lifted) {
  static const size_t longer[] = {301, 511, 512, 513, 777, 1500, 4096, 4099};
  size_t lengths = 301 + sizeof longer / sizeof *longer;
  for (size_t i = 0; i < lengths; i++)
    for (unsigned at = 0; at < 64; at++)
      for (int front = 0; front < 2; front++) {
        size_t n = i < 301 ? i : longer[i - 301];
        unsigned d = at % 8, s = at / 8;
        if (d % plain->align || s % plain->align || (s && !plain->reads))
          continue;
        if (!trial(plain, lifted, n, place(n, d, front), place(n, s, front), from))
          return 0;
      }
  return 1;
}

/// Both regions in one: at all distances that a group of words may bridge.
static int overlapping(const entry *plain, const entry *lifted) {
  static const size_t lengths[] = {31, 32, 40, 64, 71, 100, 129, 300};
  for (size_t i = 0; plain->reads && i < sizeof lengths / sizeof *lengths; i++)
    for (size_t d = 320; d < 328; d += plain->align)
      for (size_t s = d - 320; s < d + 320; s += plain->align)
        if (!trial(plain, lifted, lengths[i], d, s, to))
          return 0;
  return 1;
}

int main(void) {
  to = between(), from = between();
  if (!to || !from)
    return 2;
  for (size_t i = 0; i < Room; i++)
    start[i] = (uint8_t)(i * 31 + (i >> 8)), from[i] = (uint8_t)(i * 7 + (i >> 7) + 100);
  memcpy(to, start, Room);
  int bad = 0;
  for (const entry *plain = plain_loops, *lifted = lifted_loops; plain->run; plain++, lifted++) {
    bad |= !all(plain, lifted) || !overlapping(plain, lifted);
    if (!bad && memcmp(to, start, Room))
      printf("%s: writes far away\n", plain->name), bad = 1;
    memcpy(to, start, Room);
  }
  return bad;
}
