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

static MEMLIFT_SELDOM void note(struct memlift_line *line, enum memlift_line_kind kind) {
  struct memlift_parker *self = memlift_parker_self();
  if (!self)
    return;
  memlift_in_this_order();
  self->line_kind = kind;
  memlift_in_this_order();
  __atomic_store_n(&self->line, line, __ATOMIC_RELAXED);
  memlift_in_this_order();
}

void memlift_line_note(const memlift_context *c, struct memlift_line *line,
                       enum memlift_line_kind kind) {
  if (memlift_may_lose(c))
    note(line, kind);
}

/* Takes over the lock of a unit whose process has ended, on the thread that buries it. */
static int take_over(const memlift_context *c, struct memlift_line *line, uint32_t owner,
                     uint32_t me) {
  /* Acquire: its owner has ended, and the keeper has seen that. */
  return MEMLIFT_MAY_LOSE && memlift_may_lose(c) && owner &&
         memlift_keeper_may_take(c, owner - 1) &&
         __atomic_compare_exchange_n(&line->lock, &owner, me, 0, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED);
}

void memlift_line_lock(memlift_context *c, struct memlift_line *line, enum memlift_line_kind kind) {
  const struct memlift_parker *self = memlift_parker_self();
  uint32_t me = 1 + (self ? self->number : HOST_THREAD), nobody = 0;
  memlift_line_note(c, line, kind);
  struct memlift_backoff b = {0, 0};
  /* Acquire: pairs with the release in unlock. */
  while (!__atomic_compare_exchange_n(&line->lock, &nobody, me, 0, __ATOMIC_ACQUIRE,
                                      __ATOMIC_RELAXED)) {
    if (b.spent < SPINS)
      memlift_back_off(&b);
    else if (take_over(c, line, nobody, me)) {
      memlift_line_rebuild(c, line);
      return;
    } else
      memlift_give_way();
    nobody = 0;
  }
}

void memlift_line_unlock(memlift_context *c, struct memlift_line *line) {
  /* Release: pairs with the acquire in lock. */
  __atomic_store_n(&line->lock, 0, __ATOMIC_RELEASE);
  memlift_line_note(c, NULL, MEMLIFT_LINE_NONE);
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

/* What a rebuild goes by is complete before the wait is announced. */
void memlift_line_join(struct memlift_wait *w, struct memlift_line *line, enum memlift_line_kind of,
                       enum memlift_wait_kind kind) {
  memlift_context *c = w->context;
  struct memlift_waiter *me = &c->waiter[w->waiter];
  if (memlift_may_lose(c)) {
    me->line = line, me->line_kind = of;
    me->joined = memlift_wait_number(c, w->waiter) + 1;
    me->arrival = __atomic_add_fetch(&c->arrivals, 1, __ATOMIC_RELAXED);
    memlift_in_this_order();
  }
  memlift_wait_announce(w, kind);
  append(c, line, w->waiter, kind);
}

void memlift_line_quit(struct memlift_wait *w, struct memlift_line *line,
                       enum memlift_line_kind kind, uint64_t *count) {
  memlift_context *c = w->context;
  if (memlift_context_is_forked(c))
    return; /* the lock may be held by a thread that is not here */
  memlift_line_lock(c, line, kind);
  if (c->waiter[w->waiter].linked) {
    memlift_line_remove(c, line, w->waiter);
    if (count)
      __atomic_fetch_sub(count, 1, __ATOMIC_RELAXED);
  }
  memlift_line_unlock(c, line);
}

memlift_status memlift_line_wait(memlift_context *c, struct memlift_line *line,
                                 enum memlift_line_kind kind, uint64_t ns,
                                 struct memlift_line_wish *wish) {
  struct memlift_wait w;
  memlift_status status = memlift_wait_prepare(&w, c, ns);
  if (status != MEMLIFT_OK)
    return status;
  struct memlift_waiter *me = &c->waiter[w.waiter];
  memlift_line_lock(c, line, kind);
  int taken = wish->take(wish);
  if (!taken) {
    me->owner = wish->owner, me->want = wish->want, me->how = wish->how, me->got = 0;
    memlift_line_join(&w, line, kind, MEMLIFT_WAITS_OBJECT);
  }
  memlift_line_unlock(c, line);
  if (!taken) {
    status = memlift_wait_sleep(&w);
    if (status == MEMLIFT_OK)
      wish->got = me->got;
    else
      memlift_line_quit(&w, line, kind, wish->count);
  }
  memlift_wait_done(&w); /* nothing of the waiter is the caller's after that */
  return status;
}

#if MEMLIFT_MAY_LOSE
/* 1 if a waiter is one of the line, whatever the links say. */
static int belongs(const memlift_context *c, const struct memlift_line *line, unsigned waiter) {
  const struct memlift_waiter *w = &c->waiter[waiter];
  return w->line == line && memlift_wait_is_open(c, waiter, w->joined);
}

/* The one that came first of those after `arrival`; MEMLIFT_NOBODY: none did. */
static unsigned next_arrival(const memlift_context *c, const struct memlift_line *line,
                             uint64_t arrival) {
  unsigned first = MEMLIFT_NOBODY;
  for (unsigned i = 0; i < MEMLIFT_WAITERS; i++)
    if (c->waiter[i].line == line && c->waiter[i].arrival > arrival &&
        (first == MEMLIFT_NOBODY || c->waiter[i].arrival < c->waiter[first].arrival) &&
        belongs(c, line, i))
      first = i;
  return first;
}

uint32_t memlift_line_rebuild(memlift_context *c, struct memlift_line *line) {
  uint32_t count = 0;
  for (unsigned i = 0; i < MEMLIFT_WAITERS; i++)
    if (c->waiter[i].line == line)
      c->waiter[i].linked = 0;
  __atomic_store_n(&line->first, MEMLIFT_NOBODY, __ATOMIC_SEQ_CST);
  line->last = MEMLIFT_NOBODY;
  for (unsigned i = 0;
       (i = next_arrival(c, line, count ? c->waiter[line->last].arrival : 0)) != MEMLIFT_NOBODY;
       count++)
    append(c, line, i, MEMLIFT_WAITS_QUEUE);
  return count;
}
#else
uint32_t memlift_line_rebuild(memlift_context *c, struct memlift_line *line) {
  (void)c, (void)line;
  return 0;
}
#endif

int memlift_line_wake_first(memlift_context *c, struct memlift_line *line,
                            enum memlift_line_kind of, enum memlift_wait_kind kind) {
  int woken = 0;
  memlift_line_lock(c, line, of);
  while (!woken && line->first != MEMLIFT_NOBODY) {
    unsigned waiter = line->first;
    memlift_line_remove(c, line, waiter);
    woken = memlift_wake(c, waiter, kind);
  }
  memlift_line_unlock(c, line);
  return woken;
}
#else
typedef int memlift_no_tasks; /* a translation unit must not be empty */
#endif
