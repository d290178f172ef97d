/* trace.h - where the time of each unit went, for MEMLIFT_TRACE
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Without MEMLIFT_TRACE nobody has a track, and each place that traces is one comparison. A track
 * belongs to a thread, which alone writes it. Times are nanoseconds: of the mover's clock for what
 * a local store does, of memlift_now for tasks. Both are the same clock, but for a model's mover.
 */
#ifndef MEMLIFT_TASKS_TRACE_H
#define MEMLIFT_TASKS_TRACE_H

#include "../config.h"

#include <stddef.h>
#include <stdint.h>

#define MEMLIFT_SPAN_NAME 24 /* as that of a task */

enum memlift_span_kind {
  MEMLIFT_SPAN_TASK,      /* a task runs: from when it got the unit until it left */
  MEMLIFT_SPAN_SLEEP,     /* there was nothing to do */
  MEMLIFT_SPAN_SETUP,     /* a transfer is started */
  MEMLIFT_SPAN_WAIT,      /* for a transfer */
  MEMLIFT_SPAN_COMPUTE,   /* a block of a loop, in the local store or in place */
  MEMLIFT_SPAN_GET,       /* done by the thread itself */
  MEMLIFT_SPAN_PUT,       /* the same */
  MEMLIFT_SPAN_GET_MOVES, /* beside the thread: until its end was seen */
  MEMLIFT_SPAN_PUT_MOVES
};

struct memlift_track;

#if MEMLIFT_HAVE_ENGINES
#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* The track of the calling thread; NULL: nothing is traced, or there are too many threads. Not
 * async-signal-safe: whoever traces gets it once, and keeps it. */
struct memlift_track *memlift_track_mine(void);

/* A track for a unit that is about to be forked; NULL: nothing is traced, or there are too many. */
struct memlift_track *memlift_track_of_process(uint32_t unit);

/* In the unit's process: that track, or NULL, is the one of its thread. */
void memlift_track_adopt(struct memlift_track *track);

/* Notes a span. name may be NULL. What does not fit any more is counted, and not kept. */
void memlift_trace(struct memlift_track *track, enum memlift_span_kind kind, uint64_t begin,
                   uint64_t end, uint64_t bytes, const char *name);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#else
static inline struct memlift_track *memlift_track_mine(void) { return NULL; }

static inline void memlift_trace(struct memlift_track *track, enum memlift_span_kind kind,
                                 uint64_t begin, uint64_t end, uint64_t bytes, const char *name) {
  (void)track, (void)kind, (void)begin, (void)end, (void)bytes, (void)name;
}
#endif

#endif
