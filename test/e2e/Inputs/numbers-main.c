// numbers-main.c - compares each function of numbers.c with a build without memlift
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers stand at every alignment, and at the end of a page behind which no memory can be read.
#include "numbers.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define DECLARE_READ(name) uint64_t plain_##name(const uint8_t *), lifted_##name(const uint8_t *);
#define DECLARE_WRITTEN(name)                                                                      \
  void plain_##name(uint8_t *, uint64_t), lifted_##name(uint8_t *, uint64_t);
READ(DECLARE_READ)
READ_OTHERWISE(DECLARE_READ)
WRITTEN(DECLARE_WRITTEN)
WRITTEN_OTHERWISE(DECLARE_WRITTEN)

enum { ROOM = 64, LONGEST = 8 };
static uint8_t bytes[ROOM], before[ROOM];
static int failures;

static void paint(uint8_t *p, size_t n, unsigned seed) {
  for (size_t i = 0; i < n; i++)
    p[i] = (uint8_t)((seed + i) * 2654435761u >> 13);
}

static void compare(const char *name, int same) {
  if (!same && ++failures < 10)
    printf("%s differs\n", name);
}

#define COMPARE_READ(name) compare(#name, plain_##name(p) == lifted_##name(p));
#define COMPARE_WRITTEN(name)                                                                      \
  memcpy(bytes, before, ROOM), plain_##name(bytes + at, v);                                        \
  memcpy(kept, bytes, ROOM);                                                                       \
  memcpy(bytes, before, ROOM), lifted_##name(bytes + at, v);                                       \
  compare(#name, !memcmp(bytes, kept, ROOM));

int main(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  uint8_t *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED || mprotect(pages + page, page, PROT_NONE))
    return 2;
  for (unsigned seed = 0; seed < 200; seed++) {
    paint(pages + page - ROOM, ROOM, seed);
    const uint8_t *p = pages + page - LONGEST;
    READ(COMPARE_READ)
    p = pages + page - 6;
    compare("be6", plain_be6(p) == lifted_be6(p));
    compare("le6", plain_le6_by_shifts(p) == lifted_le6_by_shifts(p));
    p = pages + page - 5;
    compare("five", plain_five(p) == lifted_five(p));
    p = pages + page - 3;
    compare("three", plain_three(p) == lifted_three(p));
    compare("le3", plain_le3_after(p) == lifted_le3_after(p));
    paint(before, ROOM, seed * 7);
    for (size_t at = 0; at < 16; at++) {
      uint8_t kept[ROOM];
      uint64_t v = seed * 0x9e3779b97f4a7c15u ^ 0xfedcba9876543210u;
      WRITTEN(COMPARE_WRITTEN)
      WRITTEN_OTHERWISE(COMPARE_WRITTEN)
      p = before + at;
      READ(COMPARE_READ)
      READ_OTHERWISE(COMPARE_READ)
    }
  }
  printf("%d differ\n", failures);
  return failures != 0;
}
