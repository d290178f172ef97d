/* engine_lock.h - one user of an engine at a time, in the process that started it
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The lock is a flag that is tried and never waited for: a signal handler may have interrupted the
 * thread that holds it, which then cannot go on before the handler returns. A caller that does not
 * get the lock does its work on the CPU.
 *
 * The lock also records the process that started the engine. A child after fork has neither the
 * engine's threads nor its mappings, so acquiring fails there until the child has started the
 * engine itself. A child after vfork shares the parent's memory and must not even write to the
 * flag: that is why the process is compared first.
 */
#ifndef MEMLIFT_ENGINE_LOCK_H
#define MEMLIFT_ENGINE_LOCK_H

#include "../include/memlift/memlift.h"

/* Zero-initialised: free, and owned by no process. */
struct memlift_engine_lock {
  uint32_t held; /* 1 between an acquire and the release */
  int64_t owner; /* process that started the engine; 0: none has */
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Tries to take the lock: MEMLIFT_OK, MEMLIFT_BUSY when it is held, or MEMLIFT_NOT_PRESENT in a
 * process that has not started the engine. */
memlift_status memlift_engine_lock_acquire(struct memlift_engine_lock *lock);

/* Tries to take the lock without comparing the process, which the caller knows to be the owner. */
memlift_status memlift_engine_lock_acquire_here(struct memlift_engine_lock *lock);

/* Returns 1 in the process that has started the engine. */
int memlift_engine_lock_is_own_process(const struct memlift_engine_lock *lock);

/* Returns 1 while the lock is held, by whatever thread. */
int memlift_engine_lock_is_held(const struct memlift_engine_lock *lock);

/* Takes the lock for a start of the engine and makes this process its owner. *inherited becomes 1
 * when another process, or none, was the owner before: the engine's state is then not this
 * process's. Callers exclude each other by a lock of their own. */
memlift_status memlift_engine_lock_claim(struct memlift_engine_lock *lock, int *inherited);

/* Releases the lock, so that the next owner sees everything done under it. */
void memlift_engine_lock_release(struct memlift_engine_lock *lock);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop
#endif
