/* waiter.c - waiting for anything: announce, look again, leave; and who wakes whom
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A wait is announced in the waiter's wake word, and from then on exactly one of these ends it, by
 * a compare and exchange: somebody who wakes it, the clock, or the waiter itself, which has looked
 * once more and found that it need not wait. A task that is to sleep leaves its stack first. Then
 * the unit moves the wake word from WAITING to PARKED. Who ends a wait that is parked makes the
 * task ready. Where the wait ended before it was parked, the unit does that itself. So a task is
 * made ready once, and never while its stack is in use.
 *
 * A host thread takes a seat for the time of its wait, and works: it takes tasks, carries out
 * functions for tasks, and sleeps on the bell of its seat when there is nothing to do.
 */
#include "../config.h"

#if MEMLIFT_HAVE_TASKS
#include "line.h"

/* ---- The wake word ---------------------------------------------------- */

static uint64_t wake_word(uint64_t number, enum memlift_wait_kind kind,
                          enum memlift_wake_state state) {
  return number << 24 | (uint64_t)kind << 8 | state;
}

/* Whoever ends a wait notes who that is, plus 1, where units are processes: if it stops right after
 * that, it has not made the task ready, and whoever buries it does. */
#define ENDER_SHIFT 16

static uint64_t ender_now(void) {
  const struct memlift_parker *self = memlift_parker_self();
  return (uint64_t)(1 + (self ? self->number : MEMLIFT_ON_HOST)) << ENDER_SHIFT;
}

static enum memlift_wake_state state_of(uint64_t wake) {
  return (enum memlift_wake_state)(wake & 0xff);
}

static int is_open(uint64_t wake) {
  return state_of(wake) == MEMLIFT_WAKE_WAITING || state_of(wake) == MEMLIFT_WAKE_PARKED;
}

/* Finishes a wait that has been ended in the state `before`, when its task had the word. */
static void resume(memlift_context *c, unsigned waiter, uint64_t before, uint64_t word) {
  if (waiter >= MEMLIFT_TASKS)
    memlift_ring_bell(c, MEMLIFT_UNITS + waiter - MEMLIFT_TASKS);
  else if (state_of(before) != MEMLIFT_WAKE_PARKED)
    return;
  else if (memlift_may_lose(c)) /* its unit may be lost, and the task somebody else's */
    memlift_make_ready_from(c, &c->slot[waiter], word, 1);
  else
    memlift_make_ready(c, memlift_parker_self(), &c->slot[waiter]);
}

