/* line.h - the line of those who wait for an object, and its lock
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Waiters are linked through themselves, so there is no limit. The lock is held for a few steps,
 * and names who has it: whoever buries a unit takes over what it had. It is taken only to wait, and
 * to wake who waits.
 */
#ifndef MEMLIFT_TASKS_LINE_H
#define MEMLIFT_TASKS_LINE_H

#include "context.h"

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

void memlift_line_init(struct memlift_line *line);
void memlift_line_lock(struct memlift_line *line);
void memlift_line_unlock(struct memlift_line *line);

/* With the lock. */
void memlift_line_remove(memlift_context *c, struct memlift_line *line, unsigned waiter);

/* Announces a wait of that kind and puts it at the end of the line. With the lock. */
void memlift_line_join(struct memlift_wait *w, struct memlift_line *line,
                       enum memlift_wait_kind kind);

/* Takes a waiter out of the line, unless whoever tried to wake it has done so: 1 if it was in it.
 * Takes the lock. */
int memlift_line_quit(struct memlift_wait *w, struct memlift_line *line);

/* Wakes the first of the line that has not given up: 1 if there was one. Takes the lock. */
int memlift_line_wake_first(memlift_context *c, struct memlift_line *line,
                            enum memlift_wait_kind kind);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

/* 1 if somebody is in the line. Sequential: pairs with who joins it and then looks again. */
static inline int memlift_line_has_waiters(const struct memlift_line *line) {
  return __atomic_load_n(&line->first, __ATOMIC_SEQ_CST) != MEMLIFT_NOBODY;
}

#endif
