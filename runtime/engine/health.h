/* health.h - whether the engine in use answers, and when one that does not is tried again
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Each time-out costs its user the whole time limit. After MEMLIFT_SILENT_AFTER of them in a row,
 * with no answer in between, the engine is left alone: its operations are the CPU's. After a pause
 * one operation tries it again. A time-out of that one doubles the pause, up to
 * MEMLIFT_LONGEST_PAUSE_NS; any answer ends all of it. Of the engine in use, in this process;
 * async-signal-safe, and thread-safe.
 */
#ifndef MEMLIFT_HEALTH_H
#define MEMLIFT_HEALTH_H

#include "engine.h"

#define MEMLIFT_SILENT_AFTER 3u
#define MEMLIFT_FIRST_PAUSE_NS ((uint64_t)1000000000)
#define MEMLIFT_LONGEST_PAUSE_NS ((uint64_t)300 * 1000000000)

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Counts of time-outs since the last answer, and nanoseconds of the pause that is under way or
 * over. */
struct memlift_health {
  uint32_t time_outs;
  uint64_t pause;
  uint64_t again; /* on the engine's clock */
};
extern struct memlift_health memlift_health;

/* 1 when an operation may go to the engine; it is the one that tries it, if the engine is
 * silent. */
int memlift_health_try(const struct memlift_engine *engine);

/* An abort was needed, and nothing had been answered. */
void memlift_health_timed_out(const struct memlift_engine *engine);

/* A piece was answered, in whatever way; or an engine is started. */
static inline void memlift_health_answered(void) {
  if (__atomic_load_n(&memlift_health.time_outs, __ATOMIC_RELAXED))
    __atomic_store_n(&memlift_health.time_outs, 0, __ATOMIC_RELAXED);
}

static inline int memlift_health_is_silent(void) {
  return __atomic_load_n(&memlift_health.time_outs, __ATOMIC_RELAXED) >= MEMLIFT_SILENT_AFTER;
}

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
