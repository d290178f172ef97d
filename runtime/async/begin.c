/* begin.c - memlift_begin_copy, memlift_begin_fill and memlift_end: what compilers call
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A loop may stand where memlift_submit may not be called: in a signal handler that has interrupted
 * the thread that holds the lock, or in a child after vfork. So the lock is tried a few times and
 * never waited for. Where it is not free, no slot is free or no engine is in use, the CPU does the
 * operation at once, and the token is 0: there is nothing to end. A compiler may therefore begin an
 * operation at any place where the loop could run.
 */
#define _GNU_SOURCE
#include "../config.h"
#include "../entry/operations.h"

#if MEMLIFT_HAVE_ENGINES
#include "beside.h"
#include "hub.h"

#include <errno.h>
#include <unistd.h>

/* Attempts to take the lock. A lock of another thread is free soon; one of the code that a handler
 * interrupted never is, and the two cannot be told apart. */
#define TRIES 64

/* Registers for forks before the program runs: pthread_atfork allocates, which may not happen where
 * a loop may stand. */
__attribute__((constructor(102))) static void watch(void) {
  memlift_hub_lock();
  memlift_hub_watch();
  memlift_hub_unlock();
}

/* Returns 1 with the lock held and a slot free. */
static int may_begin(void) {
  for (int i = 0; i < TRIES; i++) {
    if (!memlift_hub_trylock())
      continue;
    if (memlift_hub_free_slots())
      return 1;
    memlift_hub_unlock();
    return 0;
  }
  return 0;
}

/* Returns the token; 0: nothing has been done. Signals are held back, so that a handler which
 * leaves the loop by longjmp cannot leave the lock held. The two system calls are little beside the
 * smallest operation that an engine is worth while for. */
static uint64_t begin(const struct memlift_submission *s) {
  int saved_errno = errno;
  uint64_t token = 0, signals;
  struct memlift_touching touching = memlift_touching_begin();
  /* A child after vfork is another process in the parent's memory. It is recognised before the hub
   * is touched. */
  if (__atomic_load_n(&memlift_hub_process, __ATOMIC_RELAXED) == getpid() &&
      memlift_touching_takes(&touching, s)) {
    memlift_touching_meet(&touching, s);
    memlift_signals_hold(&signals);
    if (may_begin()) {
      token = memlift_hub_submit(s, &touching);
      memlift_hub_unlock();
    }
    memlift_signals_let(&signals);
  }
  errno = saved_errno;
  return token;
}

uint64_t memlift_begin_copy(void *dst, const void *src, size_t n) {
  /* Regions that overlap are no engine's: memlift_do_move. 0 bytes never go to an engine, as no
   * limit is below 1. */
  int disjoint = (uintptr_t)dst - (uintptr_t)src >= n && (uintptr_t)src - (uintptr_t)dst >= n;
  if (disjoint && memlift_for_engine(n)) {
    struct memlift_submission s = {
        .operation = MEMLIFT_SUBMIT_COPY, .destination = dst, .source = src, .size = n};
    uint64_t token = begin(&s);
    if (token)
      return token;
  }
  memlift_do_move(dst, src, n);
  return 0;
}

uint64_t memlift_begin_fill(void *dst, uint64_t pattern, size_t period, size_t n) {
  if (memlift_for_engine(n) && period - 1 < 8 && !memlift_is_odd_period((uint32_t)period)) {
    struct memlift_submission s = {.operation = MEMLIFT_SUBMIT_FILL,
                                   .destination = dst,
                                   .size = n,
                                   .pattern = pattern,
                                   .period = (uint32_t)period};
    uint64_t token = begin(&s);
    if (token)
      return token;
  }
  memlift_do_pattern(dst, pattern, period, n);
  return 0;
}

/* The engine gets even what would not pay: the caller has other work meanwhile. */
uint64_t memlift_begin_beside(void *dst, const void *src, size_t n) {
  struct memlift_submission s = {.operation = MEMLIFT_SUBMIT_COPY,
                                 .flags = MEMLIFT_SUBMITTED_ANY_SIZE,
                                 .destination = dst,
                                 .source = src,
                                 .size = n};
  return begin(&s);
}

/* Waits without a limit: the code after this call reads the bytes. */
void memlift_end(uint64_t token) {
  if (token)
    memlift_wait((memlift_token){token}, UINT64_MAX);
}
#else
/* No engines in this build: the CPU does all at once. */
#include "../include/memlift/async.h"

uint64_t memlift_begin_copy(void *dst, const void *src, size_t n) {
  memlift_do_move(dst, src, n);
  return 0;
}

uint64_t memlift_begin_fill(void *dst, uint64_t pattern, size_t period, size_t n) {
  memlift_do_pattern(dst, pattern, period, n);
  return 0;
}

void memlift_end(uint64_t token) { (void)token; }
#endif
