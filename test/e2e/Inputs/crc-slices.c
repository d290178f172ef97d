/* crc-slices.c - calls loops over several tables of two libraries side by side
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Usage: crc-slices PLAIN.so LIFTED.so [SEED]. The tables of both get the same entries: those of a
 * CRC; those with one wrong bit anywhere; those of another CRC in one table; random ones. Bytes and
 * tables that are arguments end, or begin, at a page without access.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "random.h"

enum { PAGE = 4096, MOST = 12000, TABLES = 16 * 256 * 8 };

static const struct {
  const char *name;
  unsigned width, slices;
  int up; /* bits leave at the upper end */
  const char *tables;
} functions[] = {
    {"eight_of_64", 64, 8, 0, NULL},          {"four_in_a_row", 32, 4, 0, NULL},
    {"two_words", 32, 8, 0, "tables32"},      {"by_bytes", 32, 8, 0, "tables32"},
    {"four_of_64", 64, 4, 0, "tables64"},     {"two_bytes", 32, 2, 0, "tables32"},
    {"from_above", 32, 4, 1, "tables32"},     {"word_from_above", 32, 8, 1, "tables32"},
    {"tables_turned", 32, 4, 0, "tables32"},  {"one_table_twice", 32, 4, 0, "tables32"},
    {"apart", 32, 3, 0, "tables32"},          {"other_object", 32, 2, 0, "tables32"},
    {"shifted_by_15", 32, 2, 0, "tables32"},  {"not_shifted", 32, 2, 0, "tables32"},
    {"seven_bits", 32, 2, 0, "tables32"},     {"register_twice", 32, 2, 0, "tables32"},
    {"sum_of_entries", 32, 2, 0, "tables32"}, {"second_byte_first", 32, 2, 0, "tables32"},
    {"of_few", 64, 2, 0, "tables64"},         {"four_of_16", 16, 4, 0, "tables16"},
    {"two_of_16", 16, 2, 0, "tables16"},      {"eight_of_16", 16, 8, 1, NULL},
    {"third_byte_too", 16, 4, 0, "tables16"}, {"high_byte_first", 16, 4, 1, "tables16"},
    {"register_kept", 16, 2, 0, "tables16"},
};

typedef uint16_t (*f16)(uint16_t, const uint8_t *, size_t, const void *);
typedef uint32_t (*f32)(uint32_t, const uint8_t *, size_t, const void *);
typedef uint64_t (*f64)(uint64_t, const uint8_t *, size_t, const void *);

static uint64_t call(void *f, unsigned width, uint64_t crc, const uint8_t *p, size_t n,
                     const void *tables) {
  if (width == 16)
    return ((f16)f)((uint16_t)crc, p, n, tables);
  return width == 32 ? ((f32)f)((uint32_t)crc, p, n, tables) : ((f64)f)(crc, p, n, tables);
}

/* The entry after a byte of 0. */
static uint64_t later(const uint64_t *t, uint64_t c, unsigned width, int up) {
  return up ? t[c >> (width - 8)] ^ (c << 8 & ~(uint64_t)0 >> (64 - width)) : t[c & 255] ^ c >> 8;
}

/* The entries of a CRC; `swapped`: the bytes of each in the other order, as FFmpeg has them. */
static void entries_of(uint64_t *t, size_t which, uint64_t poly, int swapped) {
  unsigned width = functions[which].width;
  int up = functions[which].up;
  uint64_t mask = ~(uint64_t)0 >> (64 - width);
  for (unsigned i = 0; i < 256; i++) {
    uint64_t c = up != swapped ? (uint64_t)i << (width - 8) : i;
    for (int k = 0; k < 8; k++)
      c = up != swapped ? (c << 1 & mask) ^ (c >> (width - 1) ? poly : 0)
                        : c >> 1 ^ (c & 1 ? poly : 0);
    t[i] = swapped ? __builtin_bswap64(c) >> (64 - width) : c;
  }
  for (unsigned i = 256; i < 16 * 256; i++)
    t[i] = later(t, t[i - 256], width, up);
}

/* Pages between pages that nobody may touch. */
static uint8_t *pages(size_t bytes) {
  size_t size = (bytes + PAGE - 1) / PAGE * PAGE;
  uint8_t *p = mmap(NULL, size + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || mprotect(p + PAGE, size, PROT_READ | PROT_WRITE))
    exit(2);
  return p + PAGE;
}

