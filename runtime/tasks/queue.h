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

/* The calling task, if it is of the queue's context; and {run 16, owner 12} of the caller. */
struct memlift_slot *memlift_queue_task(const struct memlift_queue *q);
uint64_t memlift_queue_who(const struct memlift_queue *q);

/* Takes the next free place (QUEUE_FILLING), or the first entry (QUEUE_EMPTYING, QUEUE_SHOWING),
 * and waits for it. */
memlift_status memlift_queue_take(struct memlift_queue *q, enum queue_what what, uint64_t ns,
                                  uint64_t *ticket);

/* The entry of that ticket is there, or its place is free. */
void memlift_queue_let_pop(struct memlift_queue *q, uint64_t ticket);
void memlift_queue_let_push(struct memlift_queue *q, uint64_t ticket);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
