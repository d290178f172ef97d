/* queue.c - queues whose places are taken by ticket, filled and emptied by anybody in any order
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Problem: a push takes time, for the data or until the caller says that it is complete. Who is at
 * it must not keep others from the queue, whatever happens to it meanwhile.
 *
 * Idea: each place has a state word {ticket 32, run 16, owner 12, what 4}.
 *
 *   free t -> filling t -> full t -> emptying t -> free t + depth
 *                 +----------------------------------^ (its owner has ended: skipped)
 *
 * A push takes ticket t by moving the state of its place from free to filling, a pop or peek the
 * first entry from full to emptying or showing. Tail and head follow, by plain stores of t + 1:
 * they may fall behind the places, or go back, but are never ahead. Whoever meets a place that has
 * been taken goes on from what its state says, so nobody waits for who has taken it, even if it has
 * stopped there. Owner and run say which schedule of which task has the place: whoever needs it
 * looks whether that is over.
 *
 * Locked operations are most of the time of a call, so a push or pop that need not wait has two: it
 * takes its place, and gives it on.
 */
#include "../config.h"

#if MEMLIFT_HAVE_TASKS
#include "queue.h"

/* ---- Owners ---------------------------------------------------- */

/* 1 if the task that had the place has ended. */
static int is_over(const struct memlift_queue *q, uint64_t s) {
  unsigned owner = s >> 4 & 0xfff;
  if (owner == QUEUE_HOST)
    return 0;
  const struct memlift_slot *slot = &q->context->slot[owner];
  /* Acquire: pairs with the end of the task, after which it has done nothing to the place. */
  uint64_t word = __atomic_load_n(&slot->word, __ATOMIC_ACQUIRE);
  return memlift_word_state(word) == MEMLIFT_TASK_ENDED ||
         memlift_word_state(word) == MEMLIFT_TASK_FREE ||
         (__atomic_load_n(&slot->runs, __ATOMIC_RELAXED) & 0xffff) != (s >> 16 & 0xffff);
}

void memlift_queue_forsake(memlift_context *c) {
  for (unsigned w = 0; (w = memlift_next_waiting(c, w)) < MEMLIFT_WAITERS; w++)
    memlift_wake(c, w, MEMLIFT_WAITS_QUEUE);
}

static enum memlift_line_kind kind_of(const struct memlift_queue *q,
                                      const struct memlift_line *line) {
  return line == &q->pushers ? MEMLIFT_LINE_PUSHERS : MEMLIFT_LINE_POPPERS;
}

/* ---- Changing sides ---------------------------------------------------- */

void memlift_queue_wake_popper(struct memlift_queue *q) {
  memlift_line_wake_first(q->context, &q->poppers, MEMLIFT_LINE_POPPERS, MEMLIFT_WAITS_QUEUE);
}

void memlift_queue_wake_pusher(struct memlift_queue *q) {
  memlift_line_wake_first(q->context, &q->pushers, MEMLIFT_LINE_PUSHERS, MEMLIFT_WAITS_QUEUE);
}

void memlift_queue_wake_at_last(struct memlift_queue *q) {
  while (memlift_line_has_waiters(&q->poppers))
    memlift_queue_wake_popper(q);
}

/* ---- Taking places ---------------------------------------------------- */

/* Returns where the tail or the head is, if the state of the place at `at` tells that it is
 * further: this ticket has been taken, or a later one has its place. */
static uint64_t beyond(const struct memlift_queue *q, int is_head, uint64_t at, uint64_t s) {
  int32_t later = (int32_t)(queue_ticket_of(s) - (uint32_t)at);
  int is_taken = is_head ? queue_what_of(s) == QUEUE_EMPTYING : queue_what_of(s) != QUEUE_FREE;
  if (later < 0 || (later == 0 && !is_taken))
    return at;
  return at + (uint32_t)later + 1 - (is_taken ? 0 : q->depth); /* or the one a lap before was */
}

/* Moves the tail or head. */
static void follow(uint64_t *end, uint64_t next) {
  /* Release: who sees it sees that the places before are taken. */
  __atomic_store_n(end, next, __ATOMIC_RELEASE);
}

