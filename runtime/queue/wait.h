/* wait.h - sleeping until the other side has done something
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An event is a counter that only its notifier moves. Read it, look whether there is work, and if
 * not wait for the counter to leave the value read. A notification between look and wait is not
 * lost: the waiter arms, looks at the counter again, and only then sleeps. Before that it watches
 * the counter in the core for a while (watch.h).
 *
 * Async-signal-safe and no cancellation point (the system call is made directly); may change
 * errno. Spurious returns happen.
 */
#ifndef MEMLIFT_WAIT_H
#define MEMLIFT_WAIT_H

#include <stdint.h>

struct memlift_event {
  uint32_t count;
  uint32_t armed; /* waiters that sleep or are about to */
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Acquire: what was done before a notify is seen after the count that it made. */
uint32_t memlift_event_read(const struct memlift_event *event);

void memlift_event_notify(struct memlift_event *event);

/* Returns when the count is no longer `seen`, or after about `nanoseconds` at most. */
void memlift_event_wait(struct memlift_event *event, uint32_t seen, uint64_t nanoseconds);

/* For a lock: sleeps while the half of *word that holds its lowest bits is `low`, for about so many
 * nanoseconds at most; wakes one that does. */
void memlift_sleep_while_low(uint64_t *word, uint32_t low, uint64_t nanoseconds);
void memlift_wake_low(uint64_t *word);

/* Monotonic clock in nanoseconds. */
uint64_t memlift_now(void);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
