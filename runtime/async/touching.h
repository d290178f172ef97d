/* touching.h - meets the pages of what is submitted, before the lock is taken: see engine/touch.h
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Only operations whose pages have been touched may go to an engine; the CPU does the others. The
 * engine in use may change between the touch and the lock, so both sides go by one look at it.
 */
#ifndef MEMLIFT_TOUCHING_H
#define MEMLIFT_TOUCHING_H

#include "../engine/engine.h"
#include "../include/memlift/async.h"

struct memlift_touching {
  const struct memlift_engine *engine; /* NULL: nothing goes to an engine */
  size_t min;
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Looks which engine is in use, and whether this thread may ask for it. */
struct memlift_touching memlift_touching_begin(void);

/* 1 for what may go to the engine, which memlift_touching_meet has to be called for. */
int memlift_touching_takes(const struct memlift_touching *t, const struct memlift_submission *s);

/* Touches the pages of an operation that the engine may be given. Without the lock: raises
 * signals. */
void memlift_touching_meet(const struct memlift_touching *t, const struct memlift_submission *s);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
