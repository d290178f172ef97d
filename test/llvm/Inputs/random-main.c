// random-main.c - runs each random loop as plain and as lifted, and compares memory and result
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's routines are replaced by slow ones that check what a caller
// has to promise: a copy's ranges must not overlap.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t (*loop)(uint8_t *, uint8_t *, long, long, uint64_t);
extern const loop plain_table[], lifted_table[];
extern const char plain_kind[];

static uint64_t state = 88172645463325252u;
static long calls;
static int current;

static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

void memlift_copy(void *d, const void *s, size_t n) {
  uintptr_t to = (uintptr_t)d, from = (uintptr_t)s;
  calls++;
  if (to > from && to - from < n) {
    printf("loop %d: a copy of %zu bytes up by %zu\n", current, n, (size_t)(to - from));
    exit(1);
  }
  if (from > to && from - to < n) {
    printf("loop %d: a copy of %zu bytes down by %zu\n", current, n, (size_t)(from - to));
    exit(1);
  }
  memmove(d, s, n);
}

void memlift_move(void *d, const void *s, size_t n) {
  calls++;
  memmove(d, s, n);
}

static void repeat(void *d, const void *value, size_t period, size_t n) {
  calls++;
  for (size_t i = 0; i < n; i++)
    ((volatile uint8_t *)d)[i] = ((const uint8_t *)value)[i % period];
}

void memlift_fill8(void *d, uint8_t v, size_t n) { repeat(d, &v, 1, n); }
void memlift_fill16(void *d, uint16_t v, size_t n) { repeat(d, &v, 2, n); }
void memlift_fill32(void *d, uint32_t v, size_t n) { repeat(d, &v, 4, n); }
void memlift_fill64(void *d, uint64_t v, size_t n) { repeat(d, &v, 8, n); }
void memlift_fill_pattern(void *d, uint64_t v, size_t period, size_t n) {
  uint8_t bytes[8];
  for (int i = 0; i < 8; i++)
    bytes[i] = (uint8_t)(v >> 8 * i);
  repeat(d, bytes, period, n);
}

enum { Size = 65536, Low = 16384, High = 40960 };
static uint8_t initial[Size], expected[Size];

/// One call of both forms on the same memory; 0 if they agree.
static int differ(uint8_t *arena, int round) {
  for (int i = 0; i < Size; i += 8)
    memcpy(initial + i, &(uint64_t){next()}, 8);
  long n = (long)(next() % (round % 4 ? 60 : 4)), m = (long)(next() % (round % 5 ? 10 : 30));
  uint64_t v = next() >> next() % 56;
  long a = Low + 8 * (long)(next() % 64), b = High + 8 * (long)(next() % 64);
  if (plain_kind[current] != 'D' && round % 3)
    b = a - 256 + 8 * (long)(next() % 65);
  memcpy(arena, initial, Size);
  uint64_t want = plain_table[current](arena + a, arena + b, n, m, v);
  memcpy(expected, arena, Size);
  memcpy(arena, initial, Size);
  uint64_t have = lifted_table[current](arena + a, arena + b, n, m, v);
  if (want == have && !memcmp(arena, expected, Size))
    return 0;
  printf("loop %d differs: n=%ld m=%ld b-a=%ld v=%#llx result %#llx, not %#llx\n", current, n, m,
         b - a, (unsigned long long)v, (unsigned long long)have, (unsigned long long)want);
  return 1;
}

int main(int argc, char **argv) {
  state ^= strtoull(argc > 1 ? argv[1] : "1", NULL, 0) * 0x9e3779b97f4a7c15u;
  uint8_t *arena = aligned_alloc(64, Size);
  int bad = 0;
  for (current = 0; plain_kind[current]; current++)
    for (int round = 0; round < 60; round++)
      if (differ(arena, round)) {
        bad++;
        break;
      }
  printf("%d loops, %ld calls, %d differ\n", current, calls, bad);
  free(arena);
  return bad || calls == 0;
}
