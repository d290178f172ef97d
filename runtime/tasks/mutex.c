/* mutex.c - mutexes that are handed over in order, and survive the end of their owner
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The word is the owner, with a flag while somebody waits: then only who has the lock of the line
 * changes it. The owner is the number of a task, whose top bit is set, or a host thread's own. A
 * task keeps a list of what it has locked, and gives that up at its end: the next owner is told.
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_TASKS
#include "line.h"

#define WAITED ((uint64_t)1 << 62) /* no bit of an owner */
#define NO_OWNER 1                 /* no number of a task or a thread */

static struct memlift_slot *task_now(void) {
  struct memlift_parker *self = memlift_parker_self();
  return self ? self->task : NULL;
}

/* Notes which mutex a task is about to lock or has not quite unlocked: if its unit stops there, the
 * list of what it has locked may not have it. */
static void note(const struct memlift_mutex *m, struct memlift_slot *slot, int begins) {
  if (!slot || !memlift_may_lose(m->context))
    return;
  memlift_in_this_order();
  __atomic_store_n(&memlift_more_of(m->context, slot)->locking,
                   begins ? (struct memlift_mutex *)m : NULL, __ATOMIC_RELAXED);
  memlift_in_this_order();
}

static uint64_t owner_now(void) {
  memlift_task self = memlift_task_self();
  return self.id ? self.id : memlift_thread_self();
}

memlift_status memlift_mutex_init(memlift_context *c, struct memlift_mutex *m) {
  memlift_status status = memlift_context_known(c);
  if (status != MEMLIFT_OK || !memlift_arena_has(c, m, sizeof *m))
    return status != MEMLIFT_OK ? status : MEMLIFT_INVALID_ARGUMENT;
  m->context = c, m->word = 0, m->held = NULL, m->lost = 0;
  memlift_line_init(&m->line);
  return MEMLIFT_OK;
}

/* Actions of the new owner before all else. */
static memlift_status begin_to_own(struct memlift_mutex *m) {
  struct memlift_slot *slot = task_now();
  uint32_t lost = m->lost;
  m->lost = 0;
  if (slot) {
    m->held = slot->held;
    memlift_in_this_order(); /* a list at every point */
    slot->held = m;
  }
  return lost ? MEMLIFT_LOST : MEMLIFT_OK;
}

