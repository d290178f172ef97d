/* kept.h - the tasks that a unit keeps, which nobody else may take
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A task that has begun stays on its unit. Where that unit makes it ready itself, as the task
 * yields or another one of the unit wakes it, no other thread needs to find it. So it goes into a
 * list that belongs to the unit's thread alone, with the ticket that its ring would give out next:
 * it comes after the tasks of that ring with lower tickets, and before the others. That is the
 * order that an entry would have given it, without an atomic operation. Its word says that it runs,
 * which is all that others have to know of it.
 *
 * The list holds tasks of one priority at a time; what does not fit into it takes an entry. Nor
 * does it hold those of contexts whose units may be lost, as nobody could bury it, of those that
 * age, and of boards, where it would take room.
 */
#ifndef MEMLIFT_TASKS_KEPT_H
#define MEMLIFT_TASKS_KEPT_H

#include "../include/memlift/tasks.h"

#define MEMLIFT_KEPT 32u /* places; a power of two */

struct memlift_kept_task {
  struct memlift_slot *slot;
  uint64_t before; /* it comes before this ticket */
};

struct memlift_kept {
  uint32_t first, end; /* numbers of the first one and of the next one that will come */
  uint32_t priority;
  struct memlift_kept_task task[MEMLIFT_KEPT];
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

struct memlift_parker;
struct memlift_slot;

/* pull.c. Has the unit `me`, which runs here, keep a task whose word the caller alone may change,
 * and which is ready with that. 0: it cannot, and nothing is done. */
int memlift_keep(const memlift_context *c, struct memlift_parker *me, struct memlift_slot *slot);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
