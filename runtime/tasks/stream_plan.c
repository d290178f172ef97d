/* stream_plan.c - the length of the blocks of a loop, and where their buffers are
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A block is m iterations. Long blocks make few transfers, whose set-up costs time; but nothing
 * hides the first get and the last put, and the store has so many bytes and no more. So m is
 *
 *   - a multiple of the iterations after which all accesses have moved by a multiple of 64 bytes:
 *     then all blocks begin at the same alignment;
 *   - at most what the store has room for: for each access the buffers that it needs, a window of m
 *     iterations in each, and 64 bytes to put it at its alignment;
 *   - at least what makes each transfer an eighth of one that would be worth its set-up if the
 *     thread waited for it, since here the thread has other work meanwhile;
 *   - within that an eighth of the iterations: then the first get and the last put are an eighth of
 *     all that is moved, or less.
 *
 * Buffers. While a block is computed, the next one comes in, and the one before goes out. What is
 * read needs two: block t + 1 comes into that of t - 1. What is written needs two: t is written
 * while t - 1 goes out. What is read and written needs three, for t - 1, t and t + 1.
 *
 * Where the mover's times are known, and the cycles of an iteration (stream.h's cycles16), the last
 * rule gives way to a calculation. With c and d the times to compute and to move one iteration, and
 * S those that the set-ups of a block take, n iterations in blocks of m take about
 *
 *   n * d + n / m * S + m * (c + f)   where moving takes longer: d + S / m > c
 *   n * c + m * d                     where computing does
 *
 * f is the time to move the direction that is not waited for. The first has its least at
 * m = sqrt(n * S / (c + f)). The second grows with m, so it is best where it begins, at
 * m = S / (c - d). The block is the smaller of the two, but at least half the first: c is the
 * compiler's estimate. Blocks so short that a mistaken c just hides their set-ups would take twice
 * as long if it were half as large; half the first are a quarter of their overhead worse.
 */
#include "stream_state.h"

#define ALIGNMENT ((uint64_t)MEMLIFT_STORE_ALIGNMENT)
#define BLOCKS 8u /* at least, if the iterations allow */
#define SHARE 8u  /* of the smallest transfer worth waiting for */

static uint64_t round_up(uint64_t n, uint64_t to) { return (n + to - 1) / to * to; }

/* ---- Accesses -------------------------------------------------------------------------------- */

/* Fills in a lane; 0: the access breaks a rule of stream.h, or is larger than the store. */
static int describe(struct memlift_lane *lane, const struct memlift_stream_access *a,
                    uint64_t budget) {
  unsigned in = a->how & MEMLIFT_STREAM_IN, out = a->how & MEMLIFT_STREAM_OUT;
  unsigned rows = a->how & MEMLIFT_STREAM_ROWS;
  *lane = (struct memlift_lane){.base = a->base,
                                .step = a->step,
                                .bytes = a->bytes,
                                .in = in != 0,
                                .out = out != 0,
                                .buffers = in && out ? 3 : 2,
                                .get = {MEMLIFT_NO_SLOT, MEMLIFT_NO_SLOT},
                                .put = MEMLIFT_NO_SLOT};
  uint64_t step = memlift_lane_step(lane);
  if (!(in || out) || a->how > 7 || !step || !a->bytes || step > budget || a->bytes > budget)
    return 0;
  if (out && (rows ? a->bytes > step : a->bytes != step))
    return 0;
  if (rows && a->bytes != step)
    lane->pitch = a->bytes + ((step - a->bytes) & (ALIGNMENT - 1));
  return 1;
}

/* Bytes of a buffer that each iteration needs more. */
static uint64_t growth(const struct memlift_lane *lane) {
  return lane->pitch ? lane->pitch : memlift_lane_step(lane);
}

/* Bytes of the window of m iterations in the store. */
static uint64_t window(const struct memlift_lane *lane, uint64_t m) {
  return (m - 1) * growth(lane) + lane->bytes;
}

/* Bytes of a buffer for m iterations. */
static uint64_t buffer_size(const struct memlift_lane *lane, uint64_t m) {
  return round_up(window(lane, m), ALIGNMENT) + ALIGNMENT;
}

/* Iterations after which an access has moved by a multiple of the alignment. */
static uint64_t period(const struct memlift_lane *lane) {
  uint64_t step = memlift_lane_step(lane), even = step & (0 - step);
  return lane->pitch || even >= ALIGNMENT ? 1 : ALIGNMENT / even;
}

