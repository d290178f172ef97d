/* hub.c - slots and their tokens, the lists, what comes after what, and fork
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A token is the number of a slot and how often that has been in use; so one that is kept for too long
 * is known for what it is, and never taken for another.
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../kernels/dispatch.h"
#include "hub.h"

#include <unistd.h>

struct memlift_hub memlift_hub;
int64_t memlift_hub_process;

static void become_mine(void) {
  __atomic_store_n(&memlift_hub_process, getpid(), __ATOMIC_RELAXED);
}

/* ---- Lock ---------------------------------------------------------------------------------- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uintptr_t owner; /* thread that holds it; only ever compared with the one that asks */

void memlift_hub_lock(void) {
  pthread_mutex_lock(&mutex);
  __atomic_store_n(&owner, (uintptr_t)pthread_self(), __ATOMIC_RELAXED);
}

int memlift_hub_trylock(void) {
  if (pthread_mutex_trylock(&mutex) != 0)
    return 0;
  __atomic_store_n(&owner, (uintptr_t)pthread_self(), __ATOMIC_RELAXED);
  return 1;
}

void memlift_hub_unlock(void) {
  __atomic_store_n(&owner, 0, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&mutex);
}

int memlift_hub_visit(struct memlift_visit *visit) {
  visit->thread = pthread_self();
  for (const struct memlift_visit *v = memlift_hub.visits; v; v = v->next)
    if (pthread_equal(v->thread, visit->thread))
      return 0;
  visit->next = memlift_hub.visits;
  memlift_hub.visits = visit;
  return 1;
}

void memlift_hub_enter(struct memlift_visit *visit) {
  memlift_hub_lock();
  visit->thread = pthread_self();
  visit->next = memlift_hub.visits;
  memlift_hub.visits = visit;
}

void memlift_hub_leave(struct memlift_visit *visit) {
  struct memlift_visit **link = &memlift_hub.visits;
  while (*link != visit)
    link = &(*link)->next;
  *link = visit->next;
  memlift_hub_unlock();
}

/* ---- Lists --------------------------------------------------------------------------------- */

void memlift_list_append(struct memlift_list *list, struct memlift_op *op) {
  op->next = NULL;
  if (list->first)
    list->last->next = op;
  else
    list->first = op;
  list->last = op;
}

void memlift_list_remove(struct memlift_list *list, struct memlift_op *op) {
  struct memlift_op *before = NULL;
  if (list->first == op) {
    list->first = op->next;
  } else {
    for (before = list->first; before->next != op;)
      before = before->next;
    before->next = op->next;
  }
  if (list->last == op)
    list->last = before;
}

/* ---- Slots and tokens ---------------------------------------------------------------------- */

