/* meter.h - counts of what units and host threads have done in all contexts of the process
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Each number is written by one thread at a time and without an atomic operation, in memory of its
 * own. A unit has the same number in each context. What has been done by a context that was
 * destroyed, or by a local store that was unbound, is kept. Statistics read the counts, and lie
 * below tasks: so this is here, and its functions are in tasks/.
 */
#ifndef MEMLIFT_METER_H
#define MEMLIFT_METER_H

#include "../config.h"
#include "../include/memlift/tasks.h"

#define MEMLIFT_METER_ROWS (MEMLIFT_UNITS + 1) /* the units; all host threads together */

enum memlift_meter {
  MEMLIFT_METER_TASKS,  /* run to their end */
  MEMLIFT_METER_PULLS,  /* that found a task */
  MEMLIFT_METER_EMPTY,  /* that found none */
  MEMLIFT_METER_SWITCH, /* tasks that left their stack to wait, or to yield */
  MEMLIFT_METER_SLEEPS,
  MEMLIFT_METER_WAKES, /* notifications that it got */
  MEMLIFT_METER_MOVES, /* transfers for its local store */
  MEMLIFT_METER_BYTES, /* of those */
  MEMLIFT_METER_WAITS, /* for a transfer */
  MEMLIFT_METERS
};

#define MEMLIFT_METER_NAMES                                                                        \
  {"tasks", "pulls",     "empty_pulls",    "switches",      "sleeps",                              \
   "wakes", "transfers", "transfer_bytes", "transfer_waits"}

/* Transfers of one thread. */
struct memlift_moves {
  uint64_t transfers, bytes, waits;
};

struct memlift_meters {
  struct memlift_task_counters tasks;
  uint64_t row[MEMLIFT_METER_ROWS][MEMLIFT_METERS];
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* tasks/meter.c. Fills *out. Each number is exact; they are not taken at one instant. */
void memlift_meter_look(struct memlift_meters *out);

/* tasks/meter.c. Keeps what was done in a context whose units have ended. */
#if MEMLIFT_HAVE_ENGINES
void memlift_meter_keep(const memlift_context *c);
#else
static inline void memlift_meter_keep(const memlift_context *c) { (void)c; }
#endif

/* tasks/create.c. The counters of a context. */
void memlift_context_sum(const memlift_context *c, struct memlift_task_counters *sum);

/* tasks/store.c. Adds the transfers of all threads to the rows. */
void memlift_moves_add(uint64_t row[MEMLIFT_METER_ROWS][MEMLIFT_METERS]);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
