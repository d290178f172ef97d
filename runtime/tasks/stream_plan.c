/* stream_plan.c - the length of the blocks of a loop, and where their buffers are
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A block is m rounds. Long blocks make few transfers, whose set-up costs time; but nothing hides
 * the first get and the last put, and the store has so many bytes and no more. So m is
 *
 *   - a multiple of the rounds after which all accesses have moved by a multiple of 64 bytes: then
 *     all blocks begin at the same alignment;
 *   - at most what the store has room for: for each access the buffers that it needs, a window of m
 *     rounds in each, and 64 bytes to put it at its alignment;
 *   - at least what makes each transfer an eighth of one that would be worth its set-up if the
 *     thread waited for it, since here the thread has other work meanwhile;
 *   - within that an eighth of the rounds: then the first get and the last put are an eighth of all
 *     that is moved, or less.
 *
 * Buffers. While a block is computed, the next one comes in, and the one before goes out. What is
 * read needs two: block t + 1 comes into that of t - 1. What is written needs two: t is written
 * while t - 1 goes out. What is read and written needs three, for t - 1, t and t + 1.
 *
 * Limits: what is known of the time of a round is not used, since the time of a byte is not known.
 */
#include "stream_state.h"

#define ALIGNMENT ((uint64_t)MEMLIFT_STORE_ALIGNMENT)
#define BLOCKS 8u /* at least, if the rounds allow */
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

/* Bytes of a buffer that each round needs more. */
static uint64_t growth(const struct memlift_lane *lane) {
  return lane->pitch ? lane->pitch : memlift_lane_step(lane);
}

/* Bytes of the window of m rounds in the store. */
static uint64_t window(const struct memlift_lane *lane, uint64_t m) {
  return (m - 1) * growth(lane) + lane->bytes;
}

/* Bytes of a buffer for m rounds. */
static uint64_t buffer_size(const struct memlift_lane *lane, uint64_t m) {
  return round_up(window(lane, m), ALIGNMENT) + ALIGNMENT;
}

/* Rounds after which an access has moved by a multiple of the alignment. */
static uint64_t period(const struct memlift_lane *lane) {
  uint64_t step = memlift_lane_step(lane), even = step & (0 - step);
  return lane->pitch || even >= ALIGNMENT ? 1 : ALIGNMENT / even;
}

/* Rounds of the smallest transfer that pays; UINT64_MAX: none does. */
static uint64_t least_rounds(const struct memlift_lane *lane, const struct memlift_mover *mover,
                             uint64_t pays) {
  if (lane->pitch && !mover->strided)
    return lane->bytes >= pays ? 1 : UINT64_MAX;
  uint64_t each = lane->pitch ? lane->bytes : memlift_lane_step(lane);
  return pays / each + (pays % each != 0);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* Limits that all accesses allow. */
struct limits {
  uint64_t unit, least, most; /* rounds of a block */
};

static struct limits limits_of(const struct memlift_stream_state *s, uint64_t budget,
                               uint64_t pays) {
  struct limits l = {1, 1, 0};
  uint64_t fixed = 0, per_round = 0;
  for (uint32_t k = 0; k < s->count; k++) {
    const struct memlift_lane *lane = &s->lane[k];
    uint64_t least = least_rounds(lane, s->store->mover, pays), unit = period(lane);
    /* A buffer for m rounds takes m * growth more, which is counted below. */
    uint64_t more = lane->bytes > growth(lane) ? lane->bytes - growth(lane) : 0;
    fixed += lane->buffers * (more + 2 * ALIGNMENT);
    per_round += lane->buffers * growth(lane);
    l.unit = unit > l.unit ? unit : l.unit;
    l.least = least > l.least ? least : l.least;
  }
  if (fixed < budget)
    l.most = (budget - fixed) / per_round / l.unit * l.unit;
  return l;
}

/* Returns the rounds of a block, 0 for a loop that has too few bytes or too large windows. */
static uint64_t choose(const struct limits *l, uint64_t rounds) {
  if (!l->most || l->least > l->most || rounds / 2 < l->least)
    return 0;
  uint64_t m = rounds / BLOCKS / l->unit * l->unit, least = round_up(l->least, l->unit);
  m = m > least ? m : least;
  m = m < l->most ? m : l->most;
  /* As many blocks as before, of sizes as equal as the unit allows. */
  uint64_t blocks = rounds / m + (rounds % m != 0);
  m = round_up(rounds / blocks + (rounds % blocks != 0), l->unit);
  return m < rounds ? m : 0;
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
  s->block = choose(&l, s->rounds);
  if (!s->block)
    return 0;
  s->blocks = s->rounds / s->block + (s->rounds % s->block != 0);
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
