/* unit_hart.c - units that are harts of bare metal, and what else tasks need without a system
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Nobody starts a hart: it comes to memlift_hart_serve by itself, before or after the context is
 * created. So the context is announced in `served`, a hart says in `present` that it works for it
 * and then looks at `served` once more, and whoever destroys the context takes it from `served` and
 * then waits for those that are present.
 *
 * An event is waited for by one hart here, as it is the bell of a unit or of a seat. `armed` is the
 * number of that hart and 1, while it sleeps or is about to.
 */
#include "../config.h"

#if MEMLIFT_BARE
#include "context.h"
#include "system.h"

/* Pulls between two looks at the clock, while somebody waits with a limit. */
#define SWEEP 16u

/* Longest sleep of a hart that waits for a context. */
#define MOST_NS 1000000000u

const struct memlift_board *memlift_board;

static memlift_context *served;         /* NULL: none */
static uint64_t hart_of[MEMLIFT_UNITS]; /* number and 1; 0: the unit has no hart yet */
static uint32_t present[MEMLIFT_UNITS]; /* 1: works for `served`, or is about to */

memlift_status memlift_board_use(const struct memlift_board *board) {
  if (!board || !board->memory || !board->now || !board->wait || !board->ring ||
      board->units > MEMLIFT_UNITS)
    return MEMLIFT_INVALID_ARGUMENT;
  served = NULL;
  for (unsigned i = 0; i < MEMLIFT_UNITS; i++)
    hart_of[i] = 0, present[i] = 0;
  memlift_board = board;
  memlift_hart_memory_begin();
  return MEMLIFT_OK;
}

/* ---- Time and events ------------------------------------------------------------------------- */

uint64_t memlift_now(void) { return memlift_board->now(); }

/* Acquire: pairs with the release in memlift_event_notify. */
uint32_t memlift_event_read(const struct memlift_event *event) {
  return __atomic_load_n(&event->count, __ATOMIC_ACQUIRE);
}

void memlift_event_notify(struct memlift_event *event) {
  /* Release: a waiter that reads the new count sees all that was done before. */
  __atomic_fetch_add(&event->count, 1, __ATOMIC_RELEASE);
  memlift_barrier_arm(); /* the new count is visible before `armed` is read */
  uint32_t armed = __atomic_load_n(&event->armed, __ATOMIC_RELAXED);
  if (!armed)
    return;
  memlift_barrier_to_device(); /* and before the interrupt that tells of it */
  memlift_board->ring(armed - 1);
}

void memlift_event_wait(struct memlift_event *event, uint32_t seen, uint64_t nanoseconds) {
  __atomic_store_n(&event->armed, (uint32_t)memlift_hart_self()->number + 1, __ATOMIC_RELAXED);
  memlift_barrier_arm(); /* `armed` is visible before the count is read for the last time */
  if (memlift_event_read(event) == seen)
    memlift_board->wait(nanoseconds);
  __atomic_store_n(&event->armed, 0, __ATOMIC_RELAXED);
  memlift_barrier_maintain(); /* the ring is taken back before the count is read again */
}

/* ---- Units ----------------------------------------------------------------------------------- */

/* The last look before a unit sleeps. Acquire: pairs with memlift_units_end. */
static int is_to_stop(memlift_context *c, struct memlift_parker *me) {
  (void)me;
  return __atomic_load_n(&c->stop, __ATOMIC_ACQUIRE) != 0;
}

/* Waits for a context that has this unit. */
static memlift_context *wait_for_context(unsigned unit) {
  for (;;) {
    memlift_context *c = __atomic_load_n(&served, __ATOMIC_SEQ_CST);
    if (!c || unit >= c->units) {
      memlift_board->wait(MOST_NS);
      memlift_barrier_maintain(); /* as in memlift_event_wait */
      continue;
    }
    __atomic_store_n(&present[unit], 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&served, __ATOMIC_SEQ_CST) == c)
      return c;
    /* Release: pairs with the acquire in memlift_units_end. */
    __atomic_store_n(&present[unit], 0, __ATOMIC_RELEASE);
  }
}

