/* harts.h - tasks on bare metal: what a board brings, and how its harts become units
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A hart is a core without an operating system on it. One of them is the host: it creates the
 * context (kind MEMLIFT_UNITS_HARTS), and works while it waits, as host threads do elsewhere. The
 * others are units. All share memory that is coherent, at equal addresses.
 *
 * Each hart has a struct memlift_hart of its own, and its thread pointer (RISC-V tp, AArch64
 * TPIDR_EL0) points to the byte after it, before the hart calls anything of the library. That is
 * how the library knows on which hart it runs; thread-local variables of the firmware lie above,
 * and are not in the way. docs/porter has the steps.
 *
 * A hart that sleeps does so in `wait` of its board, and is woken by `ring`. A ring that comes
 * before the wait must end it, or a wake-up is lost: a pending interrupt does that.
 */
#ifndef MEMLIFT_HARTS_H
#define MEMLIFT_HARTS_H

#include "../include/memlift/tasks.h"

struct memlift_parker;
struct memlift_store;

/* State of one hart. `number` is for the board, which sets it; the rest is the library's, and
 * starts with 0. */
struct memlift_hart {
  uint64_t number;
  struct memlift_parker *parker; /* unit or seat, NULL: none */
  struct memlift_store *store;   /* local store, NULL: none */
  uint64_t unused;               /* the size is a multiple of a stack's alignment */
};

/* Memory, clock and interrupts of a board, as the library asks for them. */
struct memlift_board {
  /* Memory for contexts and stacks, all of it the library's. A context takes about 2.4 MiB, a
   * task with a stack that stack and 64 bytes. */
  void *memory;
  size_t size;
  uint32_t units; /* harts that call memlift_hart_serve, MEMLIFT_UNITS at most */

  /* Nanoseconds since some time, the same for all harts. */
  uint64_t (*now)(void);

  /* Sleeps the calling hart until somebody rings it, or for about so many nanoseconds. It may
   * return for no reason. Returns at once when it was rung since it returned last. */
  void (*wait)(uint64_t nanoseconds);

  /* Wakes the hart of that number, if it sleeps or is about to. From any hart. */
  void (*ring)(uint64_t hart);
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Says what the board is, before any other hart calls the library. *board stays in use. Again: it
 * is another one, of which nothing is in use yet.
 * MEMLIFT_INVALID_ARGUMENT: a function is missing, or there are too many units. */
memlift_status memlift_board_use(const struct memlift_board *board);

/* Makes the calling hart that unit, from 0 to units - 1: it waits for a context with such a unit,
 * and takes its tasks until the context is destroyed. To be called again then. What is bound to a
 * unit (its local store, what moves for it) belongs before this. MEMLIFT_INVALID_ARGUMENT: the
 * board has no such unit. */
memlift_status memlift_hart_serve(unsigned unit);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

/* The calling hart. */
#if defined(MEMLIFT_MODEL_HARTS) /* one thread has them all */
extern __attribute__((visibility("hidden"))) struct memlift_hart *memlift_model_hart;
static inline struct memlift_hart *memlift_hart_self(void) { return memlift_model_hart; }
#else
static inline struct memlift_hart *memlift_hart_self(void) {
  return (struct memlift_hart *)__builtin_thread_pointer() - 1;
}
#endif

#endif