/* Takes the next free place: MEMLIFT_OK, BUSY, CANCELLED. */
static memlift_status take_free(struct memlift_queue *q, uint64_t who, uint64_t *ticket) {
  uint64_t tail = __atomic_load_n(&q->tail, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&q->closed, __ATOMIC_SEQ_CST))
    return MEMLIFT_CANCELLED;
  for (;;) {
    uint64_t *place = queue_place(q, tail), s = __atomic_load_n(place, __ATOMIC_SEQ_CST);
    uint64_t next = beyond(q, 0, tail, s);
    if (queue_ticket_of(s) == (uint32_t)tail && queue_what_of(s) == QUEUE_FREE) {
      if (__atomic_compare_exchange_n(place, &s, queue_state(tail, who, QUEUE_FILLING), 0,
                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        *ticket = tail;
        follow(&q->tail, tail + 1);
        return MEMLIFT_OK;
      }
    } else if (next != tail) {
      tail = next;
      follow(&q->tail, tail);
    } else if (queue_what_of(s) == QUEUE_EMPTYING && is_over(q, s)) {
      __atomic_compare_exchange_n(
          place, &s, queue_state(queue_ticket_of(s) + (uint64_t)q->depth, 0, QUEUE_FREE), 0,
          __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    } else {
      return MEMLIFT_BUSY;
    }
  }
}

/* Skips the first place, whose pusher has ended. */
static void skip(struct memlift_queue *q, uint64_t head, uint64_t s) {
  uint64_t free = queue_state(head + q->depth, 0, QUEUE_FREE);
  if (!__atomic_compare_exchange_n(queue_place(q, head), &s, free, 0, __ATOMIC_SEQ_CST,
                                   __ATOMIC_RELAXED))
    return;
  follow(&q->head, head + 1);
  if (memlift_line_has_waiters(&q->pushers))
    memlift_queue_wake_pusher(q);
}

/* Takes the first entry, to empty its place or to show it: MEMLIFT_OK, BUSY, CANCELLED. */
static memlift_status take_full(struct memlift_queue *q, uint64_t who, enum queue_what what,
                                uint64_t *ticket) {
  uint64_t head = __atomic_load_n(&q->head, __ATOMIC_SEQ_CST);
  for (;;) {
    uint64_t *place = queue_place(q, head), s = __atomic_load_n(place, __ATOMIC_SEQ_CST);
    uint64_t next = beyond(q, 1, head, s);
    if (queue_what_of(s) == QUEUE_FULL && queue_ticket_of(s) == (uint32_t)head) {
      if (!__atomic_compare_exchange_n(place, &s, queue_state(head, who, what), 0, __ATOMIC_SEQ_CST,
                                       __ATOMIC_RELAXED))
        continue;
      *ticket = head;
      if (what == QUEUE_EMPTYING)
        follow(&q->head, head + 1);
      return MEMLIFT_OK;
    }
    if (next != head) {
      head = next;
      follow(&q->head, head);
      continue;
    }
    int is_taken = queue_what_of(s) == QUEUE_FILLING || queue_what_of(s) == QUEUE_SHOWING;
    if (!is_taken || queue_ticket_of(s) != (uint32_t)head || !is_over(q, s))
      return queue_what_of(s) == QUEUE_FREE && __atomic_load_n(&q->closed, __ATOMIC_SEQ_CST)
                 ? MEMLIFT_CANCELLED
                 : MEMLIFT_BUSY;
    if (queue_what_of(s) == QUEUE_SHOWING)
      __atomic_compare_exchange_n(place, &s, queue_state(head, 0, QUEUE_FULL), 0, __ATOMIC_SEQ_CST,
                                  __ATOMIC_RELAXED);
    else
      skip(q, head, s);
  }
}

/* The two are not read at one instant. */
uint32_t memlift_queue_entries(const struct memlift_queue *q) {
  uint64_t ends[2] = {__atomic_load_n(&q->tail, __ATOMIC_SEQ_CST),
                      __atomic_load_n(&q->head, __ATOMIC_SEQ_CST)};
  for (int is_head = 1; is_head >= 0; is_head--)
    for (uint32_t i = 0; i <= q->depth; i++) {
      uint64_t s = __atomic_load_n(queue_place(q, ends[is_head]), __ATOMIC_SEQ_CST);
      uint64_t next = beyond(q, is_head, ends[is_head], s);
      if (next == ends[is_head])
        break;
      ends[is_head] = next;
    }
  uint64_t count = ends[0] - ends[1];
  return ends[0] <= ends[1] ? 0 : count < q->depth ? (uint32_t)count : q->depth;
}

static struct memlift_line *line_of(struct memlift_queue *q, enum queue_what what) {
  return what == QUEUE_FILLING ? &q->pushers : &q->poppers;
}

/* 1 if the place after that of a ticket that was taken can be taken, or skipped, as well. */
static int is_next_there(const struct memlift_queue *q, enum queue_what what, uint64_t ticket) {
  uint64_t s = __atomic_load_n(queue_place(q, ticket + 1), __ATOMIC_SEQ_CST);
  enum queue_what taken = what == QUEUE_FILLING ? QUEUE_EMPTYING : QUEUE_FILLING;
  enum queue_what there = what == QUEUE_FILLING ? QUEUE_FREE : QUEUE_FULL;
  return queue_what_of(s) == taken
             ? is_over(q, s)
             : queue_what_of(s) == there && queue_ticket_of(s) == (uint32_t)(ticket + 1);
}

/* Takes a place. The next one may have changed sides while this one was still in the way: who was
 * woken for it then sleeps again, and is woken once more. */
static memlift_status take(struct memlift_queue *q, enum queue_what what, uint64_t *ticket) {
  uint64_t who = queue_who(q);
  memlift_status status =
      what == QUEUE_FILLING ? take_free(q, who, ticket) : take_full(q, who, what, ticket);
  if (status == MEMLIFT_OK && what != QUEUE_SHOWING && memlift_line_has_waiters(line_of(q, what)) &&
      is_next_there(q, what, *ticket))
    memlift_line_wake_first(q->context, line_of(q, what), kind_of(q, line_of(q, what)),
                            MEMLIFT_WAITS_QUEUE);
  return status;
}

static __attribute__((noinline)) memlift_status take_waiting(struct memlift_queue *q,
                                                             enum queue_what what, uint64_t ns,
                                                             uint64_t *ticket) {
  struct memlift_line *line = line_of(q, what);
  struct memlift_wait w;
  memlift_status status = memlift_wait_prepare(&w, q->context, ns);
  if (status != MEMLIFT_OK)
    return status;
  for (int over = 0;;) {
    memlift_line_lock(q->context, line, kind_of(q, line));
    memlift_line_join(&w, line, kind_of(q, line), MEMLIFT_WAITS_QUEUE);
    memlift_line_unlock(q->context, line);
    status = take(q, what, ticket);
    if (status != MEMLIFT_BUSY || over) {
      memlift_line_quit(&w, line, kind_of(q, line), NULL);
      /* Woken for what this call has not needed: it is for the next one. */
      if (!memlift_wait_retract(&w))
        memlift_line_wake_first(q->context, line, kind_of(q, line), MEMLIFT_WAITS_QUEUE);
      break;
    }
    memlift_status slept = memlift_wait_sleep(&w);
    memlift_line_quit(&w, line, kind_of(q, line), NULL);
    over = slept != MEMLIFT_OK; /* one more look */
  }
  memlift_wait_done(&w);
  return status == MEMLIFT_BUSY ? MEMLIFT_PENDING : status;
}

memlift_status memlift_queue_take(struct memlift_queue *q, enum queue_what what, uint64_t ns,
                                  uint64_t *ticket) {
  memlift_status status = take(q, what, ticket);
  return status != MEMLIFT_BUSY || ns == 0 ? status : take_waiting(q, what, ns, ticket);
}
#else
typedef int memlift_no_tasks; /* a translation unit must not be empty */
#endif
