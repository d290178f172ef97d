// containers-main.c - arrays that lie on the very pointers, or the very size, that describe them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes end in front of their struct, or with the lowest byte of its first field, or begin with
// the highest one of its last field. A pointer whose lowest byte changes stays below the end of the
// bytes, so the loop still ends, though elsewhere.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
struct bytes {
  u8 *begin, *end;
};
struct sized {
  size_t size;
  u8 *data;
};
struct eight {
  uint16_t a, b;
  uint32_t c;
};
typedef void fill_function(struct bytes *, u8);
fill_function fill_between, plain_fill_between, fill_checked, plain_fill_checked;
typedef void copy_function(struct bytes *, const struct bytes *);
copy_function copy_between, plain_copy_between, copy_int, plain_copy_int;
void copy_into(struct bytes *, const u8 *), plain_copy_into(struct bytes *, const u8 *);
void fill_from(struct bytes *, u8, size_t), plain_fill_from(struct bytes *, u8, size_t);
void fill_sized(struct sized *, u8), plain_fill_sized(struct sized *, u8);
void fill_held(struct bytes *, size_t, u8), plain_fill_held(struct bytes *, size_t, u8);
typedef void unless_function(struct bytes *, size_t, u8, size_t *);
unless_function fill_unless, plain_fill_unless;
typedef void until_function(struct bytes *, const u8 *, size_t, size_t *);
until_function copy_until, plain_copy_until;
typedef void struct_function(struct eight *, const struct eight *, size_t);
struct_function fill_struct, plain_fill_struct;
void fill_given(struct bytes *, u8 *, u8), plain_fill_given(struct bytes *, u8 *, u8);
struct lists {
  uint32_t *begin;
};
typedef void lists_function(struct lists *, uint32_t *const *, size_t, size_t);
lists_function given_sometimes, plain_given_sometimes;
void first_elsewhere(struct bytes *, u8 *, u8), plain_first_elsewhere(struct bytes *, u8 *, u8);
void changed_before(struct bytes *, u8 *, u8), plain_changed_before(struct bytes *, u8 *, u8);

void out_of_range(void) {
  puts("out of range");
  exit(1);
}

enum { SIZE = 4096, MIDDLE = 2048 };
static _Alignas(256) u8 memory[2][SIZE];
static u8 pixels[SIZE];
static struct bytes *const at = (struct bytes *)(void *)(memory[0] + MIDDLE);
static struct sized *const sized = (struct sized *)(void *)(memory[0] + MIDDLE);
static struct bytes source;
static unsigned long cases, bad;

// In front: `over` is how many bytes of the struct the last ones reach. Else they begin at its
// last byte (over 1), or behind it.
static u8 *place(size_t n, int front, size_t over) {
  return memory[0] + MIDDLE + (front ? over - n : sizeof *at - over);
}

static void prepare(size_t n, int front, size_t over) {
  for (int i = 0; i < SIZE; i++)
    memory[0][i] = (u8)(i % 3), pixels[i] = (u8)(i % 5);
  *at = (struct bytes){place(n, front, over), place(n, front, over) + n};
  source = (struct bytes){pixels + 3, pixels + 3 + n};
}

static void prepare_sized(size_t n, int front, size_t over) {
  prepare(n, front, over);
  *sized = (struct sized){n, place(n, front, over)};
}

static void compare(const char *name, size_t n, int front, size_t over) {
  cases++;
  if (memcmp(memory[0], memory[1], SIZE) && ++bad < 10)
    printf("%s: %zu bytes, front %d, over %zu\n", name, n, front, over);
}

// Runs both on the same addresses and compares what they leave.
#define BOTH(PREPARE, NAME, ...)                   \
  do {                                             \
    PREPARE(n, front, over);                       \
    plain_##NAME(__VA_ARGS__);                     \
    memcpy(memory[1], memory[0], SIZE);            \
    PREPARE(n, front, over);                       \
    NAME(__VA_ARGS__);                             \
    compare(#NAME, n, front, over);                \
  } while (0)

static size_t *const done = (size_t *)(void *)memory[0];

// From a place before the elements, between them, of two of them, or behind them.
static void structs(size_t n, int front, size_t over) {
  struct eight *d = (void *)(memory[0] + 512);
  for (size_t from = 4; from < n + 24; from += 4 + from / 9 * 4)
    BOTH(prepare, fill_struct, d, (void *)(memory[0] + 504 + from), n / 8);
}

// Four regions in turn; two of them are told.
static void given(size_t n, int front, size_t over) {
  uint32_t *list[4];
  struct lists v = {NULL};
  for (int k = 0; k < 4; k++)
    list[k] = (uint32_t *)(void *)(memory[0] + k * 1024);
  if (n < 250)
    BOTH(prepare, given_sometimes, &v, list, 4, n);
}

static void all(size_t n, int front, size_t over) {
  structs(n, front, over);
  given(n, front, over);
  // The highest byte of the last pointer has to stay 0.
  for (u8 value = 0; value < (front || !over ? 250 : 1); value += 49) {
    BOTH(prepare, fill_between, at, value);
    BOTH(prepare, fill_from, at, value, n / 3);
    BOTH(prepare, fill_held, at, n, value);
    BOTH(prepare, fill_unless, at, n, value, done);
    if (!over || !value) // a larger size would have the loop write all its bytes, and the pointer
      BOTH(prepare_sized, fill_sized, sized, value);
    if (!(front && over)) // it would be out of range
      BOTH(prepare, fill_checked, at, value);
  }
  if (front || !over) {
    BOTH(prepare, copy_between, at, &source);
    BOTH(prepare, copy_int, at, &source);
    BOTH(prepare, copy_into, at, pixels + 7);
    for (size_t most = n - 2; most < n + 3; most++)
      BOTH(prepare, copy_until, at, pixels + 7, most, done);
  }
}

int main(void) {
  for (size_t n = 2; n < 300; n += 1 + (n > 40) * 11) // else the changed pointer is above the end
    for (int front = 0; front < 2; front++)
      for (size_t over = 0; over < 2; over++)
        all(n, front, over);
  for (size_t n = 100; n < 200; n += 9) {
    int front = 1;
    size_t over = 0;
    BOTH(prepare, first_elsewhere, at, memory[0] + 100, 7);
    BOTH(prepare, changed_before, at, memory[0] + MIDDLE, 9);
    BOTH(prepare, fill_given, at, memory[0] + MIDDLE - n, 9);
  }
  printf("%lu cases, %lu differ\n", cases, bad);
  return bad != 0;
}
