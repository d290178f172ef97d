// exits-main.c - runs loops with two bounds plain and lowered
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds lie far from what is written, in the middle of it, or soon behind it; either
// of the two may be the first to end the loop, at once too. Source and destination end
// where a page begins that nobody may touch, as far as the loop that was written goes.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef uint8_t u8, *place;
typedef uint16_t u16;
typedef uint32_t u32;
struct buffer {
  size_t used, size;
  u8 *data;
};

#define TWICE(RESULT, NAME, ...) RESULT NAME(__VA_ARGS__), plain_##NAME(__VA_ARGS__)
TWICE(void, copy_two_bounds, u8 *, const u8 *, size_t, const size_t *);
TWICE(void, copy_two_bounds_turned, u8 *, const u8 *, size_t, const size_t *);
TWICE(void, fill_two_bounds, u8 *, size_t, const size_t *);
TWICE(void, fill_two_read, u8 *, const size_t *, const size_t *);
TWICE(void, fill_both_fields, struct buffer *, u8);
TWICE(void, copy_words_two_bounds, u16 *, const u16 *, size_t, const u32 *);
TWICE(void, copy_two_widths, u8 *, const u8 *, size_t, unsigned);
TWICE(void, copy_counts_down, u8 *, const u8 *, size_t, unsigned);
TWICE(void, copy_counts_behind, u8 *, const u8 *, size_t, unsigned);
TWICE(size_t, copy_how_many, u8 *, const u8 *, size_t, const u32 *);
TWICE(place, copy_to_end, u8 *, u8 *, const u8 *, size_t);
TWICE(u32, sum_two_bounds, const u8 *, size_t, const size_t *);
TWICE(void, break_behind, u8 *, const u8 *, size_t, const u32 *);
TWICE(int, told_apart, u8 *, const u8 *, size_t, const u32 *);
TWICE(size_t, two_counts_left, u8 *, const u8 *, size_t, unsigned);
TWICE(void, bound_inside, size_t *, size_t);
TWICE(void, bound_moves, u8 *, const u8 *, size_t, const u32 *);

enum { Room = 4096 };
static u8 *memory, *other, first[Room], saved[Room];
static unsigned long cases, bad;
static uint64_t state = 88172645463325252u;
static unsigned next(unsigned below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (unsigned)(state >> 20) % below;
}

static u8 *guarded(void) {
  u8 *p = mmap(0, Room + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || mprotect(p + Room, 4096, PROT_NONE))
    _exit(2);
  return p;
}

static void compare(const char *name, size_t n, size_t m, uint64_t want, uint64_t have) {
  cases++;
  if ((want != have || memcmp(first, memory, Room)) && ++bad < 20)
    printf("%s: n %zu m %zu\n", name, n, m);
}

// Both start from the same memory.
#define BOTH(NAME, RESULT, ...)                            \
  do {                                                     \
    memcpy(saved, memory, Room);                           \
    uint64_t want = 0, have = 0;                           \
    RESULT(want, plain_##NAME(__VA_ARGS__));               \
    memcpy(first, memory, Room), memcpy(memory, saved, Room); \
    RESULT(have, NAME(__VA_ARGS__));                       \
    compare(#NAME, n, m, want, have);                      \
    memcpy(memory, saved, Room);                           \
  } while (0)
#define NONE(VALUE, CALL) CALL
#define NUMBER(VALUE, CALL) VALUE = (uint64_t)(CALL)
#define PLACE(VALUE, CALL) VALUE = (uint64_t)((CALL) - memory)

static void apart(size_t n, size_t m) {
  size_t least = n < m ? n : m;
  u8 *d = memory + Room - least;
  const u8 *s = other + Room - least;
  u32 low = (u32)m;
  BOTH(copy_words_two_bounds, NONE, (u16 *)(void *)(memory + Room - 2 * least),
       (const u16 *)(const void *)(other + Room - 2 * least), n, &low);
  BOTH(copy_two_widths, NONE, d, s, n, low);
  BOTH(copy_counts_down, NONE, d, s, n, low);
  BOTH(copy_counts_behind, NONE, d, s, n, low);
  BOTH(copy_how_many, NUMBER, d, s, n, &low);
  BOTH(copy_to_end, PLACE, d, d + m, s, n);
  BOTH(sum_two_bounds, NUMBER, s, n, &m);
  BOTH(told_apart, NUMBER, d, s, n, &low);
  BOTH(two_counts_left, NUMBER, d, s, n, low);
  size_t more = n < m + 1 ? n : m + 1;
  BOTH(break_behind, NONE, memory + Room - more, other + Room - more, n, &low);
}

// The destination may overlap the source and the bounds.
static void near(size_t n, size_t m) {
  u8 *d = memory + 1024 + next(16);
  const u8 *s = d + next(100) - 50;
  size_t *bound = (size_t *)(void *)(memory + 960 + 8 * next(40)), *more = bound + next(3);
  *bound = m, *more = next(2) ? m : n;
  BOTH(copy_two_bounds, NONE, d, s, n, bound);
  BOTH(copy_two_bounds_turned, NONE, d, s, n, bound);
  BOTH(fill_two_bounds, NONE, d, n, bound);
  BOTH(fill_two_read, NONE, d, bound, more);
  // Zeros that reach the fields end it; its pointer stays.
  struct buffer *b = (struct buffer *)(void *)bound;
  if (d >= (u8 *)b && d < (u8 *)(b + 1))
    d = (u8 *)(b + 1);
  *b = (struct buffer){n, m, d};
  u8 value = d < (u8 *)b ? 0 : (u8)next(256);
  BOTH(fill_both_fields, NONE, b, value);
  size_t *inside = (size_t *)(void *)(memory + 1024);
  inside[3] = m;
  BOTH(bound_inside, NONE, inside, n);
  u32 *bounds = (u32 *)(void *)(memory + 2048);
  for (unsigned i = 0; i < 200; i++)
    bounds[i] = 10 + next(200);
  BOTH(bound_moves, NONE, d, other, n < 190 ? n : 190, bounds);
}

int main(void) {
  memory = guarded(), other = guarded();
  for (unsigned i = 0; i < Room; i++)
    memory[i] = (u8)next(256), other[i] = (u8)next(256);
  for (unsigned t = 0; t < 6000; t++) {
    size_t n = t < 400 ? t / 20 : next(next(4) ? 60 : 700);
    size_t m = t < 400 ? t % 20 : next(next(4) ? 60 : 700);
    apart(n, m);
    near(n, m);
  }
  printf("%lu cases, %lu differ\n", cases, bad);
  return bad != 0;
}
