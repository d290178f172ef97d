/* create.c - creating, counting and destroying contexts
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_TASKS
#include "../engine/stay.h"
#include "processes.h"
#include "../engine/meter.h"

_Static_assert(sizeof(struct memlift_slot) == 128, "a slot is two lines");
_Static_assert(sizeof(struct memlift_waiter) == 128, "a waiter is two lines");
_Static_assert(sizeof(struct memlift_fiber) <= MEMLIFT_FIBER_BYTES, "room at the end of a stack");

static size_t store_of(const struct memlift_context_options *o) {
  if (o->flags & MEMLIFT_CONTEXT_NO_STORE)
    return 0;
  return o->store ? o->store : MEMLIFT_UNIT_STORE;
}

static int is_valid(const struct memlift_context_options *o) {
  return (o->units <= MEMLIFT_UNITS || o->units == MEMLIFT_UNITS_ALL) &&
         !(o->flags & ~(MEMLIFT_CONTEXT_AGEING | MEMLIFT_CONTEXT_NO_STORE));
}

#if MEMLIFT_HAVE_ENGINES
static int has_kind(const struct memlift_context_options *o) {
  return o->kind == MEMLIFT_UNITS_PROCESSES || (o->kind == MEMLIFT_UNITS_THREADS && !o->lease_ns);
}
#else
/* Without units, the kind means nothing. */
static int has_kind(const struct memlift_context_options *o) {
  return memlift_board && !o->lease_ns &&
         (o->kind == MEMLIFT_UNITS_HARTS || (!o->kind && !o->units));
}
#endif

memlift_status memlift_context_create(memlift_context **context,
                                      const struct memlift_context_options *options, size_t size) {
  struct memlift_context_options o = {0};
  if (!context || (options && !size))
    return MEMLIFT_INVALID_ARGUMENT;
  for (size_t i = 0; options && i < size && i < sizeof o; i++)
    ((char *)&o)[i] = ((const char *)options)[i];
  if (!is_valid(&o))
    return MEMLIFT_INVALID_ARGUMENT;
  if (!has_kind(&o))
    return MEMLIFT_NOT_PRESENT;
  memlift_context *c = memlift_arena_map(o.kind, o.shared ? o.shared : MEMLIFT_SHARED);
  if (!c)
    return MEMLIFT_NO_RESOURCES;
  c->units = o.units, c->flags = o.flags, c->next_deadline = UINT64_MAX;
  c->given = (const char *)o.memory, c->given_end = c->given + o.memory_size;
#if MEMLIFT_HAVE_ENGINES
  memlift_stay();
#endif
  memlift_status status = memlift_context_enter(c);
  if (status == MEMLIFT_OK) {
    status = memlift_units_start(c, o.cpus, store_of(&o), o.lease_ns);
    if (status != MEMLIFT_OK)
      memlift_context_remove(c);
  }
  if (status != MEMLIFT_OK)
    memlift_arena_unmap(c);
  else
    *context = c;
  return status;
}

/* ---- Destroying ---------------------------------------------------- */

/* 1 if no task is scheduled and nobody waits. */
static int is_at_rest(const memlift_context *c) {
  for (unsigned i = 0; i < MEMLIFT_PARKER_WORDS; i++)
    if (__atomic_load_n(&c->seats[i], __ATOMIC_RELAXED))
      return 0;
  for (unsigned i = 0; i < MEMLIFT_TASKS; i++) {
    /* Acquire: pairs with the end of the task. */
    uint64_t word = __atomic_load_n(&c->slot[i].word, __ATOMIC_ACQUIRE);
    if (memlift_word_state(word) != MEMLIFT_TASK_FREE && !memlift_word_is_idle(word))
      return 0;
  }
  return 1;
}

memlift_status memlift_context_destroy(memlift_context *c) {
  memlift_status status = memlift_context_known(c);
  const struct memlift_parker *self = memlift_parker_self();
  int forked = status == MEMLIFT_NOT_PRESENT;
  if (status != MEMLIFT_OK && !forked)
    return status;
  if (!forked && self && self->task)
    return MEMLIFT_WRONG_SIDE;
  if (!forked && !is_at_rest(c))
    return MEMLIFT_WRONG_STATE;
  if (!forked)
    memlift_units_end(c);
  if (!forked)
    memlift_meter_keep(c);
  memlift_context_remove(c);
  /* Not the stack that a task has forked on: it is in use, and the child is about to exit. */
  for (unsigned i = 0; i < MEMLIFT_TASKS; i++)
    if (!forked || !self || self->task != &c->slot[i])
      memlift_slot_free_stack(c, &c->slot[i]);
  if (!forked || !self || self->context != c)
    memlift_arena_unmap(c);
  return MEMLIFT_OK;
}

/* ---- Counters ---------------------------------------------------- */

static uint64_t get(const uint64_t *counter) { return __atomic_load_n(counter, __ATOMIC_RELAXED); }

void memlift_context_sum(const memlift_context *c, struct memlift_task_counters *out) {
  struct memlift_task_counters sum = {0};
  for (unsigned i = 0; i < MEMLIFT_TASKS; i++)
    sum.scheduled += get(&c->slot[i].runs);
  for (unsigned i = 0; i < MEMLIFT_PARKERS; i++) {
    const struct memlift_parker *p = &c->parker[i];
    sum.pulls += get(&p->pulls);
    sum.by_hosts += i < MEMLIFT_UNITS ? 0 : get(&p->pulls);
    sum.ended += get(&p->ended);
    sum.blocked += get(&p->blocked);
    sum.yielded += get(&p->yielded);
    sum.sleeps += get(&p->sleeps);
    sum.wakes += get(&p->wakes);
    sum.empty += get(&p->empty);
  }
  sum.unscheduled = get(&c->unscheduled), sum.time_outs = get(&c->time_outs);
  sum.lost_locks = get(&c->lost_locks), sum.host_calls = get(&c->host_calls);
  sum.lost_tasks = get(&c->lost_tasks), sum.restarted = get(&c->restarted);
  sum.lost_units = get(&c->lost_units);
  *out = sum;
}

memlift_status memlift_context_count(const memlift_context *c, struct memlift_task_counters *out,
                                     size_t size) {
  struct memlift_task_counters sum;
  memlift_status status = memlift_context_known(c);
  if (status != MEMLIFT_OK || !out || !size)
    return status != MEMLIFT_OK ? status : MEMLIFT_INVALID_ARGUMENT;
  memlift_context_sum(c, &sum);
  for (size_t i = 0; i < size; i++)
    ((char *)out)[i] = i < sizeof sum ? ((const char *)&sum)[i] : 0;
  return MEMLIFT_OK;
}
#else
typedef int memlift_no_tasks; /* a translation unit must not be empty */
#endif
