// rereads-main.c - rows that may lie on the very fields that say how long they are
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pixels begin some bytes in front of their struct, or far from it. A row that gets
// there changes its own width to the small value that it writes, and ends.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uint8_t u8;
struct image {
  int w, h, stride;
  u8 *data;
};
typedef void clear_function(struct image *, u8);
typedef void copy_function(struct image *, const struct image *);
struct number {
  size_t used;
  uint64_t *limbs;
};
typedef void number_function(struct number *, size_t);
typedef void rows_function(const struct image *, u8 **);
clear_function clear_rows, plain_clear_rows, clear_plane, plain_clear_plane;
copy_function copy_rows, plain_copy_rows, copy_plane, plain_copy_plane;
void stale_place(struct image *, u8, u8 *), plain_stale_place(struct image *, u8, u8 *);
rows_function copy_to_rows, plain_copy_to_rows;
number_function shift_limbs, plain_shift_limbs;

enum { SIZE = 4096, MIDDLE = 2048 };
static _Alignas(16) u8 memory[2][SIZE];
static unsigned long cases, bad;

static void paint(u8 *p) {
  for (int i = 0; i < SIZE; i++)
    p[i] = (u8)(i % 3);
}

static void compare(const char *name, int w, int h, int gap) {
  cases++;
  if (memcmp(memory[0], memory[1], SIZE) && ++bad < 10)
    printf("%s: width %d height %d gap %d\n", name, w, h, gap);
}

// Runs both on the same addresses and keeps what the first one left.
#define BOTH(NAME, ...)                            \
  do {                                             \
    prepare(w, h, gap);                            \
    plain_##NAME(__VA_ARGS__);                     \
    memcpy(memory[1], memory[0], SIZE);            \
    prepare(w, h, gap);                            \
    NAME(__VA_ARGS__);                             \
    compare(#NAME, w, h, gap);                     \
  } while (0)

static struct image *at = (struct image *)(void *)(memory[0] + MIDDLE);
static struct image source;
static u8 pixels[SIZE], *rows[8];

static void prepare(int w, int h, int gap) {
  paint(memory[0]), paint(pixels);
  *at = (struct image){w, h, 40, memory[0] + MIDDLE - gap};
  source = (struct image){w, h, 37, pixels + 5};
  for (int y = 0; y < 8; y++)
    rows[y] = memory[0] + MIDDLE - gap + 40 * y;
}

// The limbs end in front of the struct or begin behind it, or the last one that is
// written to be 0 is their number.
static void shifts(void) {
  struct number *x = (struct number *)(void *)at;
  for (int w = 0; w < 40; w++)
    for (int h = 0; h <= w; h++)
      for (int gap = -3; gap <= 3; gap++) {
        uint64_t *end = (uint64_t *)(void *)x;
        uint64_t *limbs = gap < 0 ? end - w - gap - 3 : end + 2 + gap;
        if (gap == 3 && h)
          limbs = end - w + 1;
        struct number both = {(size_t)w, limbs};
        paint(memory[0]);
        *x = both;
        plain_shift_limbs(x, (size_t)h);
        memcpy(memory[1], memory[0], SIZE);
        paint(memory[0]);
        *x = both;
        shift_limbs(x, (size_t)h);
        compare("shift_limbs", w, h, gap);
      }
}

// Rows end to end.
static void planes(int w, int h, int gap) {
  if (gap % 3 || (gap > 0 && w && (gap % w < 4 || gap % w > 16)))
    return;                          // a row begins on the fields
  for (u8 value = 0; value < 3; value++)
    BOTH(clear_plane, at, value);
  BOTH(copy_plane, at, &source);
}

// Each row changes the lowest byte of the pointer for the next one.
static void stale(void) {
  int gap = MIDDLE - 512;
  for (int w = 0; w < 40; w++)
    for (int h = 0; h < 4; h++)
      for (u8 value = 1; value < 250; value += 60)
        BOTH(stale_place, at, value, (u8 *)&at->data);
}

int main(void) {
  shifts();
  stale();
  for (int w = 0; w < 40; w++)
    for (int h = 0; h < 4; h++)
      for (int gap = -200; gap < 200; gap += 1 + (gap > 60 || gap < -40) * 7) {
        if (gap <= 0 && gap > -(int)sizeof(struct image))
          continue;                  // the other fields and the pointer stay
        planes(w, h, gap);
        if (gap > 0 && (gap % 40 < 4 || gap % 40 > 16))
          continue;                  // a row begins on them
        for (u8 value = 0; value < 3; value++)
          BOTH(clear_rows, at, value);
        BOTH(copy_rows, at, &source);
        BOTH(copy_to_rows, at, rows);
      }
  printf("%lu cases, %lu differ\n", cases, bad);
  return bad != 0;
}
