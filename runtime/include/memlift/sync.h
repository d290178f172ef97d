/* sync.h - what tasks and host threads synchronise by: signals, semaphores, mutexes, queues, ...
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An object is 64 bytes of any memory that lives as long as it is used; alignment 64. It belongs to
 * the context of its init. Members are the library's. There is nothing to destroy: nobody waits and
 * nobody holds it, then its memory may be used for something else. Init is for one thread, before
 * others use the object.
 *
 * Every call may be made by tasks of the context and by any host thread. A task that has to wait
 * leaves its unit to others; a host thread that has to wait works meanwhile, as in
 * memlift_task_wait. Any number may wait for one object; they are served in the order in which they
 * came, unless something else is said. What does not have to wait makes no system call and takes no
 * lock. A waker takes the lock of the object, for a bounded number of steps for each waiter.
 *
 * Errors of all functions that wait, besides those of tasks.h: MEMLIFT_BUSY (`ns` is 0),
 * MEMLIFT_PENDING (time is over), MEMLIFT_CANNOT_SWITCH (a run-complete task would have to wait),
 * MEMLIFT_WRONG_SIDE (a task would have to wait for an object of another context).
 */
#ifndef MEMLIFT_SYNC_H
#define MEMLIFT_SYNC_H

#include "tasks.h"

