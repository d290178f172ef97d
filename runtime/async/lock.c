/* lock.c - the lock of the hub, with its owner, and the signals that are held back meanwhile
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A signal handler that forks has to know whether the thread that it interrupted holds the lock
 * (fork.c). A pthread mutex with the owner in a word beside it gives a wrong answer between the two
 * stores. So owner and lock are one word, which one compare-and-swap takes: there is no moment at
 * which the answer is wrong.
 *
 * The lowest bit says that threads may sleep for the lock, as in Drepper's "Futexes are tricky":
 * the unlock makes a system call only then. A futex is 32 bits wide, so it watches the low half of
 * the word. Two owners may have equal low halves; a sleeper then sleeps one slice too long, no
 * worse.
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

/* The thread that holds the lock, plus CONTENDED when others may sleep; 0: free. A thread is known
 * by its pthread_t, an address that is aligned, so the lowest bit is free. */
static uint64_t word;

#define CONTENDED ((uint64_t)1)

/* Longest sleep before another attempt, as everywhere in async/. */
#define SLICE_NS 1000000u

static uint64_t self(void) { return (uint64_t)(uintptr_t)pthread_self(); }

/* Acquire: pairs with the release of the unlock. */
int memlift_hub_trylock(void) {
  uint64_t unheld = 0;
  return __atomic_compare_exchange_n(&word, &unheld, self(), 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* Takes the lock and leaves it marked as contended: a thread that has slept cannot know that it was
 * the last sleeper. Acquire: as above. */
static int take_contended(void) {
  uint64_t unheld = 0;
  return __atomic_compare_exchange_n(&word, &unheld, self() | CONTENDED, 0, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED);
}

/* Takes the lock. The mark is set before the sleep, and the sleep compares the marked word: so an
 * unlock in between is not missed. */
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

/* Ripe operations are begun before the lock is free, and an adoption that a fork has put off is
 * done first. Release: the next holder sees all that was done under the lock. */
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

/* Returns the signals that come from outside: all but those raised by the thread's own
 * instructions. As the kernel's set of 64, by system call: libc's functions leave out the two
 * signals that it uses itself, and cancels threads by one of them. */
static uint64_t signals_from_outside(void) {
  const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
  uint64_t set = ~(uint64_t)0;
  for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
    set &= ~((uint64_t)1 << (own[i] - 1));
  return set;
}

void memlift_signals_hold(uint64_t *before) {
  uint64_t set = signals_from_outside();
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, &set, before, sizeof set);
}

void memlift_signals_let(const uint64_t *before) {
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, before, NULL, sizeof *before);
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
