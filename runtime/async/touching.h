/* touching.h - touches the pages of submitted operations before the lock is taken: engine/touch.h
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Only operations whose pages have been touched may go to an engine; the CPU does the others. The
 * engine in use may change between the touch and the lock. So it is looked up once, here, and both
 * decisions follow that result.
 */
#ifndef MEMLIFT_TOUCHING_H
#define MEMLIFT_TOUCHING_H

#include "../engine/engine.h"
#include "../include/memlift/async.h"

/* The engine as looked up for one call. */
struct memlift_touching {
  const struct memlift_engine *engine; /* NULL: nothing goes to an engine */
  size_t min;                          /* bytes of the smallest operation that goes to it */
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Looks up the engine in use, and whether this thread may use it. */
struct memlift_touching memlift_touching_begin(void);

/* Returns 1 when an operation may go to the engine: memlift_touching_meet then has to be called. */
int memlift_touching_takes(const struct memlift_touching *t, const struct memlift_submission *s);

/* Touches the pages of an operation that may go to the engine. Called without the lock, since it
 * may raise a signal. */
void memlift_touching_meet(const struct memlift_touching *t, const struct memlift_submission *s);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
