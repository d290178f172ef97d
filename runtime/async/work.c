/* work.c - the CPU's part of the operations under way, done by the threads that wait for them
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The CPU does head and tail, the holes of failed pieces, and bytes that were never submitted; of a
 * copy with a sum also the sum. It works in chunks: a thread with a time limit overruns it by one
 * chunk at most, and a thread that leaves a wait leaves the other chunks to other threads.
 *
 * A chunk is claimed, and done without the lock. A claim must not be left in the middle. Signals
 * from outside are held back, but an access to a missing page raises its signal all the same, and
 * the program's handler may leave by longjmp. So each page of the chunk is accessed once before,
 * while the thread has claimed nothing and the program's mask is restored. The program may not
 * unmap it before all waits for this operation have returned.
 *
 * A thread that waits for an operation may also do chunks of one that comes before it. That one may
 * end meanwhile, since other threads do its chunks too, and then its memory may be unmapped. So
 * there the chunk is claimed first, as a claimed operation does not end, and the system is asked to
 * make the pages present, which raises no signal. It takes about 100 ns a page. Only if it cannot,
 * the claim is given back, and the pages are accessed as above.
 *
 * Limits: Linux before 5.14 cannot be asked. There a thread may access memory of an operation that
 * comes before its own, and that has been unmapped since.
 *
 * Order of the work: head and tail at any time, since the engine does not write there; the rest
 * when the engine has nothing of the operation any more. A sum needs the source only, so it is done
 * beside the engine, but only by a thread that waits anyway.
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../engine/populate.h"
#include "../engine/touch.h"
#include "../kernels/dispatch.h"
#include "hub.h"

/* Chunks of fills of period 3, 5, 6 and 7 end at a multiple of this, so each starts with the first
 * byte of the pattern. */
#define ALL_PERIODS ((size_t)3 * 5 * 7 * 8)

/* ---- The next chunk -------------------------------------------------------------------------- */

/* Work of a chunk. */
enum kind { NOTHING, MOVE, SUM, MOVE_AND_SUM };

struct chunk {
  enum kind kind;
  size_t start, end; /* bytes of the operation */
};

/* Numbers of the ranges: head, tail, the holes, and last the bytes that were never submitted. */
enum { HEAD, TAIL, HOLES };

static unsigned ranges_of(const struct memlift_op *op) { return HOLES + op->job.holes + 1; }

/* Returns range number `number`. */
static struct memlift_hole range(const struct memlift_op *op, unsigned number) {
  const struct memlift_job *job = &op->job;
  if (number == HEAD)
    return (struct memlift_hole){0, job->body.begin};
  if (number == TAIL)
    return (struct memlift_hole){job->body.end, job->whole.size};
  if (number - HOLES < job->holes)
    return job->hole[number - HOLES];
  return (struct memlift_hole){job->front, job->back};
}

/* Returns the next chunk, of `most` bytes at most, of the ranges before number `last`. */
static struct chunk next_move(struct memlift_op *op, unsigned last, size_t most) {
  for (; op->range < last; op->range++, op->at = 0) {
    struct memlift_hole r = range(op, op->range);
    size_t start = r.start + op->at;
    if (start < r.end)
      return (struct chunk){MOVE, start, r.end - start > most ? start + most : r.end};
  }
  return (struct chunk){NOTHING, 0, 0};
}

/* Returns the next chunk of the sum. Chunks come in order, since a sum continues the one before. */
static struct chunk next_sum(const struct memlift_op *op, size_t most) {
  size_t left = op->job.whole.size - op->summed;
  return (struct chunk){SUM, op->summed, op->summed + (left > most ? most : left)};
}

/* Returns the next chunk of an operation, also when another thread does one now. An operation for
 * the CPU alone is copied and summed in one pass. */