static int take(struct memlift_mutex *m, uint64_t me) {
  uint64_t nobody = 0;
  /* Acquire: pairs with the release of its owner before. */
  return __atomic_compare_exchange_n(&m->word, &nobody, me, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* Takes it or marks it as waited for: 1 if taken. With the lock. */
static int take_or_wait(struct memlift_mutex *m, uint64_t me) {
  uint64_t word = __atomic_load_n(&m->word, __ATOMIC_RELAXED);
  /* Acquire: pairs with the release of its owner before. */
  while (!__atomic_compare_exchange_n(&m->word, &word, word ? word | WAITED : me, 0,
                                      __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    ;
  return word == 0;
}

static int take_own(struct memlift_line_wish *wish) {
  return take_or_wait((struct memlift_mutex *)wish->object, wish->owner);
}

static memlift_status lock(struct memlift_mutex *m, uint64_t me, uint64_t ns) {
  if (take(m, me))
    return begin_to_own(m);
  if ((__atomic_load_n(&m->word, __ATOMIC_RELAXED) & ~WAITED) == me)
    return MEMLIFT_WRONG_STATE;
  if (ns == 0)
    return MEMLIFT_BUSY;
  /* Should the time be over, the flag stays: the owner finds nobody. */
  struct memlift_line_wish wish = {.take = take_own, .object = m, .owner = me};
  memlift_status status = memlift_line_wait(m->context, &m->line, MEMLIFT_LINE_MUTEX, ns, &wish);
  return status == MEMLIFT_OK ? begin_to_own(m) : status;
}

/* The same where the unit of the caller may be lost. */
static MEMLIFT_SELDOM memlift_status lock_noted(struct memlift_mutex *m, uint64_t ns) {
  struct memlift_slot *slot = task_now();
  note(m, slot, 1);
  memlift_status status = lock(m, owner_now(), ns);
  note(m, slot, 0);
  return status;
}

memlift_status memlift_mutex_lock(struct memlift_mutex *m, uint64_t ns) {
  if (!m)
    return MEMLIFT_INVALID_ARGUMENT;
  return memlift_may_lose(m->context) ? lock_noted(m, ns) : lock(m, owner_now(), ns);
}

/* Gives it to the first that waits, or to nobody. With the lock. */
static void hand_over(struct memlift_mutex *m) {
  memlift_context *c = m->context;
  while (m->line.first != MEMLIFT_NOBODY) {
    unsigned waiter = m->line.first;
    uint64_t next = c->waiter[waiter].owner;
    memlift_line_remove(c, &m->line, waiter);
    /* Before it is woken, as it may unlock at once. Release: pairs with its acquire. */
    __atomic_store_n(&m->word, next | (m->line.first != MEMLIFT_NOBODY ? WAITED : 0),
                     __ATOMIC_RELEASE);
    if (memlift_wake(c, waiter, MEMLIFT_WAITS_OBJECT))
      return;
  }
  /* Release: pairs with the acquire in take. */
  __atomic_store_n(&m->word, 0, __ATOMIC_RELEASE);
}

static void give_up(struct memlift_mutex *m, uint64_t owner) {
  uint64_t word = owner;
  /* Release: pairs with the acquire in take. */
  if (__atomic_compare_exchange_n(&m->word, &word, 0, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    return;
  memlift_line_lock(m->context, &m->line, MEMLIFT_LINE_MUTEX);
  hand_over(m);
  memlift_line_unlock(m->context, &m->line);
}

memlift_status memlift_mutex_unlock(struct memlift_mutex *m) {
  if (!m)
    return MEMLIFT_INVALID_ARGUMENT;
  uint64_t me = owner_now();
  struct memlift_slot *slot = task_now();
  if ((__atomic_load_n(&m->word, __ATOMIC_RELAXED) & ~WAITED) != me)
    return MEMLIFT_WRONG_STATE;
  note(m, slot, 1);
  if (slot) {
    struct memlift_mutex **at = &slot->held;
    while (*at != m)
      at = &(*at)->held;
    __atomic_store_n(at, m->held, __ATOMIC_RELAXED);
  }
  give_up(m, me);
  note(m, slot, 0);
  return MEMLIFT_OK;
}

static void abandon(memlift_context *c, struct memlift_mutex *m, uint64_t owner) {
  m->lost = 1;
  __atomic_fetch_add(&c->lost_locks, 1, __ATOMIC_RELAXED);
  give_up(m, owner);
}

void memlift_mutex_abandon(memlift_context *c, struct memlift_slot *slot) {
  uint64_t owner = memlift_task_of(c, slot).id;
  for (struct memlift_mutex *m; (m = slot->held) != NULL;) {
    slot->held = m->held;
    abandon(c, m, owner);
  }
}

/* ---- Burial ---------------------------------------------------- */

#if MEMLIFT_MAY_LOSE
/* The memory may hold anything, as the unit may have been killed for what it has done to it: what
 * is no mutex of the task is left alone. */
static int is_owned(const memlift_context *c, const struct memlift_mutex *m, uint64_t owner) {
  /* Acquire: pairs with the release of who has given the mutex to the task. */
  return memlift_arena_has(c, m, sizeof *m) && (uintptr_t)m % 8 == 0 && m->context == c &&
         (__atomic_load_n(&m->word, __ATOMIC_ACQUIRE) & ~WAITED) == owner;
}

void memlift_mutex_bury(memlift_context *c, struct memlift_slot *slot) {
  uint64_t owner = memlift_task_of(c, slot).id;
  struct memlift_slot_more *more = memlift_more_of(c, slot);
  struct memlift_mutex *m = slot->held;
  slot->held = NULL;
  while (is_owned(c, m, owner)) {
    struct memlift_mutex *next = m->held;
    abandon(c, m, owner); /* and it is owned no more, so that a list in a ring ends, too */
    m = next;
  }
  if (is_owned(c, more->locking, owner))
    abandon(c, more->locking, owner);
  more->locking = NULL;
}

/* Somebody may have been given it and not been woken. */
void memlift_mutex_repair(struct memlift_mutex *m) {
  memlift_context *c = m->context;
  /* Acquire: pairs with the release of who has given it. */
  uint64_t word = __atomic_load_n(&m->word, __ATOMIC_ACQUIRE), owner = word & ~WAITED;
  unsigned next;
  for (unsigned waiter = m->line.first; waiter != MEMLIFT_NOBODY; waiter = next) {
    next = c->waiter[waiter].next;
    if (owner && c->waiter[waiter].owner == owner) {
      memlift_line_remove(c, &m->line, waiter);
      memlift_wake(c, waiter, MEMLIFT_WAITS_OBJECT);
    }
  }
  if (m->line.first != MEMLIFT_NOBODY && take_or_wait(m, NO_OWNER))
    hand_over(m);
}
#endif
#else
typedef int memlift_no_tasks; /* a translation unit must not be empty */
#endif