/* Ends a wait, if it is still open: that of the wake word seen. */
static int end_wait(memlift_context *c, unsigned waiter, uint64_t wake,
                    enum memlift_wake_state how) {
  uint64_t *at = &c->waiter[waiter].wake;
  uint64_t ender = memlift_may_lose(c) ? ender_now() : 0, word = 0;
  while (is_open(wake)) {
    uint64_t before = wake;
    if (ender && waiter < MEMLIFT_TASKS)
      word = __atomic_load_n(&c->slot[waiter].word, __ATOMIC_RELAXED);
    /* Release: who was woken sees what it was woken for; acquire: who wakes it makes it ready. */
    if (__atomic_compare_exchange_n(at, &wake, (wake & ~(uint64_t)0xff) | ender | how, 0,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      if (how == MEMLIFT_WAKE_EXPIRED)
        __atomic_fetch_add(&c->time_outs, 1, __ATOMIC_RELAXED);
      resume(c, waiter, before, word);
      return 1;
    }
    if (wake >> 8 != before >> 8)
      return 0; /* another wait */
  }
  return 0;
}

int memlift_wake(memlift_context *c, unsigned waiter, enum memlift_wait_kind kind) {
  /* Sequential: the waiter announces and then looks, the waker changes something and then reads. */
  uint64_t wake = __atomic_load_n(&c->waiter[waiter].wake, __ATOMIC_SEQ_CST);
  return (wake >> 8 & 0xff) == (uint64_t)kind && end_wait(c, waiter, wake, MEMLIFT_WAKE_WOKEN);
}

unsigned memlift_next_waiting(const memlift_context *c, unsigned waiter) {
  while (waiter < MEMLIFT_WAITERS) {
    uint64_t bits = __atomic_load_n(&c->waiting[waiter / 64], __ATOMIC_SEQ_CST) >> waiter % 64;
    if (bits)
      return waiter + memlift_lowest_bit(bits);
    waiter = (waiter | 63) + 1;
  }
  return MEMLIFT_WAITERS;
}

void memlift_wake_awaiting(memlift_context *c, unsigned slot) {
  for (unsigned w = 0; (w = memlift_next_waiting(c, w)) < MEMLIFT_WAITERS; w++) {
    uint32_t target = __atomic_load_n(&c->waiter[w].target, __ATOMIC_RELAXED);
    if (target == slot || target == MEMLIFT_NOBODY)
      memlift_wake(c, w, MEMLIFT_WAITS_END);
  }
}

/* ---- Time ---------------------------------------------------- */

/* Lowers the next deadline; 1 if it was lowered. */
static int lower_deadline(memlift_context *c, uint64_t deadline) {
  uint64_t next = __atomic_load_n(&c->next_deadline, __ATOMIC_RELAXED);
  while (deadline < next)
    if (__atomic_compare_exchange_n(&c->next_deadline, &next, deadline, 0, __ATOMIC_SEQ_CST,
                                    __ATOMIC_RELAXED))
      return 1;
  return 0;
}

void memlift_expire(memlift_context *c, uint64_t now) {
  int lowered = 0;
  if (__atomic_load_n(&c->next_deadline, __ATOMIC_RELAXED) > now)
    return;
  /* From here on a wait that is announced lowers it itself; those before are in the bit map. */
  __atomic_store_n(&c->next_deadline, UINT64_MAX, __ATOMIC_SEQ_CST);
  for (unsigned w = 0; (w = memlift_next_waiting(c, w)) < MEMLIFT_WAITERS; w++) {
    /* Acquire: pairs with the announcement, for the deadline of that wait. */
    uint64_t wake = __atomic_load_n(&c->waiter[w].wake, __ATOMIC_ACQUIRE);
    uint64_t deadline = __atomic_load_n(&c->waiter[w].deadline, __ATOMIC_RELAXED);
    if (deadline > now)
      lowered |= lower_deadline(c, deadline);
    else
      end_wait(c, w, wake, MEMLIFT_WAKE_EXPIRED);
  }
  /* Who has gone to sleep meanwhile knows of none, and this thread may have other things to do. */
  if (lowered)
    memlift_wake_all(c);
}

/* ---- Seats ---------------------------------------------------- */

/* Takes a seat for a host thread. There are as many as threads may wait at once; one more waits
 * until one of them is free. */
static struct memlift_parker *take_seat(memlift_context *c) {
  for (;; memlift_give_way())
    for (unsigned i = MEMLIFT_UNITS; i < MEMLIFT_PARKERS; i++) {
      uint64_t *word = &c->seats[i / 64], bit = (uint64_t)1 << i % 64;
      /* Acquire: pairs with the release of who had the seat before. */
      if (!(__atomic_load_n(word, __ATOMIC_RELAXED) & bit) &&
          !(__atomic_fetch_or(word, bit, __ATOMIC_ACQUIRE) & bit)) {
        struct memlift_parker *seat = &c->parker[i];
        seat->context = c, seat->number = i, seat->task = NULL;
        seat->before = memlift_parker_self();
        memlift_parker_set_self(seat);
        seat->track = memlift_track_mine();
        return seat;
      }
    }
}

static void leave_seat(memlift_context *c, struct memlift_parker *seat) {
  memlift_parker_set_self(seat->before);
  /* Release: pairs with the acquire of who takes the seat next. */
  __atomic_fetch_and(&c->seats[seat->number / 64], ~((uint64_t)1 << seat->number % 64),
                     __ATOMIC_RELEASE);
}

/* ---- A wait ---------------------------------------------------- */

memlift_status memlift_wait_prepare(struct memlift_wait *w, memlift_context *c, uint64_t ns) {
  struct memlift_parker *self = memlift_parker_self();
  if (memlift_context_is_forked(c))
    return MEMLIFT_NOT_PRESENT;
  if (self && self->task && self->context != c)
    return MEMLIFT_WRONG_SIDE;
  if (self && self->task && !self->task->stack)
    return MEMLIFT_CANNOT_SWITCH;
  w->context = c;
  w->deadline = UINT64_MAX;
  if (ns != MEMLIFT_FOR_EVER) {
    uint64_t now = memlift_now();
    w->deadline = now + ns < now ? UINT64_MAX : now + ns;
  }
  w->waiter = self && self->task ? memlift_slot_number(c, self->task)
                                 : MEMLIFT_TASKS + take_seat(c)->number - MEMLIFT_UNITS;
  return MEMLIFT_OK;
}

static uint64_t *waiting_word(const struct memlift_wait *w) {
  return &w->context->waiting[w->waiter / 64];
}
static uint64_t waiting_bit(const struct memlift_wait *w) { return (uint64_t)1 << w->waiter % 64; }

/* 1 if others have to find this wait without an object. */
static int is_listed(const struct memlift_wait *w, enum memlift_wait_kind kind) {
  return w->deadline != UINT64_MAX || kind == MEMLIFT_WAITS_END || kind == MEMLIFT_WAITS_QUEUE ||
         kind == MEMLIFT_WAITS_HOST;
}

void memlift_wait_announce(struct memlift_wait *w, enum memlift_wait_kind kind) {
  memlift_context *c = w->context;
  struct memlift_waiter *me = &c->waiter[w->waiter];
  uint64_t number = (__atomic_load_n(&me->wake, __ATOMIC_RELAXED) >> 24) + 1;
  __atomic_store_n(&me->deadline, w->deadline, __ATOMIC_RELAXED);
  uint64_t wake = wake_word(number, kind, MEMLIFT_WAKE_WAITING);
  if (kind == MEMLIFT_WAITS_OBJECT)
    /* Who wakes it has the lock of the line, as this one has. Release: pairs with memlift_expire,
     * for the deadline. */
    __atomic_store_n(&me->wake, wake, __ATOMIC_RELEASE);
  else
    /* Sequential: what the waiter looks at once more is not read before this is seen. */
    __atomic_store_n(&me->wake, wake, __ATOMIC_SEQ_CST);
  if (!is_listed(w, kind))
    return;
  __atomic_fetch_or(waiting_word(w), waiting_bit(w), __ATOMIC_SEQ_CST);
  /* Units that sleep until a later deadline would miss this one; a host thread has its own. */
  if (w->deadline != UINT64_MAX && lower_deadline(c, w->deadline) && w->waiter < MEMLIFT_TASKS)
    memlift_wake_all(c);
}

/* Closes a wait that has ended. */
static void close_wait(struct memlift_wait *w) {
  struct memlift_waiter *me = &w->context->waiter[w->waiter];
  uint64_t wake = __atomic_load_n(&me->wake, __ATOMIC_RELAXED);
  if (is_listed(w, (enum memlift_wait_kind)(wake >> 8 & 0xff)))
    __atomic_fetch_and(waiting_word(w), ~waiting_bit(w), __ATOMIC_RELAXED);
  __atomic_store_n(&me->wake, wake & ~(uint64_t)0xffffff, __ATOMIC_RELAXED);
}

int memlift_wait_retract(struct memlift_wait *w) {
  struct memlift_waiter *me = &w->context->waiter[w->waiter];
  uint64_t wake = __atomic_load_n(&me->wake, __ATOMIC_RELAXED);
  /* Acquire: pairs with the release of who has woken this waiter, when it has. */
  int open = is_open(wake) && __atomic_compare_exchange_n(&me->wake, &wake, wake & ~(uint64_t)0xff,
                                                          0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE);
  close_wait(w);
  return open;
}

/* Acquire: pairs with end_wait. */
static uint64_t wake_now(const struct memlift_wait *w) {
  return __atomic_load_n(&w->context->waiter[w->waiter].wake, __ATOMIC_ACQUIRE);
}

/* ---- Host threads ---------------------------------------------------- */

/* The last look before a host thread sleeps. Sequential: pairs with who wakes, and with calls. */
static int has_reason_to_stay(memlift_context *c, struct memlift_parker *me) {
  unsigned waiter = MEMLIFT_TASKS + me->number - MEMLIFT_UNITS;
  return !is_open(__atomic_load_n(&c->waiter[waiter].wake, __ATOMIC_SEQ_CST)) ||
         __atomic_load_n(&c->calls, __ATOMIC_SEQ_CST) != 0;
}

/* Ends the waits whose time is over. Returns 1 if that of this host thread is, even if it is not in
 * the bit map. */
static int is_time_over(const struct memlift_wait *w) {
  if (w->deadline == UINT64_MAX &&
      __atomic_load_n(&w->context->next_deadline, __ATOMIC_RELAXED) == UINT64_MAX)
    return 0;
  uint64_t now = memlift_now();
  memlift_expire(w->context, now);
  return w->deadline <= now;
}

/* Runs functions for tasks; 1 if there was one. They may take long: whoever waits for the end of
 * the task before is told first. */
static int serve(memlift_context *c, struct memlift_parker *me) {
  int served = 0;
  if (!__atomic_load_n(&c->calls, __ATOMIC_RELAXED))
    return 0;
  memlift_tell_of_last_end(c, me);
  while (memlift_host_serve(c))
    served = 1;
  return served;
}

/* 1 while the task is claimed, ready, running or blocked. */
static int is_under_way(const struct memlift_slot *slot, memlift_task task) {
  uint64_t word = __atomic_load_n(&slot->word, __ATOMIC_RELAXED);
  return memlift_word_is_of(word, task) &&
         (word & 0xff) - MEMLIFT_TASK_CLAIMED <= MEMLIFT_TASK_BLOCKED - MEMLIFT_TASK_CLAIMED;
}

int memlift_wait_work(struct memlift_wait *w, memlift_task only) {
  memlift_context *c = w->context;
  if (w->waiter < MEMLIFT_TASKS)
    return 0;
  struct memlift_parker *me = &c->parker[MEMLIFT_UNITS + w->waiter - MEMLIFT_TASKS];
  const struct memlift_slot *its = &c->slot[only.id & (MEMLIFT_TASKS - 1)];
  do {
    if (is_time_over(w))
      return 0;
    serve(c, me);
    struct memlift_slot *slot = memlift_pull(c, me, 0);
    if (!slot)
      return 0;
    memlift_run(me, slot);
    if (memlift_context_is_forked(c))
      return 0;
  } while (only.id && is_under_way(its, only));
  return 1;
}

/* Works until the wait has ended. */
static void work(struct memlift_wait *w, struct memlift_parker *me) {
  memlift_context *c = w->context;
  while (is_open(wake_now(w)) && !memlift_context_is_forked(c)) {
    if (is_time_over(w))
      end_wait(c, w->waiter, wake_now(w), MEMLIFT_WAKE_EXPIRED);
    if (serve(c, me) && memlift_wake(c, w->waiter, MEMLIFT_WAITS_SERVING))
      break;
    struct memlift_slot *slot = memlift_pull(c, me, 0);
    if (!slot && is_open(wake_now(w)))
      slot = memlift_park(c, me, w->deadline, has_reason_to_stay);
    if (slot)
      memlift_run(me, slot);
    memlift_tell_of_last_end(c, me); /* it may be what this thread waits for */
  }
}

memlift_status memlift_wait_sleep(struct memlift_wait *w) {
  memlift_context *c = w->context;
  struct memlift_parker *me = memlift_parker_self();
  if (!me->task)
    work(w, me);
  else if (is_open(wake_now(w)))
    memlift_leave(me, MEMLIFT_BLOCKS);
  enum memlift_wake_state state = state_of(wake_now(w));
  close_wait(w);
  if (memlift_context_is_forked(c))
    return MEMLIFT_NOT_PRESENT;
  return state == MEMLIFT_WAKE_EXPIRED ? MEMLIFT_PENDING : MEMLIFT_OK;
}

void memlift_wait_done(struct memlift_wait *w) {
  if (w->waiter < MEMLIFT_TASKS)
    return;
  struct memlift_parker *seat = &w->context->parker[MEMLIFT_UNITS + w->waiter - MEMLIFT_TASKS];
  memlift_tell_of_last_end(w->context, seat);
  leave_seat(w->context, seat);
}

int memlift_park_task(memlift_context *c, unsigned waiter) {
  uint64_t *at = &c->waiter[waiter].wake, wake = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (state_of(wake) == MEMLIFT_WAKE_WAITING)
    /* Release: who wakes the task finds its stack left. */
    if (__atomic_compare_exchange_n(at, &wake, (wake & ~(uint64_t)0xff) | MEMLIFT_WAKE_PARKED, 0,
                                    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
      return 1;
  return 0;
}

/* ---- Burial ---------------------------------------------------- */

#if MEMLIFT_MAY_LOSE
/* The acquires of `wake` pair with the releases of who began the wait or ended it. */
uint64_t memlift_wait_number(const memlift_context *c, unsigned waiter) {
  return __atomic_load_n(&c->waiter[waiter].wake, __ATOMIC_ACQUIRE) >> 24;
}

int memlift_wait_is_open(const memlift_context *c, unsigned waiter, uint64_t number) {
  uint64_t wake = __atomic_load_n(&c->waiter[waiter].wake, __ATOMIC_ACQUIRE);
  return wake >> 24 == number && is_open(wake);
}

int memlift_wait_was_ended_by(const memlift_context *c, unsigned waiter, unsigned unit) {
  /* Acquire: pairs with the release of who ended the wait. */
  uint64_t wake = __atomic_load_n(&c->waiter[waiter].wake, __ATOMIC_ACQUIRE);
  return (wake >> ENDER_SHIFT & 0xff) == 1 + unit;
}

int memlift_wait_cancel(memlift_context *c, unsigned waiter) {
  /* Acquire and release: pairs with who ends the wait and who begins the next one. */
  uint64_t *at = &c->waiter[waiter].wake, wake = __atomic_load_n(at, __ATOMIC_ACQUIRE);
  int woken;
  do
    woken = state_of(wake) == MEMLIFT_WAKE_WOKEN;
  while (!__atomic_compare_exchange_n(at, &wake, wake & ~(uint64_t)0xffffff, 0, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE));
  __atomic_fetch_and(&c->waiting[waiter / 64], ~((uint64_t)1 << waiter % 64), __ATOMIC_RELAXED);
  return woken ? (int)(wake >> 8 & 0xff) : 0;
}

void memlift_wake_those_who_look_again(memlift_context *c) {
  for (unsigned waiter = 0; waiter < MEMLIFT_WAITERS; waiter++)
    if (!memlift_wake(c, waiter, MEMLIFT_WAITS_END) &&
        !memlift_wake(c, waiter, MEMLIFT_WAITS_SIGNAL))
      memlift_wake(c, waiter, MEMLIFT_WAITS_QUEUE);
  __atomic_store_n(&c->next_deadline, 0, __ATOMIC_SEQ_CST); /* whoever was at it has not set it */
}

int memlift_wake_if(memlift_context *c, unsigned waiter, uint64_t number) {
  uint64_t wake = __atomic_load_n(&c->waiter[waiter].wake, __ATOMIC_SEQ_CST);
  return wake >> 24 == number && end_wait(c, waiter, wake, MEMLIFT_WAKE_WOKEN);
}
#endif
#else
typedef int memlift_no_tasks; /* a translation unit must not be empty */
#endif
