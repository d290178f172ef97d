/* fork.c - a child after fork: the tokens are its own, the engine and the other threads are not
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The child has a copy of the hub and of the program's memory, with sources as they were. It has
 * neither the parent's other threads nor its engine, and does not know which bytes the engine had
 * written. So it adopts each operation under way and lets the CPU do all of it again, when a thread
 * of the child waits for it. Writing right bytes twice does no harm: regions are disjoint.
 *
 * The usual pattern, to take the lock in the prepare handler, fails where a signal handler forks
 * and has interrupted the thread that holds the lock. Then the child goes on in the middle of a
 * function of the hub (`torn` before the fork, `orphaned` in the child). It may finish that
 * function, but calls no engine meanwhile: drive.c checks `orphaned` before each call. The adoption
 * waits for the unlock.
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "hub.h"

#include <unistd.h>

int64_t memlift_hub_process;

/* Notes which process the hub belongs to. */
static void become_mine(void) {
  __atomic_store_n(&memlift_hub_process, getpid(), __ATOMIC_RELAXED);
}

/* Takes the lock, so that the hub is consistent in the child; unless this very thread holds it.
 * `torn` is changed with the lock alone, as another thread may be in its own fork. */
static void before_fork(void) {
  if (memlift_hub_is_mine())
    memlift_hub.torn = 1;
  else
    memlift_hub_lock();
}

static void in_parent(void) {
  if (!memlift_hub.torn)
    memlift_hub_unlock();
  else
    memlift_hub.torn = 0;
}

/* Gives all of an operation to the CPU, from the beginning; one that was being cancelled is
 * dropped. A chunk that this very thread was doing does not count: do_chunk compares the
 * generation. */
static void adopt(struct memlift_op *op) {
  if (op->cancelling) {
    memlift_op_over(op, MEMLIFT_DROPPED);
    return;
  }
  op->job.engine = NULL;
  op->job.flights = 0, op->job.gave_up = op->busy = 0;
  memlift_rest_all(&op->job);
  op->ends = MEMLIFT_SHARE_NONE;
  op->sum = op->sum_to ? MEMLIFT_SHARE_LEFT : MEMLIFT_SHARE_NONE;
  memlift_op_rewind(op);
  memlift_op_set_stage(op, MEMLIFT_ENGINE_DONE);
}

/* Collects the free slots anew. A thread may have freed a slot and not pushed it yet, so the two
 * stacks may miss it. If that is the thread that forks, it goes on with its push in the child: the
 * new generation in `returned` makes that fail. */
static void gather_free_slots(void) {
  struct memlift_hub *hub = &memlift_hub;
  hub->free = NULL, hub->free_slots = 0;
  __atomic_store_n(&hub->returned, hub->generation, __ATOMIC_RELAXED);
  for (unsigned i = 0; i < hub->used; i++)
    if (memlift_op_stage(&hub->op[i]) == MEMLIFT_FREE) {
      hub->op[i].next = hub->free, hub->free = &hub->op[i];
      hub->free_slots++;
    }
}

/* Makes the hub this process's own. With the lock, or where no other thread exists. */
static void take_over(void) {
  struct memlift_hub *hub = &memlift_hub;
  hub->orphaned = 0, hub->forked = 1;
  hub->generation = (hub->generation + 1) % MEMLIFT_GENERATIONS;
  memlift_hub_changed()->armed = 0;
  hub->pump.engine = NULL, hub->pump.flights = 0, hub->draining = 0;
  hub->ready.first = hub->ready.last = NULL;
  gather_free_slots();
  for (unsigned i = 0; i < hub->used; i++) {
    enum memlift_stage stage = memlift_op_stage(&hub->op[i]);
    if (stage == MEMLIFT_READY || stage == MEMLIFT_IN_FLIGHT || stage == MEMLIFT_ENGINE_DONE)
      adopt(&hub->op[i]);
  }
}

void memlift_hub_become_child(void) {
  if (memlift_hub.orphaned)
    take_over();
}

/* The only thread of the child is the one that forked. */
static void in_child(void) {
  become_mine();
  memlift_hub.orphaned = 1;
  if (!memlift_hub.torn) {
    take_over();
    memlift_hub_unlock_in_child();
  }
  memlift_hub.torn = 0;
}

int memlift_hub_watch(void) {
  if (!memlift_hub.watching && pthread_atfork(before_fork, in_parent, in_child) == 0) {
    memlift_hub.watching = 1;
    become_mine();
  }
  return memlift_hub.watching;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
