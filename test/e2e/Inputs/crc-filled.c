/* crc-filled.c - calls loops over tables of two libraries side by side, with tables of any content
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Usage: crc-filled PLAIN.so LIFTED.so [SEED]. The tables of both get the same entries: those of a
 * CRC, also with bits above the register; those with one wrong bit, in each of the 256 entries; random ones. Bytes and tables that are
 * arguments end, or begin, at a page without access.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "random.h"

enum kind { R8, R16, R32, R64, TABLE32 };

static const struct {
  const char *name;
  enum kind kind;
  unsigned bytes, width; /* of an entry, of the register in bits */
  int up;                /* bits leave at the upper end */
  const char *table;
  unsigned row;
} functions[] = {
    {"by_counter", R32, 4, 32, 0, "entries32", 0},
    {"archive", R64, 8, 32, 0, "longs", 0},
    {"inverted_around", R32, 4, 32, 0, "entries32", 0},
    {"up_to_the_end", R32, 4, 32, 0, "entries32", 0},
    {"of_64_bits", R64, 8, 64, 0, "entries64", 0},
    {"narrow_table", R32, 2, 16, 0, "entries16", 0},
    {"of_16_bits", R16, 2, 16, 0, "entries16", 0},
    {"register_with_a_sign", R32, 4, 32, 0, "entries32", 0},
    {"first_row", R32, 4, 32, 0, "rows32", 0},
    {"last_row", R32, 4, 32, 0, "rows32", 3},
    {"xmodem_filled", R16, 2, 16, 1, "entries16", 0},
    {"in_an_int", R16, 2, 16, 1, "entries16", 0},
    {"from_the_top", R32, 4, 32, 1, "entries32", 0},
    {"cut_to_24", R32, 4, 24, 1, "entries32", 0},
    {"cut_at_the_end", R32, 4, 24, 1, "entries32", 0},
    {"of_64_from_the_top", R64, 8, 64, 1, "entries64", 0},
    {"of_8_bits", R8, 1, 8, 1, "entries8", 0},
    {"of_8_bits", R8, 1, 8, 0, "entries8", 0},
    {"context", TABLE32, 4, 32, 0, NULL, 0},
    {"in_an_object", TABLE32, 4, 32, 0, NULL, 0},
    {"may_be_the_bytes", TABLE32, 4, 32, 1, NULL, 0},
    {"eight_in_turn", R32, 8, 32, 0, "longs", 0},
    {"two_from_the_top", R16, 2, 16, 1, "entries16", 0},
    {"two_in_an_int", R32, 2, 16, 1, "entries16", 0},
    {"four_from_the_top", R16, 2, 16, 1, "entries16", 0},
    {"by_a_word", R32, 4, 32, 0, "entries32", 0},
    {"by_half_of_it", R32, 4, 32, 0, "entries32", 0},
    {"big_endian_word", R32, 4, 32, 1, "entries32", 0},
    {"word_turned", R32, 4, 32, 1, "entries32", 0},
    {"three_of_the_word", R32, 4, 32, 0, "entries32", 0},
    {"three_of_two", R32, 4, 32, 0, "entries32", 0},
    {"word_shifted", R32, 4, 32, 0, "entries32", 0},
    {"first_by_seven", R16, 2, 16, 1, "entries16", 0},
    {"older_bit", R16, 2, 16, 1, "entries16", 0},
    {"sixteen_in_turn", R32, 4, 32, 0, "entries32", 0},
    {"pairs_turned", R32, 4, 32, 0, "entries32", 0},
    {"second_by_seven", R32, 4, 32, 0, "entries32", 0},
    {"shifted_by_four", R32, 4, 32, 0, "entries32", 0},
    {"shifted_up", R32, 4, 32, 0, "entries32", 0},
    {"seven_bits_of_it", R32, 4, 32, 0, "entries32", 0},
    {"byte_alone", R32, 4, 32, 0, "entries32", 0},
    {"upper_bits_kept", R32, 4, 24, 1, "entries32", 0},
    {"one_mixed_in", R32, 4, 32, 0, "entries32", 0},
    {"entry_with_a_sign", R64, 4, 32, 0, "entries32", 0},
    {"two_tables", R32, 4, 32, 0, "entries32", 0},
    {"of_few_bytes", R32, 4, 32, 0, "entries32", 0},
};

static uint64_t call(void *f, enum kind kind, uint64_t crc, const uint8_t *p, size_t n,
                     const void *table) {
  switch (kind) {
  case R8: return ((uint8_t (*)(uint8_t, const uint8_t *, size_t))f)((uint8_t)crc, p, n);
  case R16: return ((uint16_t (*)(uint16_t, const uint8_t *, size_t))f)((uint16_t)crc, p, n);
  case R32: return ((uint32_t (*)(uint32_t, const uint8_t *, size_t))f)((uint32_t)crc, p, n);
  case R64: return ((uint64_t (*)(uint64_t, const uint8_t *, size_t))f)(crc, p, n);
  case TABLE32: break;
  }
  return ((uint32_t (*)(uint32_t, const uint8_t *, size_t, const void *))f)((uint32_t)crc, p, n,
                                                                            table);
}

/* The entries of a CRC; `swapped`: the bytes of each in the other order, with the bits leaving at
 * the other end. */
