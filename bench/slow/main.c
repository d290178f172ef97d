/* main.c - times the programs of each pair of builds in turns, and compares what they compute
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PAIRS lists the builds and files: X(gcc_O2, copies) X(clang_O3, sums) ... Each has two sides,
 * stock_ and lift_.
 *
 * usage: slow ROUNDS SEED [PART_OF_A_NAME [DISTRIBUTION]]
 * Prints a line for each program, distribution of lengths and build: name, distribution, build and
 * the fastest round of both sides, in nanoseconds a call. Exit status: 0, 1 results differ, 2 bad
 * usage.
 */
#define BUILD none
#include "slow.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define X(build, file)                                                                             \
  extern const struct program stock_##build##_##file[], lift_##build##_##file[];
PAIRS
#undef X

struct pair {
  const char *build;
  const struct program *stock, *lift;
};
#define X(build, file) {#build, stock_##build##_##file, lift_##build##_##file},
static const struct pair pairs[] = {PAIRS};
#undef X

/* Lengths are `low` to `high` at random. */
static const struct distribution {
  const char *name;
  unsigned low, high;
} distributions[] = {{"0..16", 0, 16},     {"17..40", 17, 40},       {"0..64", 0, 64},
                     {"65..300", 65, 300}, {"288..2048", 288, 2048}, {"1500", 1500, 1500}};

enum { Distributions = sizeof distributions / sizeof *distributions };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static u64 random64(u64 *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static void prepare(struct arena *a, const struct distribution *how, unsigned align, u64 seed) {
  u64 state = seed * 2 + 1;
  for (int i = 0; i < 8; i++)
    random64(&state);
  memset(a, 0, sizeof *a);
  for (unsigned i = 0; i < Calls; i++) {
    a->n[i] = how->low + (unsigned)(random64(&state) % (how->high - how->low + 1));
    a->to[i] = (unsigned)(random64(&state) & 1023) & -align;
    a->from[i] = (unsigned)(random64(&state) & 1023) & -align;
  }
  for (unsigned i = 0; i < Bytes; i++)
    a->s[i] = (u8)random64(&state);
}

static int compare(const struct pair *pair, const struct program *stock, const struct program *lift,
                   const struct distribution *how, unsigned rounds, u64 seed, struct arena *a,
                   struct arena *b) {
  double fastest[2] = {1e30, 1e30};
  prepare(a, how, stock->align, seed);
  prepare(b, how, stock->align, seed);
  for (unsigned round = 0; round < rounds; round++) {
    double t0 = now();
    stock->run(a);
    double t1 = now();
    lift->run(b);
    double t2 = now();
    if (t1 - t0 < fastest[0])
      fastest[0] = t1 - t0;
    if (t2 - t1 < fastest[1])
      fastest[1] = t2 - t1;
  }
  printf("%s %s %s %.6f %.6f\n", stock->name, how->name, pair->build, fastest[0] / Calls,
         fastest[1] / Calls);
  if (a->sink == b->sink && memcmp(a->d, b->d, sizeof a->d) == 0)
    return 0;
  fprintf(stderr, "slow: %s, lengths %s, %s: the results differ\n", stock->name, how->name,
          pair->build);
  return 1;
}

int main(int argc, char **argv) {
  unsigned rounds = argc > 2 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
  if (rounds == 0 || argc > 5) {
    fprintf(stderr, "usage: slow ROUNDS SEED [PART_OF_A_NAME [DISTRIBUTION]]\n");
    return 2;
  }
  u64 seed = strtoull(argv[2], NULL, 10);
  struct arena *arenas = aligned_alloc(4096, 2 * sizeof(struct arena));
  int differs = arenas == NULL;
  for (size_t p = 0; p < sizeof pairs / sizeof *pairs && arenas; p++)
    for (const struct program *s = pairs[p].stock, *l = pairs[p].lift; s->name; s++, l++)
      for (unsigned k = 0; k < Distributions; k++)
        if ((argc < 4 || strstr(s->name, argv[3])) &&
            (argc < 5 || strcmp(distributions[k].name, argv[4]) == 0))
          differs |= compare(&pairs[p], s, l, &distributions[k], rounds, seed, arenas, arenas + 1);
  free(arenas);
  return differs;
}
