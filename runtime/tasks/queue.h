/* queue.h - the places of a queue, and who has them
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * queue.c describes the states. queue_calls.c moves the data.
 */
#ifndef MEMLIFT_TASKS_QUEUE_H
#define MEMLIFT_TASKS_QUEUE_H

#include "line.h"

/* SHOWING: a peek copies the first entry. */
enum queue_what { QUEUE_FREE, QUEUE_FILLING, QUEUE_FULL, QUEUE_EMPTYING, QUEUE_SHOWING };

#define QUEUE_HOST 0xfffu /* owner: a host thread */

static inline uint64_t queue_state(uint64_t ticket, uint64_t who, enum queue_what what) {
  return ticket << 32 | who << 4 | what;
}
static inline uint32_t queue_ticket_of(uint64_t s) { return (uint32_t)(s >> 32); }
static inline enum queue_what queue_what_of(uint64_t s) { return (enum queue_what)(s & 15); }

static inline uint64_t *queue_place(const struct memlift_queue *q, uint64_t ticket) {
  return &q->states[ticket & (q->depth - 1)];
}

static inline void *queue_data(const struct memlift_queue *q, uint64_t ticket) {
  size_t size = (q->entry + (size_t)7) & ~(size_t)7;
  return (char *)(q->states + q->depth) + (ticket & (q->depth - 1)) * size;
}

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Takes the next free place (QUEUE_FILLING), or the first entry (QUEUE_EMPTYING, QUEUE_SHOWING),
 * and waits for it. */
memlift_status memlift_queue_take(struct memlift_queue *q, enum queue_what what, uint64_t ns,
                                  uint64_t *ticket);

/* Wakes the first that waits; all that wait for entries of a queue that is closed. */
void memlift_queue_wake_popper(struct memlift_queue *q);
void memlift_queue_wake_pusher(struct memlift_queue *q);
void memlift_queue_wake_at_last(struct memlift_queue *q);

/* Number of entries, those included that are being filled. */
uint32_t memlift_queue_entries(const struct memlift_queue *q);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

/* Returns the calling task, if it is of the queue's context. */
static inline struct memlift_slot *queue_task(const struct memlift_queue *q) {
  struct memlift_parker *self = memlift_parker_self();
  return self && self->task && self->context == q->context ? self->task : NULL;
}

/* {run 16, owner 12} of the caller. */
static inline uint64_t queue_who(const struct memlift_queue *q) {
  const struct memlift_slot *slot = queue_task(q);
  return slot ? (slot->runs & 0xffff) << 12 | memlift_slot_number(q->context, slot) : QUEUE_HOST;
}

/* The entry of that ticket is there. Sequential: the state is written and the line read; who waits
 * does the reverse. */
static inline void queue_let_pop(struct memlift_queue *q, uint64_t ticket) {
  __atomic_exchange_n(queue_place(q, ticket), queue_state(ticket, 0, QUEUE_FULL), __ATOMIC_SEQ_CST);
  if (memlift_line_has_waiters(&q->poppers))
    memlift_queue_wake_popper(q);
}

/* Its place is free. Sequential: as before. */
static inline void queue_let_push(struct memlift_queue *q, uint64_t ticket) {
  __atomic_exchange_n(queue_place(q, ticket), queue_state(ticket + q->depth, 0, QUEUE_FREE),
                      __ATOMIC_SEQ_CST);
  if (memlift_line_has_waiters(&q->pushers))
    memlift_queue_wake_pusher(q);
  if (__atomic_load_n(&q->closed, __ATOMIC_SEQ_CST))
    memlift_queue_wake_at_last(q); /* it may be empty now */
}

#endif
