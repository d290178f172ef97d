/* wait.c - watch a while, then arm, look again, sleep
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

/* How long a core that can watch stands still before the system is asked, which may give the core
 * to somebody else. Ours, not measured: no machine at hand tells that it can. */
#define WATCH_NS 50000u

#if defined(SYS_futex)
static void sleep_while(uint32_t *word, uint32_t value, uint64_t nanoseconds) {
  struct timespec limit = {(time_t)(nanoseconds / 1000000000u), (long)(nanoseconds % 1000000000u)};
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &limit, NULL, 0);
}

static void wake(uint32_t *word, int count) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}
#else
/* 32-bit targets with 64-bit time only: giving the core away is enough for a soft device. */
static void sleep_while(uint32_t *word, uint32_t value, uint64_t nanoseconds) {
  (void)word, (void)value, (void)nanoseconds;
  sched_yield();
}

static void wake(uint32_t *word, int count) { (void)word, (void)count; }
#endif

/* Acquire: pairs with the release in memlift_event_notify. */
uint32_t memlift_event_read(const struct memlift_event *event) {
  return __atomic_load_n(&event->count, __ATOMIC_ACQUIRE);
}

void memlift_event_notify(struct memlift_event *event) {
  /* Release: whoever reads the new count sees what was done before. */
  __atomic_fetch_add(&event->count, 1, __ATOMIC_RELEASE);
  memlift_barrier_arm(); /* the count is out before we ask whether anybody sleeps */
  if (__atomic_load_n(&event->armed, __ATOMIC_RELAXED))
    wake(&event->count, INT_MAX);
}

void memlift_event_wait(struct memlift_event *event, uint32_t seen, uint64_t nanoseconds) {
  uint64_t longest = memlift_watch_in_use() == MEMLIFT_WATCH_POLL ? 0 : WATCH_NS;
  if (memlift_watch(&event->count, sizeof event->count, seen,
                    nanoseconds < longest ? nanoseconds : longest))
    return;
  __atomic_fetch_add(&event->armed, 1, __ATOMIC_RELAXED);
  memlift_barrier_arm(); /* we are known to sleep before we look for the last time */
  if (memlift_event_read(event) == seen)
    sleep_while(&event->count, seen, nanoseconds);
  __atomic_fetch_sub(&event->armed, 1, __ATOMIC_RELAXED);
}

static uint32_t *low_half(uint64_t *word) {
  return (uint32_t *)(void *)word + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

void memlift_sleep_while_low(uint64_t *word, uint32_t low, uint64_t nanoseconds) {
  sleep_while(low_half(word), low, nanoseconds);
}

void memlift_wake_low(uint64_t *word) { wake(low_half(word), 1); }

uint64_t memlift_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
