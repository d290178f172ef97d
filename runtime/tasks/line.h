/* line.h - the line of those who wait for an object, and its lock
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Waiters are linked through themselves, so there is no limit. The lock is held for a few steps,
 * and names who has it. It is taken only to wait, and to wake who waits. A unit that is a process
 * notes the line before it takes the lock, until it has given it back: whoever buries the unit
 * takes the lock over, and puts the object in order (repair.c).
 */
#ifndef MEMLIFT_TASKS_LINE_H
#define MEMLIFT_TASKS_LINE_H

#include "processes.h"

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

void memlift_line_init(struct memlift_line *line);
void memlift_line_lock(memlift_context *c, struct memlift_line *line, enum memlift_line_kind kind);
void memlift_line_unlock(memlift_context *c, struct memlift_line *line);

/* Notes that the caller changes an object of which it has not the lock; NULL: it has done so. */
void memlift_line_note(const memlift_context *c, struct memlift_line *line,
                       enum memlift_line_kind kind);

/* With the lock. */
void memlift_line_remove(memlift_context *c, struct memlift_line *line, unsigned waiter);

/* Announces a wait of that kind and puts it at the end of the line. With the lock. */
void memlift_line_join(struct memlift_wait *w, struct memlift_line *line, enum memlift_line_kind of,
                       enum memlift_wait_kind kind);

/* Takes a waiter out of the line, unless whoever tried to wake it has done so, and counts it off
 * in the low half of *count unless that is NULL. Takes the lock. */
void memlift_line_quit(struct memlift_wait *w, struct memlift_line *line,
                       enum memlift_line_kind kind, uint64_t *count);

/* waiter.c. The first waiter from that one on that has a deadline or looks again by itself;
 * MEMLIFT_WAITERS: there is none. Sequential. */
unsigned memlift_next_waiting(const memlift_context *c, unsigned waiter);

/* A wish of a waiter in a line: how the object is asked for it, and what was given. */
struct memlift_line_wish {
  /* With the lock: takes what is wanted, or counts one more waiter; 1 if it has taken it. */
  int (*take)(struct memlift_line_wish *wish);
  void *object;
  uint64_t *count;    /* as for memlift_line_quit */
  uint64_t owner;     /* this and the next two go to the waiter */
  uint32_t want, how; /* of the object: what for */
  uint32_t got;       /* what take or whoever woke it gave it */
};

/* Takes what an object has for the caller, or waits in its line until it is given that. */
memlift_status memlift_line_wait(memlift_context *c, struct memlift_line *line,
                                 enum memlift_line_kind kind, uint64_t ns,
                                 struct memlift_line_wish *wish);

/* Wakes the first of the line that has not given up: 1 if there was one. Takes the lock. */
int memlift_line_wake_first(memlift_context *c, struct memlift_line *line,
                            enum memlift_line_kind of, enum memlift_wait_kind kind);

/* Links the line anew, from what its waiters say, and returns how many they are. With the lock. */
uint32_t memlift_line_rebuild(memlift_context *c, struct memlift_line *line);

/* The parts of repair.c, each with the lock of the object's line, which has been rebuilt. */
void memlift_semaphore_repair(struct memlift_semaphore *s, uint32_t waiters);
void memlift_semaphore_give_back(struct memlift_semaphore *s);
void memlift_mutex_repair(struct memlift_mutex *m);
void memlift_barrier_repair(struct memlift_barrier *b);
void memlift_events_repair(struct memlift_events *e, uint32_t waiters);
void memlift_events_give_back(struct memlift_events *e, uint32_t bits);

/* repair.c. Takes the waiter of a task that is lost out of its line, and gives what it was given to
 * others. had_been_woken: kind of the wait, 0: no. */
void memlift_object_withdraw(memlift_context *c, unsigned waiter, int had_been_woken);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

/* 1 if somebody is in the line. Sequential: pairs with who joins it and then looks again. */
static inline int memlift_line_has_waiters(const struct memlift_line *line) {
  return __atomic_load_n(&line->first, __ATOMIC_SEQ_CST) != MEMLIFT_NOBODY;
}

#endif
