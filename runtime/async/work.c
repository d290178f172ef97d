/* work.c - the CPU's part of the operations that are under way, done by who waits for them
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * In chunks: whoever waits for a limited time does no more than one beyond it, and whoever goes
 * away leaves the rest to others. Before a chunk is claimed each of its pages is looked at, in the
 * thread's own name: a signal that the program's handler answers, or leaves by longjmp, comes then,
 * and nobody waits for that thread.
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../engine/touch.h"
#include "../kernels/dispatch.h"
#include "hub.h"

/* What fills of period 3, 5, 6 and 7 are cut at a multiple of. */
#define ALL_PERIODS ((size_t)3 * 5 * 7 * 8)

void memlift_op_withdraw(struct memlift_op *op) {
  memlift_list_remove(&memlift_hub.ready, op);
  if (op->rest.front == op->rest.body.begin) /* nothing of it has been sent */
    memlift_count_size(&memlift_engine_cpu, op->whole.size);
  op->gave_up = 1; /* or all of it has been sent */
  memlift_op_set_stage(op, MEMLIFT_IN_FLIGHT);
  if (!op->flights)
    memlift_op_engine_done(op);
}

/* ---- The next chunk -------------------------------------------------------------------------- */

enum kind { NOTHING, MOVE, SUM, MOVE_AND_SUM };

struct chunk {
  enum kind kind;
  size_t start, end; /* bytes of the operation */
};

/* Ranges by number: head, tail, holes, and what was never sent. */
enum { HEAD, TAIL, HOLES };

static unsigned ranges_of(const struct memlift_op *op) { return HOLES + op->rest.holes + 1; }

static struct memlift_hole range(const struct memlift_op *op, unsigned part) {
  const struct memlift_rest *rest = &op->rest;
  if (part == HEAD)
    return (struct memlift_hole){0, rest->body.begin};
  if (part == TAIL)
    return (struct memlift_hole){rest->body.end, op->whole.size};
  if (part - HOLES < rest->holes)
    return rest->hole[part - HOLES];
  return (struct memlift_hole){rest->front, rest->back};
}

/* The next chunk of the ranges before number `last`, `most` bytes at most. */
static struct chunk next_move(struct memlift_op *op, unsigned last, size_t most) {
  for (; op->part < last; op->part++, op->at = 0) {
    struct memlift_hole r = range(op, op->part);
    size_t start = r.start + op->at;
    if (start < r.end)
      return (struct chunk){MOVE, start, r.end - start > most ? start + most : r.end};
  }
  return (struct chunk){NOTHING, 0, 0};
}

static struct chunk next_sum(const struct memlift_op *op, size_t most) {
  size_t left = op->whole.size - op->summed;
  return (struct chunk){SUM, op->summed, op->summed + (left > most ? most : left)};
}

/* Whoever does it, and whether anybody does. */
static struct chunk any_chunk(struct memlift_op *op, size_t most, int waits) {
  int engine_done = memlift_op_stage(op) == MEMLIFT_ENGINE_DONE;
  if (op->period && most >= ALL_PERIODS)
    most -= most % ALL_PERIODS;
  if (op->ends != MEMLIFT_PART_LEFT && op->part < HOLES)
    op->part = HOLES, op->at = 0;
  struct chunk c = next_move(op, engine_done ? ranges_of(op) : HOLES, most);
  if (op->sum != MEMLIFT_PART_LEFT)
    return c;
  if (!op->engine && engine_done) {
    c = next_sum(op, most);
    c.kind = MOVE_AND_SUM;
    return c;
  }
  return c.kind == NOTHING && (waits || engine_done) ? next_sum(op, most) : c;
}

static struct chunk next_chunk(struct memlift_op *op, size_t most, int waits) {
  enum memlift_stage stage = memlift_op_stage(op);
  if (op->busy || op->cancelling || stage < MEMLIFT_READY || stage > MEMLIFT_ENGINE_DONE)
    return (struct chunk){NOTHING, 0, 0};
  return any_chunk(op, most, waits);
}

void memlift_op_rewind(struct memlift_op *op) {
  op->part = 0, op->at = op->summed = 0;
  op->sum_so_far = op->init;
}

int memlift_op_nothing_left(struct memlift_op *op) {
  return !op->busy && any_chunk(op, SIZE_MAX, 1).kind == NOTHING;
}

/* ---- Doing it -------------------------------------------------------------------------------- */

/* Returns the sum so far. */
static uint32_t move_and_sum(const struct memlift_op *op, const struct chunk *c) {
  const struct memlift_request *whole = &op->whole;
  unsigned char *to = (unsigned char *)whole->destination + c->start;
  const unsigned char *from = (const unsigned char *)whole->source + c->start;
  size_t size = c->end - c->start;
  if (c->kind == MOVE_AND_SUM)
    return memlift_copy_inet_sum(to, from, size, op->sum_so_far);
  if (c->kind == SUM)
    return memlift_inet_sum(from, size, op->sum_so_far);
  if (op->period)
    memlift_cpu_pattern(to, whole->pattern, op->period, size);
  else
    memlift_on_cpu(op->engine, whole, c->start, c->end);
  return op->sum_so_far;
}

