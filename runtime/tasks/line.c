/* line.c - the line of those who wait for an object, and its lock
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../config.h"

#if MEMLIFT_HAVE_TASKS
#include "../queue/backoff.h"
#include "line.h"

/* Relaxations of the core before the thread gives its CPU away: whoever has the lock may have been
 * stopped with it. */
#define SPINS 100u

#define HOST_THREAD 255u /* owner of a lock that has no seat */

void memlift_line_init(struct memlift_line *line) {
  line->lock = 0;
  line->first = line->last = MEMLIFT_NOBODY;
}

void memlift_line_lock(struct memlift_line *line) {
  const struct memlift_parker *self = memlift_parker_self();
  uint32_t me = 1 + (self ? self->number : HOST_THREAD), nobody = 0;
  struct memlift_backoff b = {0, 0};
  /* Acquire: pairs with the release in unlock. */
  while (!__atomic_compare_exchange_n(&line->lock, &nobody, me, 0, __ATOMIC_ACQUIRE,
                                      __ATOMIC_RELAXED)) {
    if (b.spent < SPINS)
      memlift_back_off(&b);
    else
      memlift_give_way();
    nobody = 0;
  }
}

void memlift_line_unlock(struct memlift_line *line) {
  /* Release: pairs with the acquire in lock. */
  __atomic_store_n(&line->lock, 0, __ATOMIC_RELEASE);
}

void memlift_line_remove(memlift_context *c, struct memlift_line *line, unsigned waiter) {
  struct memlift_waiter *w = &c->waiter[waiter];
  if (w->previous != MEMLIFT_NOBODY)
    c->waiter[w->previous].next = w->next;
  else
    /* Relaxed: who sees an old one takes the lock, and finds out. */
    __atomic_store_n(&line->first, w->next, __ATOMIC_RELAXED);
  if (w->next != MEMLIFT_NOBODY)
    c->waiter[w->next].previous = w->previous;
  else
    line->last = w->previous;
  w->linked = 0;
}

/* With the lock. */
static void append(memlift_context *c, struct memlift_line *line, unsigned waiter,
                   enum memlift_wait_kind kind) {
  struct memlift_waiter *w = &c->waiter[waiter];
  w->previous = line->last, w->next = MEMLIFT_NOBODY, w->linked = 1;
  if (line->last != MEMLIFT_NOBODY)
    c->waiter[line->last].next = (uint16_t)waiter;
  else if (kind == MEMLIFT_WAITS_QUEUE)
    /* Sequential: pairs with memlift_line_has_waiters, which looks without the lock. */
    __atomic_store_n(&line->first, (uint16_t)waiter, __ATOMIC_SEQ_CST);
  else
    __atomic_store_n(&line->first, (uint16_t)waiter, __ATOMIC_RELAXED);
  line->last = (uint16_t)waiter;
}

void memlift_line_join(struct memlift_wait *w, struct memlift_line *line,
                       enum memlift_wait_kind kind) {
  memlift_wait_announce(w, kind);
  append(w->context, line, w->waiter, kind);
}

int memlift_line_quit(struct memlift_wait *w, struct memlift_line *line) {
  if (memlift_context_is_forked(w->context))
    return 0; /* the lock may be held by a thread that is not here */
  memlift_line_lock(line);
  int linked = (int)w->context->waiter[w->waiter].linked;
  if (linked)
    memlift_line_remove(w->context, line, w->waiter);
  memlift_line_unlock(line);
  return linked;
}

int memlift_line_wake_first(memlift_context *c, struct memlift_line *line,
                            enum memlift_wait_kind kind) {
  int woken = 0;
  memlift_line_lock(line);
  while (!woken && line->first != MEMLIFT_NOBODY) {
    unsigned waiter = line->first;
    memlift_line_remove(c, line, waiter);
    woken = memlift_wake(c, waiter, kind);
  }
  memlift_line_unlock(line);
  return woken;
}
#else
typedef int memlift_no_tasks; /* a translation unit must not be empty */
#endif