/* Iterations of the smallest transfer that pays; UINT64_MAX: none does. */
static uint64_t least_iterations(const struct memlift_lane *lane, const struct memlift_mover *mover,
                                 uint64_t pays) {
  if (lane->pitch && !mover->strided)
    return lane->bytes >= pays ? 1 : UINT64_MAX;
  uint64_t each = lane->pitch ? lane->bytes : memlift_lane_step(lane);
  return pays / each + (pays % each != 0);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* Limits that all accesses allow. */
struct limits {
  uint64_t unit, least, most; /* iterations of a block */
};

static struct limits limits_of(const struct memlift_stream_state *s, uint64_t budget,
                               uint64_t pays) {
  struct limits l = {1, 1, 0};
  uint64_t fixed = 0, per_iteration = 0;
  for (uint32_t k = 0; k < s->count; k++) {
    const struct memlift_lane *lane = &s->lane[k];
    uint64_t least = least_iterations(lane, s->store->mover, pays), unit = period(lane);
    /* A buffer for m iterations takes m * growth more, which is counted below. */
    uint64_t more = lane->bytes > growth(lane) ? lane->bytes - growth(lane) : 0;
    fixed += lane->buffers * (more + 2 * ALIGNMENT);
    per_iteration += lane->buffers * growth(lane);
    l.unit = unit > l.unit ? unit : l.unit;
    l.least = least > l.least ? least : l.least;
  }
  if (fixed < budget)
    l.most = (budget - fixed) / per_iteration / l.unit * l.unit;
  return l;
}

/* ---- Times: sixteenths of a nanosecond ------------------------------------------------------- */

/* Times to move one direction: of the set-ups of a block, and of each iteration. */
struct direction {
  uint64_t setup, iteration;
};

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static struct direction time_of(const struct memlift_stream_state *s, int out) {
  const struct memlift_mover *mover = s->store->mover;
  struct direction d = {0, 0};
  for (uint32_t k = 0; k < s->count; k++) {
    const struct memlift_lane *lane = &s->lane[k];
    if (!(out ? lane->out : lane->in))
      continue;
    uint64_t bytes = lane->pitch ? lane->bytes : memlift_lane_step(lane);
    d.iteration += bytes * mover->cost.per_kib / 64;
    if (lane->pitch && !mover->strided)
      d.iteration += (uint64_t)mover->cost.setup * 16; /* of each row */
    else
      d.setup += (uint64_t)mover->cost.setup * 16;
  }
  return d;
}

/* The square root of n, but for rounding. */
static uint64_t root_of(uint64_t n) {
  if (!n)
    return 0;
  uint64_t root = (uint64_t)1 << (64 - (unsigned)__builtin_clzll(n)) / 2;
  for (int i = 0; i < 4; i++) /* Newton's method, from a factor of 1.5 away */
    root = (root + n / root) / 2;
  return root;
}

/* Returns the iterations of the block that takes least time, 0 where the times are not known. */
static uint64_t fastest(const struct memlift_stream_state *s,
                        const struct memlift_stream_plan *plan) {
  const struct memlift_mover_cost *cost = &s->store->mover->cost;
  uint64_t c = (uint64_t)plan->cycles16 * cost->cycle16 / 16;
  if (!c || s->iterations >> 32)
    return 0;
  struct direction get = time_of(s, 0), put = time_of(s, 1), both = get;
  uint64_t beside = 0;
  if (cost->channels < 2) {
    both.setup += put.setup, both.iteration += put.iteration;
  } else {
    both.setup = larger(get.setup, put.setup);
    both.iteration = larger(get.iteration, put.iteration);
    beside = get.iteration + put.iteration - both.iteration;
  }
  if (both.setup >> 31)
    return 0;
  uint64_t m = root_of(s->iterations * both.setup / (c + beside));
  if (c > both.iteration) {
    uint64_t hides = both.setup / (c - both.iteration) + 1;
    m = hides < m / 2 ? m / 2 : hides < m ? hides : m;
  }
  return m ? m : 1;
}

/* ---- The choice ------------------------------------------------------------------------------ */

/* Returns the iterations of a block, 0 for a loop that has too few bytes or too large windows.
 * `best` is what would be fastest, 0 if that is not known. */
static uint64_t choose(const struct limits *l, uint64_t iterations, uint64_t best) {
  if (!l->most || l->least > l->most || iterations / 2 < l->least)
    return 0;
  uint64_t m = best ? round_up(best, l->unit) : iterations / BLOCKS / l->unit * l->unit;
  uint64_t least = round_up(l->least, l->unit);
  m = m > least ? m : least;
  m = m < l->most ? m : l->most;
  /* As many blocks as before, of sizes as equal as the unit allows. */
  uint64_t blocks = iterations / m + (iterations % m != 0);
  uint64_t even = round_up(iterations / blocks + (iterations % blocks != 0), l->unit);
  /* Or all but the last one: nothing hides the end of that, so it is short. */
  if (best && blocks > 2 && iterations > l->unit)
    m = round_up((iterations - l->unit + blocks - 2) / (blocks - 1), l->unit);
  m = best && blocks > 2 && m <= l->most ? m : even;
  return m < iterations ? m : 0;
}

int memlift_stream_cut(struct memlift_stream_state *s, const struct memlift_stream_plan *plan,
                       const struct memlift_stream_access *accesses) {
  struct memlift_mover *mover = s->store->mover;
  size_t worth = mover->worth(mover);
  uint64_t budget = memlift_store_largest(s->store), total = 0;
  if (worth == SIZE_MAX || !s->count || s->count > MEMLIFT_STREAM_ACCESSES)
    return 0;
  if (plan->store && plan->store < budget)
    budget = plan->store;
  for (uint32_t k = 0; k < s->count; k++)
    if (!describe(&s->lane[k], &accesses[k], budget))
      return 0;
  struct limits l = limits_of(s, budget, worth / SHARE);
  s->block = choose(&l, s->iterations, fastest(s, plan));
  if (!s->block)
    return 0;
  s->blocks = s->iterations / s->block + (s->iterations % s->block != 0);
  for (uint32_t k = 0; k < s->count; k++) {
    s->lane[k].stride = buffer_size(&s->lane[k], s->block);
    total += s->lane[k].buffers * s->lane[k].stride;
  }
  unsigned char *at = s->piece = memlift_store_take(s->store, total, ALIGNMENT);
  for (uint32_t k = 0; at && k < s->count; k++) {
    s->lane[k].buffer = at;
    at += s->lane[k].buffers * s->lane[k].stride;
  }
  return at != NULL;
}
