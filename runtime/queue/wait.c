/* wait.c - events: watch the counter for a while, then announce, read again, sleep
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Problem: a thread waits for a counter to change. The change should be seen soon, cost the
 * notifier little when no thread sleeps, and never be missed.
 *
 * Naive: spin on the counter. That is fast but takes a core for as long as it lasts, and takes it
 * from the notifier where both share one. A futex alone costs the waiter two system calls, and the
 * notifier one for each notification, whether or not a thread sleeps.
 *
 * Idea: three steps, each cheaper to be in and dearer to leave than the one before. First the core
 * watches the line (watch.c). Then the waiter announces itself in `armed`, reads the counter once
 * more, and sleeps in a futex. The notifier moves the counter, then reads `armed`, and makes the
 * system call only when it is not 0.
 *
 * Why no wake-up is lost: waiter and notifier each store one word and then load the other's
 * (Dekker's pattern). The barrier `arm` between store and load makes it impossible that both load
 * the old value. So either the waiter sees the new count and does not sleep, or the notifier sees
 * `armed` and wakes it. The kernel compares the count again under its own lock, which closes the
 * gap between the waiter's last read and its sleep.
 *
 * Limits: all waiters wake at each notification, which is right for the few that an event has here.
 * `armed` may stay too high when a thread is killed or leaves by longjmp in its sleep; that costs
 * system calls, never a wake-up.
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "barriers.h"
#include "wait.h"
#include "watch.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Nanoseconds that a core which can watch stands still before the thread sleeps in the system. An
 * estimate: no machine at hand reports such a core. */
#define WATCH_NS 50000u

#if defined(SYS_futex)
#define HERE FUTEX_PRIVATE_FLAG /* the threads of one process; 0: of all that map the memory */

/* Sleeps while *word is `value`; the kernel compares under its lock. By syscall, as libc has no
 * function for it, and so without a cancellation point. */
static void sleep_while(uint32_t *word, uint32_t value, uint64_t nanoseconds, int where) {
  struct timespec limit = {(time_t)(nanoseconds / 1000000000u), (long)(nanoseconds % 1000000000u)};
  syscall(SYS_futex, word, FUTEX_WAIT | where, value, &limit, NULL, 0);
}

static void wake(uint32_t *word, int count, int where) {
  syscall(SYS_futex, word, FUTEX_WAKE | where, count, NULL, NULL, 0);
}
#else
/* 32-bit targets that have only the futex with 64-bit time: yielding is enough for a soft
 * device. */
#define HERE 0

static void sleep_while(uint32_t *word, uint32_t value, uint64_t nanoseconds, int where) {
  (void)word, (void)value, (void)nanoseconds, (void)where;
  sched_yield();
}

static void wake(uint32_t *word, int count, int where) { (void)word, (void)count, (void)where; }
#endif

/* Acquire: pairs with the release in memlift_event_notify. */
uint32_t memlift_event_read(const struct memlift_event *event) {
  return __atomic_load_n(&event->count, __ATOMIC_ACQUIRE);
}

static void notify(struct memlift_event *event, int where) {
  /* Release: a waiter that reads the new count sees all that was done before. */
  __atomic_fetch_add(&event->count, 1, __ATOMIC_RELEASE);
  memlift_barrier_arm(); /* the new count is visible before `armed` is read */
  if (__atomic_load_n(&event->armed, __ATOMIC_RELAXED))
    wake(&event->count, INT_MAX, where);
}

void memlift_event_notify(struct memlift_event *event) { notify(event, HERE); }
void memlift_event_notify_shared(struct memlift_event *event) { notify(event, 0); }

static void wait_for(struct memlift_event *event, uint32_t seen, uint64_t nanoseconds, int where) {
  /* A core that cannot watch polls for some microseconds (a limit of 0), then sleeps. */
  uint64_t longest = memlift_watch_in_use() == MEMLIFT_WATCH_POLL ? 0 : WATCH_NS;
  if (memlift_watch(&event->count, sizeof event->count, seen,
                    nanoseconds < longest ? nanoseconds : longest))
    return;
  __atomic_fetch_add(&event->armed, 1, __ATOMIC_RELAXED);
  memlift_barrier_arm(); /* `armed` is visible before the count is read for the last time */
  if (memlift_event_read(event) == seen)
    sleep_while(&event->count, seen, nanoseconds, where);
  __atomic_fetch_sub(&event->armed, 1, __ATOMIC_RELAXED);
}

void memlift_event_wait(struct memlift_event *event, uint32_t seen, uint64_t nanoseconds) {
  wait_for(event, seen, nanoseconds, HERE);
}

void memlift_event_wait_shared(struct memlift_event *event, uint32_t seen, uint64_t nanoseconds) {
  wait_for(event, seen, nanoseconds, 0);
}

/* Returns the half of *word that holds its lowest bits, on machines of either byte order. */
static uint32_t *low_half(uint64_t *word) {
  return (uint32_t *)(void *)word + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

void memlift_sleep_while_low(uint64_t *word, uint32_t low, uint64_t nanoseconds) {
  sleep_while(low_half(word), low, nanoseconds, HERE);
}

void memlift_wake_low(uint64_t *word) { wake(low_half(word), 1, HERE); }
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
