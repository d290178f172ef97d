/* t7.c - the published figures of memset on a SPARC T7's DAX, in virtual time, and ours beside them
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * usage: bench-t7 [--sizes]
 * Gardner, Smolens, Pusukuri, "An Implementation of Fast memset() Using Hardware Accelerators",
 * ROSS 2018. One set of parameters, below, has to give each of its figures within 10 %, by the
 * policy that is published there; then the policy of runtime/engine/plan.c and offload.c, the same
 * code that programs run, has to keep the bars at the end. No byte is moved: the model is dry.
 *
 * Exit codes: 0 all within their limits, 1 not, 2 bad usage.
 */
#include "engine/dax/dax.h"
#include "engine/dax/dax_ccb.h"
#include "engine/plan.h"
#include "model/dax_model.h"

#include <stdio.h>
#include <string.h>

/* ---- Parameters, in nanoseconds and bytes in a microsecond ----------------------------------- */

#define UNITS 8u         /* stated */
#define IN_FLIGHT 64u    /* commands; stated */
#define START 15000u     /* set-up; stated */
#define UNIT_SPEED 8660u /* 2 GiB in 31 ms by 8 units */
#define CPU_SPEED 6710u  /* 2 GiB in 320 ms */
#define CPU_PAGE 367u    /* 32 MiB of 8 KiB pages in 6504 us: so much more for each */
#define WALK 98u         /* va_to_pa of 32 MiB takes 402 us: of one page of 8 KiB */
/* 1008 us - 402 us - set-up, 512 blocks of 8 KiB a unit: beside its bytes */
#define BLOCK 210u
#define SUBMIT 750u /* a hypercall: what fits 821 us, where the CPU submits and walks */
/* from the end of a block to the CPU: what fits 256 KB and 8 times */
#define WAKE 8000u

#define KiB ((size_t)1 << 10)
#define MiB ((size_t)1 << 20)
#define GiB ((size_t)1 << 30)

static struct dax_model t7;
static const struct dax_transport *const door = &memlift_dax_model_transport;
static unsigned char *const memory = (unsigned char *)((uintptr_t)1 << 40); /* never accessed */
static int bad;

static void reset(unsigned areas) {
  memlift_dax_model_reset(&t7, 1, (uint64_t)1 << 34);
  t7.costs = (struct dax_costs){SUBMIT, 10, START, WAKE, BLOCK, UNIT_SPEED, 0};
  t7.units = UNITS, t7.in_flight = IN_FLIGHT, t7.area_count = areas, t7.dry = 1;
  memlift_dax_model = &t7;
}

static uint64_t cpu_time(size_t bytes, size_t page) {
  return bytes * 1000 / CPU_SPEED + (page < MiB ? bytes / page * CPU_PAGE : 0);
}

/* ---- The published policy -------------------------------------------------------------------- */

/* Commands that are under way, each with 15 completion areas of its own. */
static unsigned char under_way[IN_FLIGHT];

/* Commands that have been put together, and how many of them have been submitted. */
static struct command {
  unsigned char blocks[16][DAX_BLOCK] __attribute__((aligned(1024)));
  unsigned count;
} commands[4096];
static unsigned made, fed;

/* Looks which commands have ended; returns how many have not. */
static unsigned see(void) {
  unsigned left = 0;
  for (unsigned c = 0; c < IN_FLIGHT; c++) {
    unsigned live = 0;
    for (unsigned i = 0; i < DAX_MAX_BLOCKS; i++)
      live += t7.pending[c * DAX_MAX_BLOCKS + i].live;
    under_way[c] = live != 0;
    left += under_way[c];
  }
  return left;
}

/* Until the last block of some command ends, of those under way. */
static void wait_for_one(void) {
  unsigned c = 0, i = DAX_MAX_BLOCKS - 1;
  while (!under_way[c])
    c++;
  while (!t7.pending[c * DAX_MAX_BLOCKS + i].live)
    i--;
  door->pause(c * DAX_MAX_BLOCKS + i, UINT64_MAX / 4);
}

/* Submits what there is room for. */
static void feed(void) {
  uint32_t why;
  for (see(); fed < made; fed++) {
    unsigned c = 0;
    while (c < IN_FLIGHT && under_way[c])
      c++;
    if (c == IN_FLIGHT ||
        !door->submit(commands[fed].blocks[0], commands[fed].count, c * DAX_MAX_BLOCKS, &why))
      return;
    under_way[c] = 1;
  }
}

