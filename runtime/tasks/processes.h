/* processes.h - units that are processes: their memory, their keeper, and what they leave
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_TASKS_PROCESSES_H
#define MEMLIFT_TASKS_PROCESSES_H

#include "context.h"

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* arena.c. Maps a context, memory to allocate from, and stacks for its tasks if it has processes;
 * NULL: no memory. */
memlift_context *memlift_arena_map(uint32_t kind, size_t shared);
void memlift_arena_unmap(memlift_context *c);

#if MEMLIFT_BARE
static inline int memlift_arena_has(const memlift_context *c, const void *p, size_t size) {
  (void)c, (void)size;
  return p != NULL;
}
static inline void memlift_arena_close_stack(const memlift_context *c,
                                             const struct memlift_slot *slot) {
  (void)c, (void)slot;
}
#else
/* 1 if all units of the context can access an object there. */
int memlift_arena_has(const memlift_context *c, const void *p, size_t size);

/* Gives a task its stack in the arena. In each process the page below it has to be closed, before
 * that process uses the stack. */
void memlift_arena_give_stack(memlift_context *c, struct memlift_slot *slot);
void memlift_arena_close_stack(const memlift_context *c, const struct memlift_slot *slot);
#endif

/* burial.c. After a unit's process has ended: ends its tasks, or makes them ready again, and puts
 * in order what it was at. On the keeper's thread. */
void memlift_bury(memlift_context *c, unsigned unit);

/* repair.c. Puts an object in order in whose line a unit has stopped. */
void memlift_object_repair(memlift_context *c, struct memlift_line *line, uint32_t kind);

/* keeper.c. Starts the units' processes and the thread that looks after them; ends them. */
memlift_status memlift_keeper_start(memlift_context *c, const char *cpus, size_t store,
                                    uint64_t lease);
void memlift_keeper_end(memlift_context *c);

/* 1 on the keeper's thread, if that unit's process has ended. */
int memlift_keeper_may_take(const memlift_context *c, unsigned unit);

/* Process of a unit, for tests; 0: none now. It is known before it runs a task. Any thread may
 * ask. */
int memlift_keeper_process(const memlift_context *c, unsigned unit);

/* Milliseconds between two looks of a keeper when nothing happens, -1: none; and the clock of
 * leases. Tests change them before they create a context. */
extern int memlift_keeper_round_ms;
extern uint64_t (*memlift_keeper_clock)(void);

/* unit.c. Chooses how many units there are and the CPU of each, and maps the memory of their
 * stores, 0 bytes: none; unmaps it. */
memlift_status memlift_units_prepare(memlift_context *c, const char *cpus, size_t store);
void memlift_units_unmap(memlift_context *c);

/* unit.c. The life of a unit, on its thread. */
void memlift_unit_live(memlift_context *c, struct memlift_parker *me);

/* waiter.c. 1 if that unit has ended the waiter's wait. Cancels a wait, whose task is lost, and
 * returns its kind if it had been woken, else 0. Wakes all who then look again for what they wait
 * for. */
int memlift_wait_was_ended_by(const memlift_context *c, unsigned waiter, unsigned unit);
int memlift_wait_cancel(memlift_context *c, unsigned waiter);
void memlift_wake_those_who_look_again(memlift_context *c);

/* mutex.c. Gives up the mutexes of a task that is lost. */
void memlift_mutex_bury(memlift_context *c, struct memlift_slot *slot);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
