/* hub.c - slots and their tokens, the lists, and the life cycle of an operation
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tokens: a token is the number of a slot plus MEMLIFT_TOKENS for each use of it. So a token that
 * is kept for too long is recognised as collected, and is never taken for another one. 61 bits of
 * it do not wrap.
 *
 * Collecting is the path that every program takes for every operation, often when all is done. So
 * it needs no lock: the state of a slot holds token and stage in one word, and a compare-and-swap
 * from DONE to FREE has one winner. The winner pushes the slot on a stack, `returned`, which the
 * next submission takes over as a whole, under the lock.
 *
 * Why as a whole: popping single slots from a lock-free stack has the ABA problem. A slot may be
 * taken, used and pushed again between another thread's read of the top and its compare-and-swap,
 * which then succeeds with a stale next pointer. Taking all, by one exchange, has no such window.
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../kernels/dispatch.h"
#include "hub.h"

struct memlift_hub memlift_hub;

/* ---- Lists --------------------------------------------------------------------------------- */

void memlift_list_append(struct memlift_list *list, struct memlift_op *op) {
  op->next = NULL, op->before = list->last;
  if (list->first)
    list->last->next = op;
  else
    list->first = op;
  list->last = op;
}

void memlift_list_remove(struct memlift_list *list, struct memlift_op *op) {
  if (op->before)
    op->before->next = op->next;
  else
    list->first = op->next;
  if (op->next)
    op->next->before = op->before;
  else
    list->last = op->before;
}

/* ---- Slots and tokens ---------------------------------------------------------------------- */

/* Moves all collected slots to the free ones. Acquire: pairs with give_back, so their links can be
 * read. */
static void take_returned(void) {
  uint64_t none = memlift_hub.generation;
  if (__atomic_load_n(&memlift_hub.returned, __ATOMIC_RELAXED) == none)
    return;
  uint64_t all = __atomic_exchange_n(&memlift_hub.returned, none, __ATOMIC_ACQUIRE);
  struct memlift_op *op = (struct memlift_op *)(uintptr_t)(all - none), *next;
  for (; op; op = next) {
    next = op->next;
    op->next = memlift_hub.free, memlift_hub.free = op;
    memlift_hub.free_slots++;
  }
}

unsigned memlift_hub_free_slots(void) {
  take_returned();
  return memlift_hub.free_slots + MEMLIFT_TOKENS - memlift_hub.used;
}

