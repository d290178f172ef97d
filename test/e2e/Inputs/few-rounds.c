// few-rounds.c - loops of few rounds, at every overlap, beside what they do byte by byte
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void bytes4(uint8_t *d, const uint8_t *s) {
  for (int i = 0; i < 4; i++)
    d[i] = s[i];
}

static void bytes16(uint8_t *d, const uint8_t *s) {
  for (int i = 0; i < 16; i++)
    d[i] = s[i];
}

static void rows(uint8_t *d, const uint8_t *s) {
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 4; x++)
      d[4 * y + x] = s[4 * y + x];
}

static void down(uint8_t *d, const uint8_t *s) {
  for (int i = 7; i >= 0; i--)
    d[i] = s[i];
}

static void two(uint8_t *d, const uint8_t *s) {
  for (int i = 0; i < 6; i++)
    d[i] = s[i];
  for (int i = 0; i < 10; i++)
    d[6 + i] = s[6 + i];
}

static void fill(uint8_t *d, const uint8_t *s) {
  for (int i = 0; i < 5; i++)
    ((uint8_t *)d)[i] = *s;
}

typedef void loop(uint8_t *, const uint8_t *);
static loop *volatile const loops[] = {bytes4, bytes16, rows, down, two, fill};

int main(void) {
  unsigned hash = 1;

  for (unsigned l = 0; l < sizeof loops / sizeof *loops; l++)
    for (int at = 0; at < 64; at++) {
      uint8_t memory[96];
      for (unsigned i = 0; i < sizeof memory; i++)
        memory[i] = (uint8_t)(i * 37 + 11);
      loops[l](memory + at, memory + 32);
      for (unsigned i = 0; i < sizeof memory; i++)
        hash = hash * 31 + memory[i];
      printf("%u %d %08x\n", l, at, hash);
    }
  return 0;
}