static uint8_t *memory; /* three pages of bytes */
static void *plain, *lifted;

static int same(size_t which, uint8_t *a, uint8_t *b, const uint64_t *t, const size_t *lengths,
                size_t count) {
  void *f = dlsym(plain, functions[which].name), *g = dlsym(lifted, functions[which].name);
  unsigned bytes = functions[which].width / 8;
  for (unsigned i = 0; i < (functions[which].tables ? 16 : functions[which].slices) * 256; i++) {
    memcpy(a + i * bytes, &t[i], bytes);
    memcpy(b + i * bytes, &t[i], bytes);
  }
  for (size_t k = 0; k < count; k++) {
    size_t n = lengths[k];
    uint64_t crc = k & 1 ? ~(uint64_t)0 : next_random();
    const uint8_t *p = k & 1 ? memory + k % 8 : memory + 3 * PAGE - n;
    uint64_t expected = call(f, functions[which].width, crc, p, n, a);
    uint64_t got = call(g, functions[which].width, crc, p, n, b);
    if (got != expected) {
      printf("%s: %zu bytes, register 0x%llx: 0x%llx, not 0x%llx\n", functions[which].name, n,
             (unsigned long long)crc, (unsigned long long)got, (unsigned long long)expected);
      return 0;
    }
  }
  return 1;
}

static int agree(size_t which, uint8_t *a, uint8_t *b) {
  enum { COUNT = 90, FEW = 40 };
  static size_t lengths[COUNT];
  static uint64_t t[16 * 256], other[16 * 256];
  unsigned width = functions[which].width, slices = functions[which].slices;
  uint64_t mask = ~(uint64_t)0 >> (64 - width);
  size_t far[] = {8000, 11999};
  int good = 1;
  for (size_t n = 0; n < COUNT; n++)
    lengths[n] = n < FEW ? n : n < 80 ? (n - FEW) * 300 : 1000 * (n - 78) + 16 + n % 3;
  for (int swapped = 0; good && swapped < 2; swapped++)
    for (int round = 0; good && round < 2; round++) {
      entries_of(t, which, (round ? next_random() : 0xedb88320) & mask, swapped);
      good = same(which, a, b, t, lengths, COUNT);
    }
  for (unsigned round = 0; good && round < 64 * slices; round++) {
    entries_of(t, which, next_random() & mask, 0);
    unsigned entry =
        round < slices ? 256 * round + 255 : (unsigned)(next_random() % (256 * slices));
    t[entry] ^= (uint64_t)1 << next_random() % width;
    good = same(which, a, b, t, far, 2);
  }
  for (unsigned k = 0; good && k < slices; k++) { /* one of another CRC; one too late */
    entries_of(t, which, next_random() & mask, 0);
    entries_of(other, which, next_random() & mask, 0);
    memcpy(&t[256 * k], k & 1 ? &other[256 * k] : &t[256 * (k + 1)], 256 * sizeof *t);
    good = same(which, a, b, t, far, 2);
  }
  for (int round = 0; good && round < 3; round++) {
    for (unsigned i = 0; i < 16 * 256; i++)
      t[i] = (round ? next_random() : 0) & mask;
    good = same(which, a, b, t, far, 2);
  }
  return good;
}

int main(int argc, char **argv) {
  plain = argc >= 3 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  lifted = argc >= 3 ? dlopen(argv[2], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!plain || !lifted) {
    fprintf(stderr, "usage: crc-slices PLAIN.so LIFTED.so [SEED]: %s\n", dlerror());
    return 2;
  }
  state = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
  memory = pages(3 * PAGE);
  uint8_t *at_start = pages(TABLES);
  for (int i = 0; i < 3 * PAGE; i++)
    memory[i] = (uint8_t)next_random();
  size_t count = sizeof functions / sizeof *functions;
  for (size_t i = 0; i < count; i++) {
    size_t bytes = functions[i].slices * 256 * functions[i].width / 8;
    size_t ends[] = {0, TABLES - bytes, TABLES - bytes - 40, PAGE - 16, 24};
    if (functions[i].tables) {
      if (!agree(i, dlsym(plain, functions[i].tables), dlsym(lifted, functions[i].tables)))
        return 1;
      continue;
    }
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
      if (!agree(i, at_start + ends[k], at_start + ends[k]))
        return 1;
  }
  printf("%zu functions agree\n", count);
  return 0;
}
