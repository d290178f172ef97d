/* health.h - leaves an engine alone that does not answer, and tries it again later
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Problem: each time-out costs its user the whole time limit. A device that is dead would cost
 * every operation that much, for the life of the process. One time-out proves little, though: a
 * device may be slow once, and one that was reset works again.
 *
 * Idea: a circuit breaker with exponential backoff. MEMLIFT_SILENT_AFTER time-outs in a row, with
 * no answer in between, make the engine silent, and the CPU does its operations at once. After a
 * pause one operation tries the engine again: the one that moves the time of the next try forward
 * by compare-and-swap, so that other threads do not lose time as well. If it times out the pause
 * doubles, up to MEMLIFT_LONGEST_PAUSE_NS; any answer, even a fault, ends the silence.
 *
 * Limits: the state is that of the engine in use, in this process; starting an engine clears it.
 * Its words are relaxed atomics and may be updated by several threads at once: a count that is off
 * by one only changes when the next try is made. Async-signal-safe and thread-safe.
 */
#ifndef MEMLIFT_HEALTH_H
#define MEMLIFT_HEALTH_H

#include "engine.h"

#define MEMLIFT_SILENT_AFTER 3u /* time-outs in a row */
#define MEMLIFT_FIRST_PAUSE_NS ((uint64_t)1000000000)
#define MEMLIFT_LONGEST_PAUSE_NS ((uint64_t)300 * 1000000000)

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* State of the engine in use. */
struct memlift_health {
  uint32_t time_outs; /* since the last answer */
  uint64_t pause;     /* nanoseconds, of the last pause */
  uint64_t again;     /* end of that pause, on the engine's clock */
};
extern struct memlift_health memlift_health;

/* Returns 1 when an operation may go to the engine. If the engine is silent, that operation is the
 * one that tries it. */
int memlift_health_try(const struct memlift_engine *engine);

/* Notes a time-out: an abort was needed. */
void memlift_health_timed_out(const struct memlift_engine *engine);

/* Notes that a piece was answered, in whatever way, or that an engine is started. */
static inline void memlift_health_answered(void) {
  if (__atomic_load_n(&memlift_health.time_outs, __ATOMIC_RELAXED))
    __atomic_store_n(&memlift_health.time_outs, 0, __ATOMIC_RELAXED);
}

/* Returns 1 while the engine is left alone. */
static inline int memlift_health_is_silent(void) {
  return __atomic_load_n(&memlift_health.time_outs, __ATOMIC_RELAXED) >= MEMLIFT_SILENT_AFTER;
}

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