/* Without the lock; nobody else does any of op. */
static uint32_t carry_out(const struct memlift_op *op, const struct chunk *c) {
  uint32_t sum = move_and_sum(op, c);
  if (c->kind != MOVE && c->end == op->whole.size)
    *op->sum_to = sum;
  return sum;
}

static void advance(struct memlift_op *op, const struct chunk *c, uint32_t sum) {
  size_t size = c->end - c->start;
  if (c->kind != SUM) {
    if (op->engine)
      memlift_count(op->part < HOLES ? &memlift_engine_counted.shared_bytes
                                     : &memlift_engine_counted.cpu_bytes,
                    size);
    op->at += size;
  }
  if (c->kind != MOVE) {
    op->sum_so_far = sum;
    op->summed = c->end;
    if (op->summed == op->whole.size)
      op->sum = MEMLIFT_PART_DONE;
  }
}

/* Lets the lock go for it. In a child whose fork interrupted us it begins anew: fork.c. */
static void do_chunk(struct memlift_op *op, const struct chunk *c) {
  unsigned generation = memlift_hub.generation;
  op->busy = 1;
  op->worker = pthread_self();
  memlift_hub_unlock();
  uint32_t sum = carry_out(op, c);
  memlift_hub_lock();
  if (generation != memlift_hub.generation)
    return;
  op->busy = 0;
  advance(op, c, sum);
  if (memlift_op_stage(op) == MEMLIFT_ENGINE_DONE)
    memlift_op_engine_done(op);
}

void memlift_op_work_now(struct memlift_op *op) {
  struct chunk c;
  for (;;) {
    if (memlift_op_stage(op) == MEMLIFT_READY && !memlift_hub_may_drive())
      memlift_op_withdraw(op);
    c = next_chunk(op, SIZE_MAX, 0);
    if (c.kind == NOTHING)
      return;
    do_chunk(op, &c);
    memlift_hub_settle();
  }
}

/* ---- For who waits --------------------------------------------------------------------------- */

/* The smallest pages that there are: of larger ones some are looked at twice. */
#define PAGE ((uintptr_t)4096)
#define AHEAD (8 * PAGE)

/* So that ThreadSanitizer does not take a look for an access beside that of who does the chunk. */
#if defined(__has_attribute)
#if __has_attribute(no_sanitize)
#define UNWATCHED __attribute__((no_sanitize("thread")))
#endif
#endif
#if !defined(UNWATCHED)
#define UNWATCHED
#endif

/* A write that changes nothing, whoever writes there meanwhile. */
UNWATCHED static void look_at_destination(unsigned char *p, size_t size) {
  for (size_t i = 0; i < size; i += PAGE - ((uintptr_t)(p + i) & (PAGE - 1))) {
    __builtin_prefetch((const void *)((uintptr_t)(p + i) + AHEAD), 1);
    memlift_touch_byte(p + i);
  }
}

UNWATCHED static void look_at_source(const unsigned char *p, size_t size) {
  for (size_t i = 0; i < size; i += PAGE - ((uintptr_t)(p + i) & (PAGE - 1)))
    (void)*(const volatile unsigned char *)(p + i);
}

static void look_at_pages(const struct memlift_request *whole, const struct chunk *c,
                          uint32_t *sum_to) {
  size_t size = c->end - c->start;
  if (c->kind != SUM)
    look_at_destination((unsigned char *)whole->destination + c->start, size);
  if (c->kind != MOVE)
    look_at_destination((unsigned char *)sum_to, sizeof *sum_to);
  if (whole->operation == MEMLIFT_OPERATION_COPY)
    look_at_source((const unsigned char *)whole->source + c->start, size);
}

/* Whatever handler runs meanwhile, nothing is claimed, and signals are as the program has them. */
static void look_unlocked(const struct memlift_op *op, const struct chunk *c,
                          const uint64_t *signals) {
  struct memlift_request whole = op->whole;
  uint32_t *sum_to = op->sum_to;
  uint64_t ignored;
  memlift_hub_unlock();
  memlift_signals_let(signals);
  look_at_pages(&whole, c, sum_to);
  memlift_signals_hold(&ignored);
  memlift_hub_lock();
}

int memlift_op_work(struct memlift_op *op, size_t most, int waits, const uint64_t *signals) {
  struct memlift_op *blocker;
  while ((blocker = memlift_op_blocker(op)) != NULL)
    op = blocker;
  uint64_t id = memlift_op_id(op);
  if (memlift_op_stage(op) == MEMLIFT_READY &&
      (!memlift_hub_may_drive() || (waits && memlift_op_behind_others(op))))
    memlift_op_withdraw(op);
  struct chunk c = next_chunk(op, most, waits);
  if (c.kind == NOTHING)
    return memlift_op_is_over(op);
  look_unlocked(op, &c, signals);
  struct chunk still =
      memlift_op_id(op) == id ? next_chunk(op, most, waits) : (struct chunk){NOTHING, 0, 0};
  if (still.kind == c.kind && still.start == c.start && still.end == c.end)
    do_chunk(op, &c);
  return 1;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