#if defined(__cplusplus)
extern "C" {
#endif

#if defined(__GNUC__)
#define MEMLIFT_OBJECT_ALIGNED __attribute__((aligned(64)))
#else
#define MEMLIFT_OBJECT_ALIGNED
#endif

/* The line of those who wait for an object. */
struct memlift_line {
  uint32_t lock; /* who has it; 0: nobody */
  uint16_t first, last;
};

/* ---- Signals -------------------------------------------------------------------------------- */

/* Each task has one signal: a bit. It ends memlift_signal_wait of the task, or the next one; it
 * ends no other wait. Scheduling a task clears it.
 * MEMLIFT_WRONG_STATE: the task is not scheduled, or has ended. */
MEMLIFT_API memlift_status memlift_signal_send(memlift_task task) MEMLIFT_NOEXCEPT;

/* Waits for the signal of the calling task, and takes it. MEMLIFT_WRONG_SIDE on the host. */
MEMLIFT_API memlift_status memlift_signal_wait(uint64_t ns) MEMLIFT_NOEXCEPT;

/* ---- Semaphores ------------------------------------------------------------------------------ */

struct memlift_semaphore {
  memlift_context *context;
  uint64_t word; /* count, and waiters in the low half */
  struct memlift_line line;
} MEMLIFT_OBJECT_ALIGNED;

/* count is 0 to INT32_MAX. */
MEMLIFT_API memlift_status memlift_semaphore_init(memlift_context *context,
                                                  struct memlift_semaphore *semaphore,
                                                  int32_t count) MEMLIFT_NOEXCEPT;

/* Takes one. What was done before the release is seen. */
MEMLIFT_API memlift_status memlift_semaphore_acquire(struct memlift_semaphore *semaphore,
                                                     uint64_t ns) MEMLIFT_NOEXCEPT;

/* Gives count (at least 1) back, to those who wait first. MEMLIFT_LIMIT: there would be more than
 * INT32_MAX; nothing done. */
MEMLIFT_API memlift_status memlift_semaphore_release(struct memlift_semaphore *semaphore,
                                                     int32_t count) MEMLIFT_NOEXCEPT;

/* ---- Mutexes --------------------------------------------------------------------------------- */

struct memlift_mutex {
  memlift_context *context;
  uint64_t word; /* owner, and whether somebody waits */
  struct memlift_line line;
  struct memlift_mutex *held; /* next one of the same owner */
  uint32_t lost;
} MEMLIFT_OBJECT_ALIGNED;

MEMLIFT_API memlift_status memlift_mutex_init(memlift_context *context,
                                              struct memlift_mutex *mutex) MEMLIFT_NOEXCEPT;

/* Locks it. Its owner is the task, or the host thread.
 *   MEMLIFT_LOST         locked, but the task that had it before has ended with it: what it guards
 *                        may be half done. A host thread that ends with it is not noticed.
 *   MEMLIFT_WRONG_STATE  the caller has it already */
MEMLIFT_API memlift_status memlift_mutex_lock(struct memlift_mutex *mutex,
                                              uint64_t ns) MEMLIFT_NOEXCEPT;

/* Unlocks it, and gives it to the first that waits. MEMLIFT_WRONG_STATE: the caller has it not. */
MEMLIFT_API memlift_status memlift_mutex_unlock(struct memlift_mutex *mutex) MEMLIFT_NOEXCEPT;

/* ---- Barriers -------------------------------------------------------------------------------- */

struct memlift_barrier {
  memlift_context *context;
  uint64_t word; /* rounds that are complete, and arrivals in the low half */
  struct memlift_line line;
  uint32_t total;
} MEMLIFT_OBJECT_ALIGNED;

/* A round is complete when `total` (at least 1) have notified. */
MEMLIFT_API memlift_status memlift_barrier_init(memlift_context *context,
                                                struct memlift_barrier *barrier,
                                                uint32_t total) MEMLIFT_NOEXCEPT;

/* Arrives, and does not wait: *round is the number of the round, for memlift_barrier_wait. Whoever
 * notifies once more before the round is complete counts twice. */
MEMLIFT_API memlift_status memlift_barrier_notify(struct memlift_barrier *barrier,
                                                  uint32_t *round) MEMLIFT_NOEXCEPT;

/* Waits until that round is complete. Rounds wrap; one may lag behind by 2^31. */
MEMLIFT_API memlift_status memlift_barrier_wait(struct memlift_barrier *barrier, uint32_t round,
                                                uint64_t ns) MEMLIFT_NOEXCEPT;

/* ---- Event flags -------------------------------------------------- */

struct memlift_events {
  memlift_context *context;
  uint64_t word; /* bits, and waiters in the low half */
  struct memlift_line line;
  uint32_t how;
} MEMLIFT_OBJECT_ALIGNED;

#define MEMLIFT_EVENTS_MANUAL 0u /* bits stay until they are cleared */
#define MEMLIFT_EVENTS_AUTO 1u   /* a wait clears the bits that it was ended by */
#define MEMLIFT_EVENTS_ANY 0u    /* a wait is ended by any of its bits */
#define MEMLIFT_EVENTS_ALL 1u    /* by all of them together */

/* 32 flags, all 0. how: MEMLIFT_EVENTS_MANUAL or _AUTO. */
MEMLIFT_API memlift_status memlift_events_init(memlift_context *context,
                                               struct memlift_events *events,
                                               uint32_t how) MEMLIFT_NOEXCEPT;

MEMLIFT_API memlift_status memlift_events_set(struct memlift_events *events,
                                              uint32_t bits) MEMLIFT_NOEXCEPT;
MEMLIFT_API memlift_status memlift_events_clear(struct memlift_events *events,
                                                uint32_t bits) MEMLIFT_NOEXCEPT;

/* Waits for the bits of mask (not 0), any or all as `how` says; *bits, unless that is NULL, are
 * those of mask that were set. Those are served first who came first and whose bits are set. */
MEMLIFT_API memlift_status memlift_events_wait(struct memlift_events *events, uint32_t mask,
                                               uint32_t how, uint64_t ns,
                                               uint32_t *bits) MEMLIFT_NOEXCEPT;

/* ---- Queues -------------------------------------------------- */

struct memlift_queue {
  memlift_context *context;
  uint64_t *states; /* of the places; the entries follow */
  uint32_t entry, depth;
  uint64_t tail, head; /* tickets */
  struct memlift_line pushers, poppers;
  uint32_t closed;
} MEMLIFT_OBJECT_ALIGNED;

#define MEMLIFT_QUEUE_ENTRY 16384u     /* bytes of an entry, at most */
#define MEMLIFT_QUEUE_DEPTH (1u << 20) /* entries, at most */

/* Bytes of memory that a queue needs for its entries. */
#define MEMLIFT_QUEUE_BYTES(entry, depth)                                                          \
  ((size_t)(depth) * (8 + (((size_t)(entry) + 7) & ~(size_t)7)))

/* First in, first out, between any number of pushers and poppers. buffer: MEMLIFT_QUEUE_BYTES of
 * memory, alignment 8, for the queue alone. entry: 1 to MEMLIFT_QUEUE_ENTRY bytes; depth: a power
 * of two, up to MEMLIFT_QUEUE_DEPTH. Those who wait are woken in order, but who comes meanwhile may
 * be faster. */
MEMLIFT_API memlift_status memlift_queue_init(memlift_context *context, struct memlift_queue *queue,
                                              void *buffer, size_t entry,
                                              uint32_t depth) MEMLIFT_NOEXCEPT;

/* Push waits for a free place, pop and peek for an entry. Any alignment of data. Peek leaves the
 * entry in the queue. MEMLIFT_CANCELLED: the queue is closed; pop and peek: and empty. */
MEMLIFT_API memlift_status memlift_queue_push(struct memlift_queue *queue, const void *data,
                                              uint64_t ns) MEMLIFT_NOEXCEPT;
MEMLIFT_API memlift_status memlift_queue_pop(struct memlift_queue *queue, void *data,
                                             uint64_t ns) MEMLIFT_NOEXCEPT;
MEMLIFT_API memlift_status memlift_queue_peek(struct memlift_queue *queue, void *data,
                                              uint64_t ns) MEMLIFT_NOEXCEPT;

/* Push and pop in two steps. push_begin takes the next place and moves the data there, push_end
 * lets poppers see it. pop_begin takes the first entry and moves it to data, pop_end frees its
 * place. Any number of them may be under way, and end in any order, each by who has begun it;
 * poppers still get the entries in the order of push_begin. A place whose task ends before that is
 * skipped (push) or freed, and its entry is lost (pop).
 * tag: 0 to 31, for the transfer; in this version the CPU has moved the data on return, and data
 * may be used again. end: MEMLIFT_WRONG_STATE if the caller has no such ticket. */
MEMLIFT_API memlift_status memlift_queue_push_begin(struct memlift_queue *queue, const void *data,
                                                    unsigned tag, uint64_t ns,
                                                    uint32_t *ticket) MEMLIFT_NOEXCEPT;
MEMLIFT_API memlift_status memlift_queue_push_end(struct memlift_queue *queue,
                                                  uint32_t ticket) MEMLIFT_NOEXCEPT;
MEMLIFT_API memlift_status memlift_queue_pop_begin(struct memlift_queue *queue, void *data,
                                                   unsigned tag, uint64_t ns,
                                                   uint32_t *ticket) MEMLIFT_NOEXCEPT;
MEMLIFT_API memlift_status memlift_queue_pop_end(struct memlift_queue *queue,
                                                 uint32_t ticket) MEMLIFT_NOEXCEPT;

/* Entries and places that are taken for entries. */
MEMLIFT_API memlift_status memlift_queue_count(const struct memlift_queue *queue,
                                               uint32_t *count) MEMLIFT_NOEXCEPT;

/* Pushes are refused from now on, pops go on until the queue is empty. All who wait look again. */
MEMLIFT_API memlift_status memlift_queue_close(struct memlift_queue *queue) MEMLIFT_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif
