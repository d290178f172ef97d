/* system.h - what tasks ask of what is under them: an operating system, or the harts of a board
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_TASKS_SYSTEM_H
#define MEMLIFT_TASKS_SYSTEM_H

#include "../config.h"

#include <stddef.h>
#include <stdint.h>

struct memlift_parker;
struct memlift_slot;

#if MEMLIFT_HAVE_ENGINES
#include <pthread.h>
#include <sched.h>

/* A number of the calling thread that no other one has. Not 0; bits 62 and 63 are 0. */
static inline uint64_t memlift_thread_self(void) { return (uint64_t)(uintptr_t)pthread_self(); }

/* Lets others have the CPU, as one of them has what the caller needs. */
static inline void memlift_give_way(void) { sched_yield(); }

/* Where a task begins, and when it has ended: its stack stays where it was created. */
static inline void memlift_stack_settle(struct memlift_slot *slot) { (void)slot; }
static inline void memlift_stack_vacate(struct memlift_slot *slot) { (void)slot; }

#elif MEMLIFT_HAVE_TASKS
#include "../queue/barriers.h"
#include "bits.h"
#include "harts.h"

static inline uint64_t memlift_thread_self(void) {
  return (uint64_t)(uintptr_t)memlift_hart_self();
}

#if defined(MEMLIFT_MODEL_HARTS)
static inline void memlift_give_way(void) { memlift_model_give_way(); }
#else
static inline void memlift_give_way(void) { memlift_barrier_relax(); }
#endif

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* hart_memory.c: makes all memory of the board free. */
void memlift_hart_memory_begin(void);

/* hart_memory.c: memory of the board, zeroed or not. NULL: there is none left. */
void *memlift_hart_memory(size_t size);
void memlift_hart_memory_free(void *memory);

/* hart_memory.c. Moves the stack of a task that begins into the local store of its unit, if there
 * is room; and back, when it has ended. */
void memlift_stack_settle(struct memlift_slot *slot);
void memlift_stack_vacate(struct memlift_slot *slot);

/* unit_hart.c: NULL before memlift_board_use. */
extern const struct memlift_board *memlift_board;

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop
#endif

#endif