static void entries_of(uint64_t *t, unsigned width, int up, uint64_t poly, int swapped) {
  uint64_t mask = ~(uint64_t)0 >> (64 - width);
  for (unsigned i = 0; i < 256; i++) {
    uint64_t c = up != swapped ? (uint64_t)i << (width - 8) : i;
    for (int k = 0; k < 8; k++)
      c = up != swapped ? (c << 1 & mask) ^ (c >> (width - 1) ? poly : 0)
                        : c >> 1 ^ (c & 1 ? poly : 0);
    t[i] = swapped ? __builtin_bswap64(c) >> (64 - width) : c;
  }
}

/* A page, or two, between pages that nobody may touch. */
static uint8_t *pages(size_t count) {
  uint8_t *p = mmap(NULL, (count + 2) * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || mprotect(p + 4096, count * 4096, PROT_READ | PROT_WRITE))
    exit(2);
  return p + 4096;
}

static uint8_t *memory;   /* two pages of bytes */
static uint8_t *at_start; /* a page for tables that are arguments */

/* Compares the libraries for some lengths; `a` and `b` are the table's places in both. */
static int same(size_t which, void *plain, void *lifted, uint8_t *a, uint8_t *b, const uint64_t *t,
                const size_t *lengths, size_t count) {
  unsigned bytes = functions[which].bytes;
  for (unsigned i = 0; i < 256; i++) {
    memcpy(a + i * bytes, &t[i], bytes);
    memcpy(b + i * bytes, &t[i], bytes);
  }
  for (size_t k = 0; k < count; k++) {
    size_t n = lengths[k];
    uint64_t crc = k & 1 ? ~(uint64_t)0 : next_random();
    const uint8_t *p = k & 1 ? memory : memory + 2 * 4096 - n;
    uint64_t expected = call(plain, functions[which].kind, crc, p, n, a);
    uint64_t got = call(lifted, functions[which].kind, crc, p, n, b);
    if (got != expected) {
      printf("%s: %zu bytes, register 0x%llx: 0x%llx, not 0x%llx\n", functions[which].name, n,
             (unsigned long long)crc, (unsigned long long)got, (unsigned long long)expected);
      return 0;
    }
  }
  return 1;
}

static int agree(size_t which, void *plain, void *lifted, uint8_t *a, uint8_t *b) {
  static const size_t wrong_lengths[] = {300};
  enum { COUNT = 140, FEW = 120 };
  static size_t lengths[COUNT];
  unsigned width = functions[which].width;
  uint64_t t[256], mask = ~(uint64_t)0 >> (64 - width);
  int good = 1;
  for (size_t n = 0; n < COUNT; n++)
    lengths[n] = n < FEW ? n : (n - FEW) * 100;
  for (int swapped = 0; good && swapped < 2; swapped++)
    for (int round = 0; good && round < 2; round++) {
      uint64_t poly = (round ? next_random() : 0xedb88320) & mask;
      entries_of(t, width, functions[which].up, poly, swapped);
      good = same(which, plain, lifted, a, b, t, lengths, COUNT);
    }
  entries_of(t, width, functions[which].up, next_random() & mask, 0);
  for (unsigned i = 0; i < 256; i++)
    t[i] |= next_random() & ~mask;
  good = good && same(which, plain, lifted, a, b, t, lengths, COUNT);
  for (unsigned entry = 0; good && entry < 256; entry++) {
    entries_of(t, width, functions[which].up, next_random() & mask, 0);
    t[entry] ^= (uint64_t)1 << next_random() % (8 * functions[which].bytes);
    good = same(which, plain, lifted, a, b, t, wrong_lengths, 1);
  }
  for (int round = 0; good && round < 3; round++) {
    for (unsigned i = 0; i < 256; i++)
      t[i] = round ? next_random() : 0;
    good = same(which, plain, lifted, a, b, t, lengths, FEW);
  }
  return good;
}

int main(int argc, char **argv) {
  void *plain = argc >= 3 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  void *lifted = argc >= 3 ? dlopen(argv[2], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!plain || !lifted) {
    fprintf(stderr, "usage: crc-filled PLAIN.so LIFTED.so [SEED]: %s\n", dlerror());
    return 2;
  }
  state = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
  memory = pages(2);
  at_start = pages(1);
  for (int i = 0; i < 2 * 4096; i++)
    memory[i] = (uint8_t)(i < 256 ? i : (int)next_random());
  size_t count = sizeof functions / sizeof *functions;
  for (size_t i = 0; i < count; i++) {
    void *f = dlsym(plain, functions[i].name), *g = dlsym(lifted, functions[i].name);
    uint8_t *a = at_start, *b = a;
    if (functions[i].table) {
      size_t row = (size_t)functions[i].row * 256 * functions[i].bytes;
      a = (uint8_t *)dlsym(plain, functions[i].table) + row;
      b = (uint8_t *)dlsym(lifted, functions[i].table) + row;
    }
    if (!f || !g || !agree(i, f, g, a, b))
      return 1;
    if (!functions[i].table) { /* and at the page's end */
      a = b = at_start + 4096 - 256 * functions[i].bytes;
      if (!agree(i, f, g, a, b))
        return 1;
    }
  }
  printf("%zu functions agree\n", count);
  return 0;
}