/* Adds 1 to a counter that changes under the lock only, but is read without. */
static void count_here(uint64_t *counter) {
  __atomic_store_n(counter, __atomic_load_n(counter, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
}

/* Takes a slot that has been in use, and shifts its history of cancelled tokens. */
static struct memlift_op *take_free(void) {
  struct memlift_op *op = memlift_hub.free;
  memlift_hub.free = op->next, memlift_hub.free_slots--;
  op->dropped_before = op->dropped_before << 1 | (op->dropped != 0);
  return op;
}

/* Takes a slot that has never been in use. Release: pairs with memlift_op_find, so a slot in range
 * has its first number. */
static struct memlift_op *take_unused(void) {
  struct memlift_op *op = &memlift_hub.op[memlift_hub.used];
  __atomic_store_n(&op->state, (uint64_t)memlift_hub.used << 3 | MEMLIFT_FREE, __ATOMIC_RELAXED);
  __atomic_store_n(&memlift_hub.used, memlift_hub.used + 1, __ATOMIC_RELEASE);
  return op;
}

struct memlift_op *memlift_op_new(void) {
  struct memlift_op *op = memlift_hub.free ? take_free() : take_unused();
  __atomic_store_n(&op->state, (memlift_op_id(op) + MEMLIFT_TOKENS) << 3 | MEMLIFT_FREE,
                   __ATOMIC_RELAXED);
  op->job.flights = 0, op->job.gave_up = op->cancelling = op->busy = op->dropped = 0;
  op->successors = NULL;
  op->submitter = pthread_self();
  count_here(&memlift_engine_counted.submitted);
  return op;
}

/* Pushes a slot that this call has collected. After a fork since then (another generation) fork.c
 * has already found the slot free, and the push is skipped. Release: our reads of the slot are
 * done. */
static void give_back(struct memlift_op *op, uint64_t generation) {
  uint64_t first = __atomic_load_n(&memlift_hub.returned, __ATOMIC_RELAXED);
  memlift_count(&memlift_engine_counted.collected, 1);
  do {
    if (first % MEMLIFT_GENERATIONS != generation)
      return;
    op->next = (struct memlift_op *)(uintptr_t)(first - generation);
    /* Release: pairs with the acquire in take_returned. */
  } while (!__atomic_compare_exchange_n(&memlift_hub.returned, &first, (uintptr_t)op + generation,
                                        1, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

/* Moves a slot from `stage` to free, once. Acquire: pairs with the release of memlift_op_set_stage,
 * so whoever collects an operation sees its bytes. */
static int free_from(struct memlift_op *op, uint64_t id, enum memlift_stage stage) {
  uint64_t expected = id << 3 | stage;
  return __atomic_compare_exchange_n(&op->state, &expected, id << 3 | MEMLIFT_FREE, 0,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

int memlift_op_collect_done(struct memlift_op *op, uint64_t id) {
  uint64_t generation = memlift_hub.generation;
  if (!free_from(op, id, MEMLIFT_DONE))
    return 0;
  give_back(op, generation);
  return 1;
}

memlift_status memlift_op_collect(struct memlift_op *op, uint64_t id) {
  if (memlift_op_stage(op) != MEMLIFT_DROPPED)
    return memlift_op_collect_done(op, id) ? MEMLIFT_OK : MEMLIFT_COLLECTED;
  op->dropped = 1; /* under the lock, so one call does this */
  memlift_count(&memlift_engine_counted.cancelled, 1);
  memlift_op_set_stage(op, MEMLIFT_FREE);
  give_back(op, memlift_hub.generation);
  return MEMLIFT_CANCELLED;
}

memlift_status memlift_op_find(uint64_t id, struct memlift_op **found) {
  uint64_t index = id % MEMLIFT_TOKENS;
  /* Acquire: a slot in range has its first number; below, a DONE one has its bytes. */
  if (id < MEMLIFT_TOKENS || index >= __atomic_load_n(&memlift_hub.used, __ATOMIC_ACQUIRE))
    return MEMLIFT_INVALID_ARGUMENT;
  struct memlift_op *op = &memlift_hub.op[index];
  uint64_t state = __atomic_load_n(&op->state, __ATOMIC_ACQUIRE);
  *found = op;
  if (state >> 3 == id && (state & 7) != MEMLIFT_FREE)
    return MEMLIFT_OK;
  return id <= state >> 3 ? MEMLIFT_COLLECTED : MEMLIFT_INVALID_ARGUMENT;
}

int memlift_op_was_dropped(uint64_t id) {
  const struct memlift_op *op = &memlift_hub.op[id % MEMLIFT_TOKENS];
  uint64_t later = (memlift_op_id(op) - id) / MEMLIFT_TOKENS;
  return later == 0 ? op->dropped : later <= 64 && (op->dropped_before >> (later - 1) & 1);
}

/* ---- The life cycle of an operation ---------------------------------------------------------- */

/* Returns 1 when the operation may go to the engine and is large enough. */
static int for_engine(const struct memlift_op *op, const struct memlift_engine *engine) {
  if (!engine || op->cpu_only || op->job.whole.size == 0)
    return 0;
  return op->any_size ||
         op->job.whole.size >= __atomic_load_n(&memlift_engine_min, __ATOMIC_RELAXED);
}

void memlift_op_begin(struct memlift_op *op) {
  /* Acquire: pairs with the store that made a started engine active. */
  const struct memlift_engine *engine =
      memlift_hub.pump.engine ? memlift_hub.pump.engine
                              : __atomic_load_n(&memlift_engine_active, __ATOMIC_ACQUIRE);
  op->ends = MEMLIFT_SHARE_NONE;
  memlift_op_rewind(op);
  if (for_engine(op, engine) && memlift_rest_begin(&op->job, engine)) {
    if (op->job.body.begin || op->job.body.end != op->job.whole.size)
      op->ends = MEMLIFT_SHARE_LEFT;
    memlift_op_set_stage(op, MEMLIFT_READY);
    memlift_list_append(&memlift_hub.ready, op);
    return;
  }
  op->job.engine = NULL;
  memlift_rest_all(&op->job);
  /* No notification: a thread that waits for a held operation was woken by its blocker's end. */
  memlift_op_set_stage(op, MEMLIFT_ENGINE_DONE);
  if (memlift_op_nothing_left(op))
    memlift_op_over(op, MEMLIFT_DONE);
}

/* Returns 1 when the process has forked since the first piece and the device has pinned pages. The
 * CPU's next write to a page then goes to a copy, while the device wrote to the old page: its bytes
 * may be lost. */
static int forked(const struct memlift_op *op) {
  return op->job.engine && op->job.engine->pins &&
         op->job.forks != __atomic_load_n(&memlift_forks, __ATOMIC_RELAXED);
}

/* Decides what is left of an operation without pieces in flight. */
void memlift_op_engine_done(struct memlift_op *op) {
  if (forked(op)) { /* the CPU does all again; later forks no longer concern the device */
    op->job.forks = __atomic_load_n(&memlift_forks, __ATOMIC_RELAXED);
    op->ends = MEMLIFT_SHARE_NONE;
    memlift_rest_all(&op->job);
    memlift_op_rewind(op);
  }
  memlift_op_set_stage(op, MEMLIFT_ENGINE_DONE);
  if (memlift_op_nothing_left(op))
    memlift_op_over(op, MEMLIFT_DONE);
  else if (op->cancelling && !op->busy)
    memlift_op_over(op, MEMLIFT_DROPPED);
  else
    memlift_event_notify(memlift_hub_changed());
}

/* From here on only pieces in flight, if any, belong to the engine. */
void memlift_op_withdraw(struct memlift_op *op) {
  memlift_list_remove(&memlift_hub.ready, op);
  if (op->job.front == op->job.body.begin) /* nothing of it has been sent */
    memlift_count_size(&memlift_engine_cpu, op->job.whole.size);
  op->job.gave_up = 1; /* or all of it has been sent */
  memlift_op_set_stage(op, MEMLIFT_IN_FLIGHT);
  if (!op->job.flights)
    memlift_op_engine_done(op);
}

/* The stage is set last: from then on another thread may collect the operation and reuse the slot.
 */
void memlift_op_over(struct memlift_op *op, enum memlift_stage stage) {
  memlift_op_tell_successors(op, stage == MEMLIFT_DROPPED);
  memlift_op_set_stage(op, stage);
  memlift_event_notify(memlift_hub_changed());
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
