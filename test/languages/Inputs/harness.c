/* harness.c - calls the five routines of a language, and compares them with its own
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A language that gives its symbols other names has them here: -DNAME=symbol. */
#define TEXT(x) #x
#define LABEL(x) TEXT(x)
#ifndef COPY
#define COPY lang_copy
#define FILL lang_fill
#define SUM lang_sum
#define INET lang_inet
#define CRC lang_crc
#endif
#ifndef ENTRY
#define ENTRY main
#endif
#ifndef SIZE
#define SIZE ptrdiff_t
#endif

void copy(uint8_t *to, const uint8_t *from, SIZE size) __asm__(LABEL(COPY));
void fill(uint8_t *to, SIZE size) __asm__(LABEL(FILL));
uint32_t sum(const uint32_t *from, SIZE count) __asm__(LABEL(SUM));
uint64_t inet(const uint16_t *from, SIZE count) __asm__(LABEL(INET)); /* not folded */
uint32_t crc(const uint8_t *from, SIZE size) __asm__(LABEL(CRC));

static uint32_t plain_crc(const uint8_t *from, SIZE size) {
  uint32_t state = 0xffffffff;
  for (SIZE i = 0; i < size; i++) {
    state ^= from[i];
    for (int bit = 0; bit < 8; bit++)
      state = state & 1 ? state >> 1 ^ 0xedb88320 : state >> 1;
  }
  return ~state;
}

static int wrong(const char *what, SIZE size) {
  printf("%s: wrong for size %lld\n", what, (long long)size);
  return 1;
}

int ENTRY(void) {
  static uint32_t words[1100], other[1100];
  uint8_t *from = (uint8_t *)words, *to = (uint8_t *)other;
  int failed = 0;
  srand(1);
  for (size_t i = 0; i < sizeof words; i++)
    from[i] = (uint8_t)(rand() >> 7);
  for (SIZE size = 0; size < 1060; size = size < 70 ? size + 1 : size * 5 / 4) {
    uint32_t want = 0;
    uint64_t halves = 0;
    for (SIZE i = 0; i < size; i++)
      want += words[i], halves += ((uint16_t *)words)[i];
    memset(other, 0x5a, sizeof other);
    copy(to + 1, from + 3, size);
    if (memcmp(to + 1, from + 3, (size_t)size) || to[0] != 0x5a || to[size + 1] != 0x5a)
      failed |= wrong("copy", size);
    memset(other, 0x5a, sizeof other);
    fill(to + 1, size);
    for (SIZE i = 0; i < size; i++)
      if (to[i + 1] != 7)
        failed |= wrong("fill", size);
    if (to[0] != 0x5a || to[size + 1] != 0x5a)
      failed |= wrong("fill", size);
    if (sum(words, size) != want)
      failed |= wrong("sum", size);
    if (inet((uint16_t *)words, size) != halves)
      failed |= wrong("inet", size);
    if (crc(from + 1, size) != plain_crc(from + 1, size))
      failed |= wrong("crc", size);
  }
  puts(failed ? "failed" : "right");
  return failed;
}