static struct chunk any_chunk(struct memlift_op *op, size_t most, int waits) {
  int engine_done = memlift_op_stage(op) == MEMLIFT_ENGINE_DONE;
  if (op->period && most >= ALL_PERIODS)
    most -= most % ALL_PERIODS;
  if (op->ends != MEMLIFT_SHARE_LEFT && op->range < HOLES)
    op->range = HOLES, op->at = 0;
  struct chunk c = next_move(op, engine_done ? ranges_of(op) : HOLES, most);
  if (op->sum != MEMLIFT_SHARE_LEFT)
    return c;
  if (!op->job.engine && engine_done) {
    c = next_sum(op, most);
    c.kind = MOVE_AND_SUM;
    return c;
  }
  return c.kind == NOTHING && (waits || engine_done) ? next_sum(op, most) : c;
}

/* Returns the next chunk that this thread may claim. */
static struct chunk next_chunk(struct memlift_op *op, size_t most, int waits) {
  enum memlift_stage stage = memlift_op_stage(op);
  if (op->busy || op->cancelling || stage < MEMLIFT_READY || stage > MEMLIFT_ENGINE_DONE)
    return (struct chunk){NOTHING, 0, 0};
  return any_chunk(op, most, waits);
}

void memlift_op_rewind(struct memlift_op *op) {
  op->range = 0, op->at = op->summed = 0;
  op->sum_so_far = op->init;
}

int memlift_op_nothing_left(struct memlift_op *op) {
  return !op->busy && any_chunk(op, SIZE_MAX, 1).kind == NOTHING;
}

/* ---- Doing it -------------------------------------------------------------------------------- */

/* Does the work of a chunk. Returns the sum of the operation up to its end. */
static uint32_t move_and_sum(const struct memlift_op *op, const struct chunk *c) {
  const struct memlift_request *whole = &op->job.whole;
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
    memlift_on_cpu(&op->job, c->start, c->end);
  return op->sum_so_far;
}

/* Does a chunk without the lock. No other thread works on op, which is busy. */
static uint32_t carry_out(const struct memlift_op *op, const struct chunk *c) {
  uint32_t sum = move_and_sum(op, c);
  if (c->kind != MOVE && c->end == op->job.whole.size)
    *op->sum_to = sum;
  return sum;
}

/* Notes that a chunk is done, with the lock. */
static void advance(struct memlift_op *op, const struct chunk *c, uint32_t sum) {
  size_t size = c->end - c->start;
  if (c->kind != SUM) {
    if (op->job.engine)
      memlift_count(op->range < HOLES ? &memlift_engine_counted.shared_bytes
                                      : &memlift_engine_counted.cpu_bytes,
                    size);
    op->at += size;
  }
  if (c->kind != MOVE) {
    op->sum_so_far = sum;
    op->summed = c->end;
    if (op->summed == op->job.whole.size)
      op->sum = MEMLIFT_SHARE_DONE;
  }
}

/* Makes all pages of a chunk present, and returns 1 if it has. Raises no signal. */
static int is_present(const struct memlift_op *op, const struct chunk *c) {
  const struct memlift_request *whole = &op->job.whole;
  size_t size = c->end - c->start;
  return (c->kind == SUM ||
          memlift_populate_write((unsigned char *)whole->destination + c->start, size)) &&
         (c->kind == MOVE || memlift_populate_write(op->sum_to, sizeof *op->sum_to)) &&
         (whole->operation != MEMLIFT_OPERATION_COPY ||
          memlift_populate_read((const unsigned char *)whole->source + c->start, size));
}

/* Claims a chunk, and does it without the lock: with `asks` only if its pages are present. Returns
 * 0 if they are not. In a child of a handler that interrupted this thread the operation begins anew
 * (fork.c), so its result does not count. */
static int do_chunk(struct memlift_op *op, const struct chunk *c, int asks) {
  unsigned generation = memlift_hub.generation;
  op->busy = 1;
  op->worker = pthread_self();
  memlift_hub_unlock();
  int done = !asks || is_present(op, c);
  uint32_t sum = done ? carry_out(op, c) : 0;
  memlift_hub_lock();
  if (generation != memlift_hub.generation)
    return 1;
  op->busy = 0;
  if (done)
    advance(op, c, sum);
  if (memlift_op_stage(op) == MEMLIFT_ENGINE_DONE)
    memlift_op_engine_done(op);
  return done;
}

