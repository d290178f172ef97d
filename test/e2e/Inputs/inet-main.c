// inet-main.c - runs the checksums of test/parity/loops plain and lowered
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sums.inc and copies.inc list the functions, X(name); plain_name is the same one
// compiled without memlift. The source ends where an unreadable page begins, so
// that a word read too far is noticed.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef uint64_t sum_function(const void *, size_t, uint64_t);
typedef uint64_t copy_function(void *, const void *, size_t, uint64_t);
#define X(NAME) sum_function NAME, plain_##NAME;
#include "sums.inc"
#undef X
#define X(NAME) copy_function NAME, plain_##NAME;
#include "copies.inc"
#undef X
#define X(NAME) {#NAME, NAME, plain_##NAME},
static const struct {
  const char *name;
  sum_function *lifted, *plain;
} sums[] = {
#include "sums.inc"
};
static const struct {
  const char *name;
  copy_function *lifted, *plain;
} copies[] = {
#include "copies.inc"
};

enum { room = 8192, most = 700 };
static uint64_t state = 88172645463325252u;
static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static uint8_t *guarded(void) {
  uint8_t *memory =
      mmap(0, room + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory + room, 4096, PROT_NONE))
    _exit(2);
  return memory;
}

static uint64_t startValue(unsigned t) {
  static const uint64_t special[] = {0, 1, 0xffff, 0x10000, 0x7fffffff, 0xffffffff, ~(uint64_t)0};
  return t % 2 ? next() >> (next() % 64) : special[next() % 7];
}

static void paint(uint8_t *p, unsigned kind) {
  for (size_t i = 0; i < room; i++)
    p[i] = kind == 0 ? 0 : kind == 1 ? 0xff : (uint8_t)next();
}

static unsigned long cases, bad;
static void differs(const char *name, size_t n, uint64_t start, uint64_t want, uint64_t have) {
  bad++;
  printf("%s: n %zu start %llx: want %llx, have %llx\n", name, n, (unsigned long long)start,
         (unsigned long long)want, (unsigned long long)have);
}

static void runSums(uint8_t *memory, unsigned kind) {
  paint(memory, kind);
  for (size_t f = 0; f < sizeof sums / sizeof *sums; f++)
    for (unsigned t = 0; t < 900; t++, cases++) {
      size_t n = t < 200 ? t : t < 896 ? next() % most : room - 64 + t % 8;
      const uint8_t *p = memory + room - n - (t % 3 ? next() % 9 : 0);
      uint64_t start = startValue(t), want = sums[f].plain(p, n, start);
      uint64_t have = sums[f].lifted(p, n, start);
      if (want != have)
        differs(sums[f].name, n, start, want, have);
    }
}

static void runCopies(uint8_t *memory, uint8_t *other, uint8_t *saved) {
  for (size_t f = 0; f < sizeof copies / sizeof *copies; f++)
    for (unsigned t = 0; t < 900; t++, cases++) {
      size_t n = t < 100 ? t : next() % most;
      const uint8_t *s = memory + room - n - next() % 9;
      int overlap = t % 2 && strncmp(copies[f].name, "may_", 4) == 0;
      uint8_t *d = (overlap ? memory : other) + room - n - next() % 99;
      uint64_t start = startValue(t);
      paint(memory, 2), paint(other, 2);
      memcpy(saved, memory, room), memcpy(saved + room, other, room);
      uint64_t want = copies[f].plain(d, s, n, start);
      for (size_t i = 0; i < room; i++) {
        uint8_t m = memory[i], o = other[i];
        memory[i] = saved[i], other[i] = saved[room + i];
        saved[i] = m, saved[room + i] = o;
      }
      uint64_t have = copies[f].lifted(d, s, n, start);
      if (want != have || memcmp(saved, memory, room) || memcmp(saved + room, other, room))
        differs(copies[f].name, n, start, want, have);
    }
}

int main(void) {
  uint8_t *memory = guarded(), *other = guarded();
  static uint8_t saved[2 * room];
  for (unsigned kind = 0; kind < 3; kind++)
    runSums(memory, kind);
  runCopies(memory, other, saved);
  printf("%lu cases, %lu differ\n", cases, bad);
  return bad != 0;
}
