// real.c - loops as other people's programs spell them; each was kept once, by one compiler or all
//
// Functions as in inet.c: data, bytes, start value.
#include "parity.h"

typedef u16 __attribute__((aligned(1), may_alias)) w16;

// zlib's adler32: blocks of 5552 bytes, an inner loop of sixteen bytes a turn. The inner loop's
// pointer is itself a recurrence of the outer one.
#define STEP(at) a += p[at], b += a
#define STEP4(at) STEP(at), STEP(at + 1), STEP(at + 2), STEP(at + 3)
PARITY(blocks_of_sixteen, "weighted_sum lowered")
u64 blocks_of_sixteen(const void *data, size_t n, u64 start) {
  const u8 *p = data;
  u64 a = start & 0xffff, b = start >> 16 & 0xffff;
  while (n >= 5552) {
    n -= 5552;
    unsigned turns = 5552 / 16;
    do {
      STEP4(0), STEP4(4), STEP4(8), STEP4(12);
      p += 16;
    } while (--turns);
    a %= 65521;
    b %= 65521;
  }
  return b << 16 | a;
}

// Two streams of one buffer, both moved on by an outer loop.
PARITY(words_of_rows, "sum lowered")
u64 words_of_rows(const void *data, size_t len, u64 start) {
  const w16 *p = data;
  u32 all = (u32)start;
  for (size_t y = 0; y < len / 200; y++, p += 100) {
    u32 sum = 0;
    for (int x = 0; x < 96; x += 2)
      sum += p[x], sum += p[x + 1];
    all ^= sum << y % 8;
  }
  return all;
}