/* Looks at the clock, if somebody waits with a limit and it is time for that. */
static void sweep(memlift_context *c, struct memlift_parker *me, int idle) {
  if (__atomic_load_n(&c->next_deadline, __ATOMIC_RELAXED) != UINT64_MAX &&
      (idle || ++me->since_sweep % SWEEP == 0))
    memlift_expire(c, memlift_now());
}

memlift_status memlift_hart_serve(unsigned unit) {
  if (!memlift_board || unit >= memlift_board->units)
    return MEMLIFT_INVALID_ARGUMENT;
  __atomic_store_n(&hart_of[unit], memlift_hart_self()->number + 1, __ATOMIC_SEQ_CST);
  memlift_context *c = wait_for_context(unit);
  struct memlift_parker *me = &c->parker[unit];
  memlift_parker_set_self(me);
  me->store = memlift_store_users();
  me->own = me->store ? *me->store : NULL;
  me->guest.number = MEMLIFT_GUEST;
  while (!is_to_stop(c, me)) {
    struct memlift_slot *slot = memlift_pull(c, me, 0);
    sweep(c, me, !slot);
    if (!slot)
      slot = memlift_park(c, me, UINT64_MAX, is_to_stop);
    if (slot)
      memlift_run(me, slot);
  }
  memlift_tell_of_last_end(c, me);
  memlift_parker_set_self(NULL);
  /* Release: whoever destroys the context finds it left. */
  __atomic_store_n(&present[unit], 0, __ATOMIC_RELEASE);
  return MEMLIFT_OK;
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* Harts have bound the stores that they have. */
memlift_status memlift_units_start(memlift_context *c, const char *cpus, size_t store,
                                   uint64_t lease) {
  (void)store, (void)lease;
  memlift_context *none = NULL;
  if (cpus)
    return MEMLIFT_INVALID_ARGUMENT;
  if (c->units == 0)
    return MEMLIFT_OK;
  if (c->units == MEMLIFT_UNITS_ALL)
    c->units = memlift_board->units;
  if (c->units > memlift_board->units)
    return MEMLIFT_NO_RESOURCES;
  for (unsigned i = 0; i < c->units; i++)
    c->parker[i].context = c, c->parker[i].number = i, c->parker[i].cpu = UINT32_MAX;
  if (!__atomic_compare_exchange_n(&served, &none, c, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
    return MEMLIFT_BUSY; /* another context has the harts */
  for (unsigned i = 0; i < c->units; i++) {
    uint64_t hart = __atomic_load_n(&hart_of[i], __ATOMIC_SEQ_CST);
    memlift_barrier_maintain();
    if (hart)
      memlift_board->ring(hart - 1);
  }
  return MEMLIFT_OK;
}

void memlift_units_end(memlift_context *c) {
  if (c->units == 0)
    return;
  __atomic_store_n(&served, NULL, __ATOMIC_SEQ_CST);
  /* Release: pairs with the acquire in is_to_stop. */
  __atomic_store_n(&c->stop, 1, __ATOMIC_RELEASE);
  for (unsigned i = 0; i < c->units; i++)
    /* Acquire: pairs with the release in memlift_hart_serve. */
    while (__atomic_load_n(&present[i], __ATOMIC_ACQUIRE)) {
      memlift_event_notify(&c->parker[i].bell); /* again and again: a ring may get lost */
      memlift_give_way();
    }
}

/* A hart is part of its board, and is not lost alone. */
memlift_status memlift_context_check(memlift_context *c, unsigned *lost) {
  memlift_status status = memlift_context_known(c);
  if (status == MEMLIFT_OK && lost)
    *lost = 0;
  return status;
}
#else
typedef int memlift_is_not_bare; /* a translation unit must not be empty */
#endif
