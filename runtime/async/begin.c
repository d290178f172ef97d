/* begin.c - memlift_begin_copy, memlift_begin_fill and memlift_end: what compilers call
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A loop may stand where memlift_submit may not be called: in a signal handler that has interrupted
 * the thread that holds the lock, or in a child after vfork. There, and when an engine is not asked
 * or no slot is free, all is done at once, and there is nothing to end.
 */
#define _GNU_SOURCE
#include "../config.h"
#include "../kernels/operations.h"

#if MEMLIFT_HAVE_ENGINES
#include "hub.h"

#include <errno.h>
#include <unistd.h>

/* How often the lock is tried: that of another thread is free soon, that of the code which a
 * handler interrupted never is. */
#define TRIES 64

/* pthread_atfork allocates, so it is not for those who begin. */
__attribute__((constructor(102))) static void watch(void) {
  memlift_hub_lock();
  memlift_hub_watch();
  memlift_hub_unlock();
}

/* 1: the lock is held, and there is a slot. */
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

/* 0: nothing has been done. A handler that leaves the loop by longjmp is to leave no lock behind:
 * so signals are held back, which is little beside the least that an engine is worth while for. */
static uint64_t begin(const struct memlift_submission *s) {
  int saved_errno = errno;
  uint64_t token = 0, signals;
  struct memlift_touching touching = memlift_touching_begin();
  /* The child after a vfork is another process with this memory. Asked before the hub is
   * touched. */
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
  /* Of 0 bytes there is nothing to end: no engine's limit is below 1. */
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

void memlift_end(uint64_t token) {
  if (token)
    memlift_wait((memlift_token){token}, UINT64_MAX);
}
#else
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
