/* lock.c - the lock of the hub, which says who holds it, and the signals that are held back
 * meanwhile
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Owner and lock are one word, taken by one compare-and-swap: a signal handler that forks asks
 * whether the thread that it has interrupted holds the lock, and there is no moment at which the
 * answer is wrong. A pthread mutex and a word beside it have such a moment.
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../queue/wait.h"
#include "hub.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- Lock ---------------------------------------------------------------------------------- */

/* The thread that holds it, and CONTENDED when others may sleep; 0: free. Threads are known by
 * pthread_t, which is the address of something aligned. */
static uint64_t word;

#define CONTENDED ((uint64_t)1)

/* Longest sleep before another look, as everywhere. */
#define SLICE_NS 1000000u

static uint64_t self(void) { return (uint64_t)(uintptr_t)pthread_self(); }

/* Acquire: pairs with the release of the unlock. */
int memlift_hub_trylock(void) {
  uint64_t nobody = 0;
  return __atomic_compare_exchange_n(&word, &nobody, self(), 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* Takes the lock and leaves it marked as contended: a thread that has slept cannot know that it was
 * the last sleeper. Acquire: as above. */
static int take_contended(void) {
  uint64_t nobody = 0;
  return __atomic_compare_exchange_n(&word, &nobody, self() | CONTENDED, 0, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED);
}

void memlift_hub_lock(void) {
  if (memlift_hub_trylock())
    return;
  while (!take_contended()) {
    uint64_t seen = __atomic_load_n(&word, __ATOMIC_RELAXED);
    if (seen &&
        ((seen & CONTENDED) || __atomic_compare_exchange_n(&word, &seen, seen | CONTENDED, 0,
                                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED)))
      memlift_sleep_while_low(&word, (uint32_t)(seen | CONTENDED), SLICE_NS);
  }
}

/* Release: the next holder sees all that was done under the lock. */
void memlift_hub_unlock(void) {
  memlift_hub_become_child();
  memlift_hub_settle();
  if (__atomic_exchange_n(&word, 0, __ATOMIC_RELEASE) & CONTENDED)
    memlift_wake_low(&word);
}

int memlift_hub_is_mine(void) {
  return (__atomic_load_n(&word, __ATOMIC_RELAXED) & ~CONTENDED) == self();
}

void memlift_hub_unlock_in_child(void) { __atomic_store_n(&word, 0, __ATOMIC_RELAXED); }

/* ---- Signals ------------------------------------------------------------------------------- */

/* Those that are no answer to what the thread itself does. The kernel's own set of 64: libc's
 * functions leave out the two that it uses for itself, by one of which a thread is cancelled. */
static uint64_t that_come_from_outside(void) {
  const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
  uint64_t set = ~(uint64_t)0;
  for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
    set &= ~((uint64_t)1 << (own[i] - 1));
  return set;
}

void memlift_signals_hold(uint64_t *before) {
  uint64_t set = that_come_from_outside();
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, &set, before, sizeof set);
}

void memlift_signals_let(const uint64_t *before) {
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, before, NULL, sizeof *before);
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
