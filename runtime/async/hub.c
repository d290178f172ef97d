/* hub.c - slots and their tokens, the lists, and the life cycle of an operation
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A token is the number of a slot and how often that has been in use; so one that is kept for too
 * long is known for what it is, and never taken for another.
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

/* Takes over all slots that were given back, as one list: a pop of single slots could mistake a
 * slot that came back meanwhile for the one it had read (ABA). Acquire: their links are there to be
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

/* A counter that is changed under the lock only. */
static void count_here(uint64_t *counter) {
  __atomic_store_n(counter, __atomic_load_n(counter, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
}

static struct memlift_op *take_free(void) {
  struct memlift_op *op = memlift_hub.free;
  memlift_hub.free = op->next, memlift_hub.free_slots--;
  op->dropped_before = op->dropped_before << 1 | (op->dropped != 0);
  return op;
}

/* One that has never been in use. Release: whoever finds it in range finds it with its first
 * number. */
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
  op->flights = 0, op->gave_up = op->cancelling = op->busy = op->dropped = 0;
  op->successors = NULL;
  op->submitter = pthread_self();
  count_here(&memlift_engine_counted.submitted);
  return op;
}

/* Nobody else has collected it, at a time when the generation was this one: in a child after a fork
 * since, fork.c has found the slot free. Release: our reads of it are done. */
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
  op->dropped = 1; /* with the lock, so nobody else does this */
  memlift_count(&memlift_engine_counted.cancelled, 1);
  memlift_op_set_stage(op, MEMLIFT_FREE);
  give_back(op, memlift_hub.generation);
  return MEMLIFT_CANCELLED;
}

memlift_status memlift_op_find(uint64_t id, struct memlift_op **found) {
  uint64_t index = id % MEMLIFT_TOKENS;
  /* Acquire: a slot in range has its first number. And below: a token that is DONE has its bytes.
   * */
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

static int for_engine(const struct memlift_op *op, const struct memlift_engine *engine) {
  if (!engine || op->cpu_only || op->whole.size == 0)
    return 0;
  return op->any_size || op->whole.size >= __atomic_load_n(&memlift_engine_min, __ATOMIC_RELAXED);
}

void memlift_op_begin(struct memlift_op *op) {
  /* Acquire: pairs with the store that made a started engine active. */
  const struct memlift_engine *engine =
      memlift_hub.engine ? memlift_hub.engine
                         : __atomic_load_n(&memlift_engine_active, __ATOMIC_ACQUIRE);
  op->engine = NULL, op->ends = MEMLIFT_PART_NONE;
  op->extensions = MEMLIFT_EXTENSIONS;
  memlift_op_rewind(op);
  if (for_engine(op, engine) && memlift_rest_begin(&op->rest, engine, &op->whole)) {
    op->engine = engine;
    if (op->rest.body.begin || op->rest.body.end != op->whole.size)
      op->ends = MEMLIFT_PART_LEFT;
    memlift_op_set_stage(op, MEMLIFT_READY);
    memlift_list_append(&memlift_hub.ready, op);
    return;
  }
  memlift_rest_all(&op->rest, &op->whole);
  /* Nobody is to be woken: who waits for one that was held has been by the end of its blocker. */
  memlift_op_set_stage(op, MEMLIFT_ENGINE_DONE);
  if (memlift_op_nothing_left(op))
    memlift_op_over(op, MEMLIFT_DONE);
}

/* The process has forked meanwhile, and what the CPU writes first of a page goes to a copy of it:
 * what a device has done that knows the page by its number may be lost. */
static int forked(const struct memlift_op *op) {
  return op->engine && op->engine->pins &&
         op->forks != __atomic_load_n(&memlift_forks, __ATOMIC_RELAXED);
}

void memlift_op_engine_done(struct memlift_op *op) {
  if (forked(op)) { /* all of it is the CPU's; a fork that comes later is none of the device's */
    op->forks = __atomic_load_n(&memlift_forks, __ATOMIC_RELAXED);
    op->ends = MEMLIFT_PART_NONE;
    memlift_rest_all(&op->rest, &op->whole);
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

void memlift_op_over(struct memlift_op *op, enum memlift_stage stage) {
  memlift_op_tell_successors(op, stage == MEMLIFT_DROPPED);
  memlift_op_set_stage(op, stage); /* the last thing: it may be collected, and its slot used anew */
  memlift_event_notify(memlift_hub_changed());
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
