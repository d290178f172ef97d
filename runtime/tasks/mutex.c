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

static struct memlift_slot *task_now(void) {
  struct memlift_parker *self = memlift_parker_self();
  return self ? self->task : NULL;
}

static uint64_t owner_now(void) {
  memlift_task self = memlift_task_self();
  return self.id ? self.id : memlift_thread_self();
}

memlift_status memlift_mutex_init(memlift_context *c, struct memlift_mutex *m) {
  memlift_status status = memlift_context_known(c);
  if (status != MEMLIFT_OK || !m)
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
  if (slot)
    m->held = slot->held, slot->held = m;
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

memlift_status memlift_mutex_lock(struct memlift_mutex *m, uint64_t ns) {
  struct memlift_wait w;
  if (!m)
    return MEMLIFT_INVALID_ARGUMENT;
  uint64_t me = owner_now();
  if (take(m, me))
    return begin_to_own(m);
  if ((__atomic_load_n(&m->word, __ATOMIC_RELAXED) & ~WAITED) == me)
    return MEMLIFT_WRONG_STATE;
  if (ns == 0)
    return MEMLIFT_BUSY;
  memlift_status status = memlift_wait_prepare(&w, m->context, ns);
  if (status != MEMLIFT_OK)
    return status;
  memlift_line_lock(&m->line);
  int taken = take_or_wait(m, me);
  if (!taken) {
    w.context->waiter[w.waiter].owner = me;
    memlift_line_join(&w, &m->line, MEMLIFT_WAITS_OBJECT);
  }
  memlift_line_unlock(&m->line);
  if (!taken) {
    status = memlift_wait_sleep(&w);
    if (status != MEMLIFT_OK)
      memlift_line_quit(&w, &m->line); /* the flag stays: the owner finds nobody */
  }
  memlift_wait_done(&w);
  return status == MEMLIFT_OK ? begin_to_own(m) : status;
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
  memlift_line_lock(&m->line);
  hand_over(m);
  memlift_line_unlock(&m->line);
}

memlift_status memlift_mutex_unlock(struct memlift_mutex *m) {
  if (!m)
    return MEMLIFT_INVALID_ARGUMENT;
  uint64_t me = owner_now();
  struct memlift_slot *slot = task_now();
  if ((__atomic_load_n(&m->word, __ATOMIC_RELAXED) & ~WAITED) != me)
    return MEMLIFT_WRONG_STATE;
  if (slot) {
    struct memlift_mutex **at = &slot->held;
    while (*at != m)
      at = &(*at)->held;
    *at = m->held;
  }
  give_up(m, me);
  return MEMLIFT_OK;
}

void memlift_mutex_abandon(memlift_context *c, struct memlift_slot *slot) {
  uint64_t owner = memlift_task_of(c, slot).id;
  for (struct memlift_mutex *m; (m = slot->held) != NULL;) {
    slot->held = m->held;
    m->lost = 1;
    __atomic_fetch_add(&c->lost_locks, 1, __ATOMIC_RELAXED);
    give_up(m, owner);
  }
}
#else
typedef int memlift_no_tasks; /* a translation unit must not be empty */
#endif
