// crc-lanes-main.c - runs CRCs in registers side by side, plain and lowered
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounds from none to more than a page, around those where a call is worth it most of all, at all
// alignments. What is read begins or ends where a page begins that nobody may touch.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "random.h"

typedef void (*function)(uint32_t *registers, const void *words, size_t rounds);

#define X(name)                                                                                    \
  void name(uint32_t *registers, const void *words, size_t rounds);                                \
  void plain_##name(uint32_t *registers, const void *words, size_t rounds);
#include "names.inc"
#undef X

static const struct {
  const char *name;
  function plain, lifted;
} functions[] = {
#define X(name) {#name, plain_##name, name},
#include "names.inc"
};

enum { PAGE = 4096, ROOM = 8 * PAGE, REGISTERS = 6 };

static unsigned long cases, bad;

static void compare(size_t f, const uint8_t *words, size_t rounds) {
  uint32_t plain[REGISTERS], lifted[REGISTERS];
  for (int k = 0; k < REGISTERS; k++)
    plain[k] = lifted[k] = cases % 5 ? (uint32_t)next_random() : 0;
  functions[f].plain(plain, words, rounds);
  functions[f].lifted(lifted, words, rounds);
  cases++;
  if (memcmp(plain, lifted, sizeof plain)) {
    printf("%s: %zu rounds differ\n", functions[f].name, rounds);
    bad++;
  }
}

/* Returns the bytes of a round. */
static size_t round_of(const char *name) {
  return strcmp(name, "braid") == 0 ? 40 : strcmp(name, "three_of_16") == 0 ? 24 : 16;
}

int main(void) {
  uint8_t *map = mmap(NULL, ROOM + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED || mprotect(map + PAGE, ROOM, PROT_READ | PROT_WRITE))
    return 2;
  uint8_t *memory = map + PAGE;
  for (size_t i = 0; i < ROOM; i++)
    memory[i] = (uint8_t)next_random();
  for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
    size_t each = round_of(functions[f].name), most = ROOM / each;
    for (size_t rounds = 0; rounds < 200; rounds++)
      for (size_t at = 0; at < 8; at++) {
        compare(f, memory + at, rounds);
        compare(f, memory + ROOM - rounds * each - at, rounds);
      }
    for (int k = 0; k < 30; k++) {
      size_t rounds = k ? next_random() % most : most;
      compare(f, memory + ROOM - rounds * each, rounds);
    }
  }
  printf("%lu cases side by side, %lu differ\n", cases, bad);
  return bad != 0;
}
