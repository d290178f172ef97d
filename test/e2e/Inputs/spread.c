/* spread.c - runs two lists of kernels on the same arrays, and compares results and memory
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * usage: spread SEED
 * The list of memlift runs without a context, with one that has no units, and with units. The
 * runtime is told by SPREAD_AT_ONCE, or by long loops, to call them. Exit code 1 if anything differs.
 */
#include "spread-kernels.h"

#include <memlift/spread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct kernel plain[], threads[];

enum { MOST = 17000, BYTES = 8 * MOST + 512 };
static unsigned char memory[2][8][BYTES];
static uint64_t seed;

static uint32_t any(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33);
}

static void fill(void) {
  for (size_t k = 0; k < 8; k++)
    for (size_t i = 0; i + 4 <= BYTES; i += 4) {
      uint32_t v = any();
      float f = (float)(v & 0xffff) / 16;
      memcpy(&memory[0][k][i], k < 2 ? (const void *)&f : (const void *)&v, 4);
    }
}

static struct arrays of(int which, size_t shift, ptrdiff_t distance) {
  unsigned char(*m)[BYTES] = memory[which];
  struct arrays s = {(float *)(m[0] + 4 * shift),      (float *)(m[1] + 64),
                     (uint32_t *)(m[2] + 4 * shift),   (uint32_t *)(m[3] + 128 + 4 * distance),
                     (uint32_t *)(m[3] + 128),         (uint32_t *)m[4],
                     (uint16_t *)(m[5] + 2 * shift),   m[6] + shift,
                     (struct pair *)(m[7] + 8 * shift)};
  return s;
}

static int differs(size_t k, size_t n, ptrdiff_t distance) {
  static unsigned char before[8][BYTES], after[8][BYTES];
  size_t shift = any() % 8;
  memcpy(before, memory[0], sizeof before);
  struct arrays s = of(0, shift, distance);
  uint64_t expected = plain[k].run(&s, n);
  memcpy(after, memory[0], sizeof after);
  memcpy(memory[0], before, sizeof before);
  uint64_t got = threads[k].run(&s, n);
  int bad = got != expected || memcmp(after, memory[0], sizeof after) != 0;
  if (bad)
    printf("%s: n %zu, distance %td: %llx, not %llx%s\n", plain[k].name, n, distance,
           (unsigned long long)got, (unsigned long long)expected,
           memcmp(after, memory[0], sizeof after) ? "; memory differs" : "");
  return bad;
}

static unsigned run(const char *what) {
  static const size_t lengths[] = {0, 1, 2, 15, 16, 17, 63, 64, 65, 1000, MOST - 7};
  static const ptrdiff_t distances[] = {0, 1, -1, 17};
  unsigned bad = 0, cases = 0;
  for (size_t k = 0; plain[k].name; k++)
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
      ptrdiff_t distance = distances[any() % 4];
      if (distance > 0 && any() % 2) /* apart */
        distance = MOST;
      bad += (unsigned)differs(k, lengths[i], distance), cases++;
    }
  printf("%s: %u cases, %u differ\n", what, cases, bad);
  return bad;
}

int main(int argc, char **argv) {
  unsigned bad = 0;
  seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
  fill();
  bad += run("no context");
  for (uint32_t units = 0; units < 4; units += 1 + units) {
    struct memlift_context_options options = {.units = units};
    struct memlift_task_counters count = {0};
    memlift_context *context;
    char what[32];
    if (memlift_context_create(&context, &options, sizeof options) != MEMLIFT_OK ||
        memlift_spread_bind(context) != MEMLIFT_OK)
      return 2;
    snprintf(what, sizeof what, "%u units", units);
    bad += run(what);
    memlift_context_count(context, &count, sizeof count);
    printf("%u units were %s\n", units, count.scheduled ? "called" : "not called");
    if (memlift_spread_bind(NULL) != MEMLIFT_OK || memlift_context_destroy(context) != MEMLIFT_OK)
      return 2;
  }
  return bad != 0;
}
