/* engine_lock.c - one user of an engine at a time, in the process that started it
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_OFFLOAD
#include "engine_lock.h"

#if MEMLIFT_HAVE_ENGINES
#include <unistd.h>

static int64_t this_process(void) { return getpid(); }
#else
static int64_t this_process(void) { return 1; } /* no system, one program */
#endif

/* Acquire: pairs with the store of the release. */
memlift_status memlift_engine_lock_acquire_here(struct memlift_engine_lock *lock) {
  return __atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE) ? MEMLIFT_BUSY : MEMLIFT_OK;
}

/* Compares the process first: a child after vfork must not even touch the flag. */
memlift_status memlift_engine_lock_acquire(struct memlift_engine_lock *lock) {
  if (!memlift_engine_lock_is_own_process(lock))
    return MEMLIFT_NOT_PRESENT;
  return memlift_engine_lock_acquire_here(lock);
}

int memlift_engine_lock_is_own_process(const struct memlift_engine_lock *lock) {
  return __atomic_load_n(&lock->owner, __ATOMIC_RELAXED) == this_process();
}

int memlift_engine_lock_is_held(const struct memlift_engine_lock *lock) {
  return __atomic_load_n(&lock->held, __ATOMIC_RELAXED) != 0;
}

memlift_status memlift_engine_lock_claim(struct memlift_engine_lock *lock, int *inherited) {
  *inherited = !memlift_engine_lock_is_own_process(lock);
  if (*inherited) /* first start, or a child after fork: no thread here holds it */
    __atomic_store_n(&lock->held, 0, __ATOMIC_RELAXED);
  memlift_status status = memlift_engine_lock_acquire_here(lock);
  if (status == MEMLIFT_OK)
    __atomic_store_n(&lock->owner, this_process(), __ATOMIC_RELAXED);
  return status;
}

/* Release: the next holder sees all that was done under the lock. */
void memlift_engine_lock_release(struct memlift_engine_lock *lock) {
  __atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);
}
#else
typedef int memlift_no_engine_lock; /* a translation unit must not be empty */
#endif