/* A counter that is changed under the lock only. */
static void count_here(uint64_t *counter) {
  __atomic_store_n(counter, __atomic_load_n(counter, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
}

struct memlift_op *memlift_op_new(void) {
  struct memlift_op *op = memlift_hub.free.first;
  if (op)
    memlift_list_remove(&memlift_hub.free, op);
  else if (memlift_hub.used == MEMLIFT_TOKENS)
    return NULL;
  else
    op = &memlift_hub.op[memlift_hub.used], op->id = memlift_hub.used++;
  op->id += MEMLIFT_TOKENS;
  op->helpers = op->flights = 0;
  op->gave_up = op->cancelling = 0;
  memlift_hub.live++;
  count_here(&memlift_engine_counted.submitted);
  return op;
}

void memlift_op_free(struct memlift_op *op) {
  count_here(&memlift_engine_counted.collected);
  if (op->result == MEMLIFT_CANCELLED)
    count_here(&memlift_engine_counted.cancelled);
  op->stage = MEMLIFT_FREE;
  memlift_hub.live--;
  memlift_list_append(&memlift_hub.free, op);
}

memlift_status memlift_op_find(uint64_t id, struct memlift_op **found) {
  uint64_t index = id % MEMLIFT_TOKENS;
  if (id < MEMLIFT_TOKENS || index >= memlift_hub.used)
    return MEMLIFT_INVALID_ARGUMENT;
  struct memlift_op *op = &memlift_hub.op[index];
  *found = op;
  if (op->id == id && op->stage != MEMLIFT_FREE)
    return MEMLIFT_OK;
  return id <= op->id ? MEMLIFT_COLLECTED : MEMLIFT_INVALID_ARGUMENT;
}

/* ---- What comes after what ----------------------------------------------------------------- */

/* Number i of what op comes after, as long as its token is not collected. */
static struct memlift_op *after(const struct memlift_op *op, unsigned i) {
  struct memlift_op *other;
  return op->after[i] && memlift_op_find(op->after[i], &other) == MEMLIFT_OK ? other : NULL;
}

struct memlift_op *memlift_op_blocker(const struct memlift_op *op) {
  for (unsigned i = 0; i <= MEMLIFT_AFTERS; i++) {
    struct memlift_op *other = after(op, i);
    if (other && other->stage != MEMLIFT_DONE)
      return other;
  }
  return NULL;
}

static int after_cancelled(const struct memlift_op *op) {
  for (unsigned i = 0; i <= MEMLIFT_AFTERS; i++) {
    struct memlift_op *other = after(op, i);
    if (other && other->stage == MEMLIFT_DONE && other->result == MEMLIFT_CANCELLED)
      return 1;
  }
  return 0;
}

/* Not by memlift_op_done itself: a chain of a thousand would be as deep on the stack. */
void memlift_hub_settle(void) {
  while (memlift_hub.unsettled) {
    struct memlift_op *op = memlift_hub.held.first, *next;
    memlift_hub.unsettled = 0;
    for (; op; op = next) {
      int cancelled = after_cancelled(op);
      next = op->next;
      if (!cancelled && memlift_op_blocker(op))
        continue;
      memlift_list_remove(&memlift_hub.held, op);
      if (cancelled)
        memlift_op_done(op, MEMLIFT_CANCELLED);
      else
        memlift_op_begin(op);
    }
  }
}

/* ---- The way of an operation --------------------------------------------------------------- */

static int for_engine(const struct memlift_op *op, const struct memlift_engine *engine) {
  if (!engine || op->cpu_only || op->whole.size == 0)
    return 0;
  return op->any_size ||
         op->whole.size >= __atomic_load_n(&memlift_engine_min, __ATOMIC_RELAXED);
}

void memlift_op_begin(struct memlift_op *op) {
  /* Acquire: pairs with the store that made a started engine active. */
  const struct memlift_engine *engine =
      memlift_hub.engine ? memlift_hub.engine
                         : __atomic_load_n(&memlift_engine_active, __ATOMIC_ACQUIRE);
  op->engine = NULL, op->ends = MEMLIFT_PART_NONE;
  op->extensions = MEMLIFT_EXTENSIONS;
  if (for_engine(op, engine) && memlift_rest_begin(&op->rest, engine, &op->whole)) {
    op->engine = engine;
    if (op->rest.body.begin || op->rest.body.end != op->whole.size)
      op->ends = MEMLIFT_PART_LEFT;
    op->stage = MEMLIFT_READY;
    memlift_list_append(&memlift_hub.ready, op);
    return;
  }
  memlift_rest_all(&op->rest, &op->whole);
  memlift_op_landed(op);
}

int memlift_op_forked(const struct memlift_op *op) {
  return op->engine && op->engine->pins &&
         op->forks != __atomic_load_n(&memlift_forks, __ATOMIC_RELAXED);
}

static int nothing_left(const struct memlift_op *op) {
  return op->ends != MEMLIFT_PART_LEFT && op->sum != MEMLIFT_PART_LEFT && !op->helpers &&
         !op->rest.holes && op->rest.front == op->rest.back && !memlift_op_forked(op);
}

void memlift_op_landed(struct memlift_op *op) {
  op->stage = MEMLIFT_LANDED;
  if (nothing_left(op))
    memlift_op_done(op, MEMLIFT_OK);
  else
    memlift_event_notify(&memlift_hub.changed);
}

void memlift_op_done(struct memlift_op *op, memlift_status result) {
  op->stage = MEMLIFT_DONE;
  op->result = result;
  memlift_hub.unsettled = 1;
  memlift_event_notify(&memlift_hub.changed);
}

/* ---- Fork ---------------------------------------------------------------------------------- */

/* A handler that interrupted one of us holds the lock itself. */
static void before_fork(void) {
  if (__atomic_load_n(&owner, __ATOMIC_RELAXED) != (uintptr_t)pthread_self())
    memlift_hub_lock();
  else
    memlift_hub.torn = 1;
}

static void in_parent(void) {
  if (!memlift_hub.torn)
    memlift_hub_unlock();
  memlift_hub.torn = 0;
}

/* All of it, from the beginning: the sources are as they were, and nobody else writes here. */
static void adopt(struct memlift_op *op) {
  op->engine = NULL;
  memlift_rest_all(&op->rest, &op->whole);
  op->ends = MEMLIFT_PART_NONE;
  op->sum = op->sum_to ? MEMLIFT_PART_LEFT : MEMLIFT_PART_NONE;
  op->flights = op->helpers = 0;
  op->stage = MEMLIFT_LANDED;
}

/* Of the others only the stacks are left. */
static void forget_visits(void) {
  struct memlift_visit **link = &memlift_hub.visits;
  while (*link)
    if (pthread_equal((*link)->thread, pthread_self()))
      link = &(*link)->next;
    else
      *link = (*link)->next;
}

static void in_child(void) {
  struct memlift_hub *hub = &memlift_hub;
  forget_visits();
  pthread_mutex_init(&mutex, NULL);
  __atomic_store_n(&owner, 0, __ATOMIC_RELAXED);
  become_mine();
  hub->held.first = hub->ready.first = hub->free.first = NULL;
  hub->engine = NULL, hub->sleepers = 0, hub->flights = 0;
  hub->aborting = hub->torn = 0, hub->forked = 1;
  hub->changed.armed = 0;
  for (unsigned i = 0; i < hub->used; i++) {
    struct memlift_op *op = &hub->op[i];
    if (op->stage == MEMLIFT_FREE)
      memlift_list_append(&hub->free, op);
    else if (op->stage == MEMLIFT_HELD)
      memlift_list_append(&hub->held, op);
    else if (op->stage != MEMLIFT_DONE &&
             (op->stage != MEMLIFT_ON_CPU || !pthread_equal(op->worker, pthread_self())))
      adopt(op);
  }
}

int memlift_hub_watch(void) {
  if (!memlift_hub.watching && pthread_atfork(before_fork, in_parent, in_child) == 0) {
    memlift_hub.watching = 1;
    become_mine();
  }
  return memlift_hub.watching;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