/* Whole ranges at once: the submitting thread has nothing else to wait for. */
void memlift_op_work_now(struct memlift_op *op) {
  struct chunk c;
  for (;;) {
    if (memlift_op_stage(op) == MEMLIFT_READY && !memlift_hub_may_drive())
      memlift_op_withdraw(op);
    c = next_chunk(op, SIZE_MAX, 0);
    if (c.kind == NOTHING)
      return;
    do_chunk(op, &c, 0);
    memlift_hub_settle();
  }
}

/* ---- For waiting threads --------------------------------------------------------------------- */

/* Size of the smallest pages; larger ones are accessed more than once. */
#define PAGE ((uintptr_t)4096)
#define AHEAD (8 * PAGE)

/* Excludes these accesses from ThreadSanitizer: another thread may be doing the chunk, and they
 * change nothing. */
#if defined(__has_attribute)
#if __has_attribute(no_sanitize)
#define UNWATCHED __attribute__((no_sanitize("thread")))
#endif
#endif
#if !defined(UNWATCHED)
#define UNWATCHED
#endif

/* Writes to each page of the destination without changing a byte, whatever other threads write. */
UNWATCHED static void look_at_destination(unsigned char *p, size_t size) {
  for (size_t i = 0; i < size; i += PAGE - ((uintptr_t)(p + i) & (PAGE - 1))) {
    __builtin_prefetch((const void *)((uintptr_t)(p + i) + AHEAD), 1);
    memlift_touch_byte(p + i);
  }
}

/* Reads from each page of the source. */
UNWATCHED static void look_at_source(const unsigned char *p, size_t size) {
  for (size_t i = 0; i < size; i += PAGE - ((uintptr_t)(p + i) & (PAGE - 1)))
    (void)*(const volatile unsigned char *)(p + i);
}

/* Accesses all pages of a chunk as it will. */
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

/* Accesses the pages without the lock, with nothing claimed and with the program's signal mask: any
 * handler may run, and leave. What is needed is copied before, as the slot may change. */
static void look_unlocked(const struct memlift_op *op, const struct chunk *c,
                          const uint64_t *signals) {
  struct memlift_request whole = op->job.whole;
  uint32_t *sum_to = op->sum_to;
  uint64_t ignored;
  memlift_hub_unlock();
  memlift_signals_let(signals);
  look_at_pages(&whole, c, sum_to);
  memlift_signals_hold(&ignored);
  memlift_hub_lock();
}

/* Returns 1 while the slot has the operation `id`, and c is its next chunk. */
static int is_next(struct memlift_op *op, uint64_t id, const struct chunk *c, size_t most,
                   int waits) {
  if (memlift_op_id(op) != id)
    return 0;
  struct chunk next = next_chunk(op, most, waits);
  return next.kind == c->kind && next.start == c->start && next.end == c->end;
}

/* Finds a chunk, accesses its pages, and does it if it is still the next one: another thread may
 * have done it meanwhile, or the operation may be over and its slot used anew. */
int memlift_op_work(struct memlift_op *op, size_t most, int waits, const uint64_t *signals) {
  struct memlift_op *blocker;
  int helps = 0;
  while ((blocker = memlift_op_blocker(op)) != NULL)
    op = blocker, helps = 1;
  uint64_t id = memlift_op_id(op);
  if (memlift_op_stage(op) == MEMLIFT_READY &&
      (!memlift_hub_may_drive() || (waits && memlift_op_waits_for_others(op))))
    memlift_op_withdraw(op);
  struct chunk c = next_chunk(op, most, waits);
  if (c.kind == NOTHING)
    return memlift_op_is_over(op);
  if (helps && (do_chunk(op, &c, 1) || !is_next(op, id, &c, most, waits)))
    return 1;
  look_unlocked(op, &c, signals);
  if (is_next(op, id, &c, most, waits))
    do_chunk(op, &c, 0);
  return 1;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