/* Bins of equal bytes, one for each unit; a chunk may lie in two. Their commands of 15 blocks take
 * turns. */
static void make_bins(size_t start, size_t bytes, size_t chunk) {
  size_t bin = bytes / UNITS, done[UNITS] = {0};
  for (size_t left = bin * UNITS; left;)
    for (unsigned u = 0; u < UNITS; u++) {
      struct command *c = &commands[made];
      for (c->count = 0; c->count < DAX_MAX_BLOCKS && done[u] < bin; c->count++) {
        size_t at = u * bin + done[u], size = chunk - at % chunk;
        size = size < bin - done[u] ? size : bin - done[u];
        memlift_dax_put_copy(c->blocks[c->count], (uintptr_t)memory + start + at, 0, size);
        done[u] += size, left -= size;
      }
      made += c->count != 0;
    }
}

/* The list of a part is derived page by page; what has been made before is fed meanwhile. */
static void walk(size_t pages) {
  for (size_t done = 0; done < pages; done += 32) {
    memlift_dax_model_pass(&t7, 32 * WALK);
    feed();
  }
}

/* Microseconds. The CPU does `share` bytes: on this strand while the units work, or on one of its
 * own. */
static double published(size_t bytes, size_t chunk, unsigned stages, size_t share, int own_strand) {
  reset(IN_FLIGHT * DAX_MAX_BLOCKS);
  door->open();
  memset(under_way, 0, sizeof under_way);
  made = fed = 0;
  size_t part = (bytes - share) / stages;
  for (unsigned s = 0; s < stages; s++) {
    if (chunk < MiB)
      walk(part / chunk);
    make_bins(s * part, part, chunk);
    feed();
  }
  if (share && !own_strand)
    memlift_dax_model_pass(&t7, cpu_time(share, chunk));
  for (feed(); see(); feed())
    wait_for_one();
  double device = (double)t7.now / 1000, cpu = (double)cpu_time(share, chunk) / 1000;
  return own_strand && cpu > device ? cpu : device;
}

/* ---- Our policy: the engine, with the times of this machine around it ------------------------ */

static size_t page_size;

static void cpu_part(const struct memlift_request *piece) {
  memlift_dax_model_pass(&t7, cpu_time(piece->size, page_size));
}

/* Charges the cost of looking up one page of 8 KiB; large pages are looked up once. */
static size_t longest(const struct memlift_request *rest) {
  size_t size = page_size - (uintptr_t)rest->destination % page_size;
  size_t most = memlift_engine_dax.longest(rest);
  if (page_size < MiB)
    memlift_dax_model_pass(&t7, WALK);
  return size < most ? size : most;
}

/* Microseconds by engine and CPU together, or by the engine alone. */
static double ours(size_t bytes, size_t page, int shares) {
  struct memlift_engine engine = memlift_engine_dax;
  struct memlift_request request = {MEMLIFT_OPERATION_FILL, memory, NULL, 0, bytes};
  engine.shares = shares, engine.longest = longest, engine.cpu = cpu_part;
  page_size = page;
  reset(DAX_COMPLETION_AREAS);
  memlift_dax_use(door);
  if (memlift_engine_start("dax") != MEMLIFT_OK || !memlift_offload(&engine, &request)) {
    fprintf(stderr, "bench-t7: the engine does not start\n");
    bad = 1;
  }
  double time = (double)t7.now / 1000;
  memlift_engine_stop();
  return time;
}

/* ---- The table ------------------------------------------------------------------------------- */

static void figure(const char *what, double model, double talk) {
  double off = 100 * (model - talk) / talk;
  int out = off > 10 || off < -10;
  bad |= out;
  printf("| %-52s | %9.1f | %9.1f | %+5.1f %%%s |\n", what, talk, model, off, out ? " OUT" : "");
}

static void bar(const char *what, double model, double limit) {
  bad |= model > limit;
  printf("| %-52s | %9.1f | %9.1f | %s |\n", what, limit, model, model > limit ? "OVER" : "kept");
}

/* The smallest size that the published policy does faster than the CPU. */
static double break_even(void) {
  size_t n = 16 * KiB;
  while (published(n, 4 * MiB, 1, 0, 0) > (double)cpu_time(n, 4 * MiB) / 1000)
    n += KiB;
  return (double)n / (double)KiB;
}

