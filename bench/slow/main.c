/* main.c - times the programs of each pair of builds in turns, and compares what they compute
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PAIRS lists the builds and files: X(gcc_O2, copies) X(clang_O3, sums) ... Each has two sides,
 * stock_ and lift_.
 *
 * usage: slow [--anew] ROUNDS SEED [PART_OF_A_NAME [DISTRIBUTION]]
 * Prints a line for each program, distribution of lengths and build: name, distribution, build and
 * the time of both sides, in nanoseconds a call. Exit status: 0, 1 results differ, 2 bad
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

struct options {
  int anew; /* each round has lengths and places of its own */
  unsigned rounds;
  u64 seed;
  double *times; /* 2 * rounds */
};

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

static u64 begin(u64 seed) {
  u64 state = seed * 2 + 1;
  for (int i = 0; i < 8; i++)
    random64(&state);
  return state;
}

static void draw(struct arena *a, const struct distribution *how, unsigned align, u64 *state) {
  for (unsigned i = 0; i < Calls; i++) {
    a->n[i] = how->low + (unsigned)(random64(state) % (how->high - how->low + 1));
    a->to[i] = (unsigned)(random64(state) & 1023) & -align;
    a->from[i] = (unsigned)(random64(state) & 1023) & -align;
  }
}

static void prepare(struct arena *a, const struct distribution *how, unsigned align, u64 seed) {
  u64 state = begin(seed);
  memset(a, 0, sizeof *a);
  draw(a, how, align, &state);
  for (unsigned i = 0; i < Bytes; i++)
    a->s[i] = (u8)random64(&state);
}

static int order(const void *p, const void *q) {
  double a = *(const double *)p, b = *(const double *)q;
  return (a > b) - (a < b);
}

/* The time of each side: of the fastest round, or of the one that is at a quarter of them if each
 * round has lengths of its own. */
static int compare(const struct pair *pair, const struct program *stock, const struct program *lift,
                   const struct distribution *how, const struct options *o, struct arena *a,
                   struct arena *b) {
  double *times[2] = {o->times, o->times + o->rounds};
  u64 state = begin(o->seed);
  prepare(a, how, stock->align, o->seed);
  prepare(b, how, stock->align, o->seed);
  for (unsigned round = 0; round < o->rounds; round++) {
    if (o->anew) {
      draw(a, how, stock->align, &state);
      memcpy(b, a, offsetof(struct arena, sink));
    }
    double t0 = now();
    stock->run(a);
    double t1 = now();
    lift->run(b);
    double t2 = now();
    times[0][round] = t1 - t0;
    times[1][round] = t2 - t1;
  }
  for (int side = 0; side < 2; side++)
    qsort(times[side], o->rounds, sizeof(double), order);
  unsigned chosen = o->anew ? o->rounds / 4 : 0;
  printf("%s %s %s %.6f %.6f\n", stock->name, how->name, pair->build, times[0][chosen] / Calls,
         times[1][chosen] / Calls);
  if (a->sink == b->sink && memcmp(a->d, b->d, sizeof a->d) == 0)
    return 0;
  fprintf(stderr, "slow: %s, lengths %s, %s: the results differ\n", stock->name, how->name,
          pair->build);
  return 1;
}

int main(int argc, char **argv) {
  struct options o = {0};
  if (argc > 1 && strcmp(argv[1], "--anew") == 0)
    o.anew = 1, argc--, argv++;
  o.rounds = argc > 2 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
  if (o.rounds == 0 || argc > 5) {
    fprintf(stderr, "usage: slow [--anew] ROUNDS SEED [PART_OF_A_NAME [DISTRIBUTION]]\n");
    return 2;
  }
  o.seed = strtoull(argv[2], NULL, 10);
  o.times = malloc(2 * o.rounds * sizeof *o.times);
  struct arena *arenas = aligned_alloc(4096, 2 * sizeof(struct arena));
  int differs = arenas == NULL || o.times == NULL;
  for (size_t p = 0; p < sizeof pairs / sizeof *pairs && arenas && o.times; p++)
    for (const struct program *s = pairs[p].stock, *l = pairs[p].lift; s->name; s++, l++)
      for (unsigned k = 0; k < Distributions; k++)
        if ((argc < 4 || strstr(s->name, argv[3])) &&
            (argc < 5 || strcmp(distributions[k].name, argv[4]) == 0))
          differs |= compare(&pairs[p], s, l, &distributions[k], &o, arenas, arenas + 1);
  free(arenas);
  free(o.times);
  return differs;
}
