/* wait.h - sleeping until the other side has done something
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An event is a counter that only its notifier moves. A waiter reads it, looks whether there is
 * work, and if not waits until the counter has left the value read. A notification between the look
 * and the wait is not lost: the waiter announces itself, reads the counter again, and only then
 * sleeps. Before that it watches the counter in the core for a while (watch.h).
 *
 * Async-signal-safe and no cancellation point (the system call is made directly); may change errno.
 * Spurious returns happen.
 */
#ifndef MEMLIFT_WAIT_H
#define MEMLIFT_WAIT_H

#include "watch.h"

#include <stdint.h>

/* A counter to wait for; zero-initialised. */
struct memlift_event {
  uint32_t count; /* notifications; wraps */
  uint32_t armed; /* waiters that sleep or are about to */
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Returns the count. Acquire: all that was done before a notification is seen with its count. */
uint32_t memlift_event_read(const struct memlift_event *event);

/* Moves the count and wakes all sleeping waiters; no system call when there are none. */
void memlift_event_notify(struct memlift_event *event);

/* Returns when the count is no longer `seen`, or after about `nanoseconds`. May return early. */
void memlift_event_wait(struct memlift_event *event, uint32_t seen, uint64_t nanoseconds);

/* Notify and wait, as above, on an event in memory that several processes map. */
void memlift_event_notify_shared(struct memlift_event *event);
void memlift_event_wait_shared(struct memlift_event *event, uint32_t seen, uint64_t nanoseconds);

/* Sleeps while the low half of *word is `low`, for about `nanoseconds` at most. For a lock of 64
 * bits: a futex has 32. */
void memlift_sleep_while_low(uint64_t *word, uint32_t low, uint64_t nanoseconds);

/* Wakes one thread that sleeps in memlift_sleep_while_low on that word. */
void memlift_wake_low(uint64_t *word);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
