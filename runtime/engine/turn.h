/* turn.h - an engine has one user at a time, in the process that started it
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A flag that is tried, never waited for, so that a signal handler which interrupts the user goes
 * to the CPU. Where an engine's threads and mappings do not exist in a child after fork, nothing is
 * the child's before it has started the engine itself. All zeros is a turn of nobody.
 */
#ifndef MEMLIFT_TURN_H
#define MEMLIFT_TURN_H

#include "../include/memlift/memlift.h"

struct memlift_turn {
  uint32_t taken; /* 1: somebody's */
  int64_t owner;  /* process that started the engine; 0: none has */
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* The turn is the caller's until memlift_turn_give (MEMLIFT_OK), or somebody else's (MEMLIFT_BUSY).
 * Of memlift_turn_take: or MEMLIFT_NOT_PRESENT in a process that has not started the engine. */
memlift_status memlift_turn_try(struct memlift_turn *turn);
memlift_status memlift_turn_take(struct memlift_turn *turn);

/* 1 in the process that has started the engine. */
int memlift_turn_is_mine(const struct memlift_turn *turn);

/* 1 while somebody has the turn. */
int memlift_turn_is_taken(const struct memlift_turn *turn);

/* The same for who starts the engine, whose process it becomes. *inherited: 1 where that is another
 * than before, so that nothing of before is its own. Callers take turns by a lock of theirs. */
memlift_status memlift_turn_begin(struct memlift_turn *turn, int *inherited);

void memlift_turn_give(struct memlift_turn *turn);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop
#endif