/* Where the engine becomes as fast as the CPU. */
static size_t crossing(void) {
  size_t low = 4 * KiB, high = 4 * MiB;
  while (high - low > KiB) {
    size_t middle = low + (high - low) / 2 / 64 * 64;
    if (ours(middle, 2 * GiB, 1) < (double)cpu_time(middle, 2 * GiB) / 1000)
      high = middle;
    else
      low = middle;
  }
  return high;
}

/* The largest regret in percent over 64 sizes, 4 KiB to 2 GiB in equal ratios. */
static double regret(int print) {
  size_t from = memlift_engine_dax.min_bytes;
  double worst = 0, size = 4096;
  if (print)
    printf("\n| bytes | CPU us | engine us | ours us | regret |\n|---:|---:|---:|---:|---:|\n");
  for (int i = 0; i < 64; i++, size *= 1.2322) { /* 2^(19/63) */
    size_t n = (i == 63 ? 2 * GiB : (size_t)size) / 64 * 64;
    double cpu = (double)cpu_time(n, 2 * GiB) / 1000, engine = ours(n, 2 * GiB, 0);
    double mine = n < from ? cpu : ours(n, 2 * GiB, 1), best = cpu < engine ? cpu : engine;
    double lost = 100 * (mine - best) / best;
    worst = lost > worst ? lost : worst;
    if (print)
      printf("| %zu | %.1f | %.1f | %.1f | %+.1f %% |\n", n, cpu, engine, mine, lost);
  }
  return worst;
}

static void published_figures(void) {
  printf("| published policy | talk | model | |\n|---|---:|---:|---:|\n");
  figure("2 GiB huge page, us", published(2 * GiB, 2 * GiB, 1, 0, 0), 31000);
  figure("2 GiB huge page, 1/16 by the CPU, us", published(2 * GiB, 2 * GiB, 1, 128 * MiB, 0),
         29000);
  figure("8 MiB huge page, times faster than the CPU",
         (double)cpu_time(8 * MiB, 4 * MiB) / 1000 / published(8 * MiB, 4 * MiB, 1, 0, 0), 8);
  figure("32 MiB of 8 KiB pages by the CPU, us", (double)cpu_time(32 * MiB, 8 * KiB) / 1000, 6504);
  figure("32 MiB of 8 KiB pages, us", published(32 * MiB, 8 * KiB, 1, 0, 0), 1008);
  figure("... list in two stages, us", published(32 * MiB, 8 * KiB, 2, 0, 0), 821);
  figure("... and 1/8 by a CPU strand of its own, us", published(32 * MiB, 8 * KiB, 2, 4 * MiB, 1),
         746);
  double even = break_even();
  int out = even < 187 || even > 437;
  bad |= out;
  printf("| %-52s | %9s | %9.1f | %s |\n", "break-even, KiB", "256", even,
         out ? "OUT" : "187 to 437");
}

int main(int argc, char **argv) {
  int sizes = argc == 2 && !strcmp(argv[1], "--sizes");
  if (argc > 2 || (argc == 2 && !sizes)) {
    int help = argc == 2 && !strcmp(argv[1], "--help");
    fputs("usage: bench-t7 [--sizes]\nThe published figures of memset on a SPARC T7's DAX, in "
          "virtual "
          "time, and ours.\n  --sizes  also ours at 64 sizes\n",
          help ? stdout : stderr);
    return help ? 0 : 2;
  }
  published_figures();
  printf("\n| our policy | bar | model | |\n|---|---:|---:|---:|\n");
  bar("2 GiB huge page, us", ours(2 * GiB, 2 * GiB, 1), 28400);
  bar("32 MiB of 8 KiB pages, us", ours(32 * MiB, 8 * KiB, 1), 700);
  bar("largest regret at 64 sizes, 4 KiB to 2 GiB, %", regret(0), 3);
  printf("| %-52s | %9s | %9.1f | |\n", "engine from, KiB", "",
         (double)memlift_engine_dax.min_bytes / (double)KiB);
  printf("| %-52s | %9s | %9.1f | |\n", "... as fast as the CPU from, KiB", "",
         (double)crossing() / (double)KiB);
  if (sizes)
    regret(1);
  return bad;
}
