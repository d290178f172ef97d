/* pump.h - pieces in an engine: submitted, collected, and given time
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * offload.c has a pump for the call that it carries out, async/ one for all operations under way.
 * They decide how large pieces are, when to sleep and when to give up; what becomes of a piece is
 * here. A piece that fails is a hole of its own operation, of which nothing more is submitted.
 */
#ifndef MEMLIFT_PUMP_H
#define MEMLIFT_PUMP_H

#include "rest.h"

/* A piece in flight. */
struct memlift_flight {
  size_t start;
  uint32_t size; /* plan.c cuts at MEMLIFT_LARGEST_PIECE */
  memlift_ticket ticket;
};

/* Pieces in flight: about 4 KiB. Its user sets all members before the first piece. */
struct memlift_pump {
  const struct memlift_engine *engine; /* the one that is acquired; NULL: none */

  /* The operation of each flight, in an array as long as `flight`; NULL: all are of `only`. */
  struct memlift_job **owner, *only;

  /* A word that a fork changes in the child, and its value in this process. A handler may fork in
   * the middle of a function of the pump: in the child the engine is the parent's. */
  const uint32_t *fork;
  uint32_t here;

  /* Called when the last flight of an operation has completed. NULL: nothing to do. */
  void (*completed)(struct memlift_job *job);

  unsigned flights;
  struct memlift_flight flight[MEMLIFT_WINDOW];
};

/* Returns 1 in a child that a handler has made since the engine was acquired. */
static inline int memlift_pump_is_in_child(const struct memlift_pump *p) {
  return __atomic_load_n(p->fork, __ATOMIC_RELAXED) != p->here;
}

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Submits the next pieces of an operation, `wanted` bytes at most. MEMLIFT_BAD_COMMAND: the engine
 * cannot do the granule at the front. MEMLIFT_BUSY: not all were taken; nothing more will be if the
 * operation gave up, else after a completion. */
memlift_status memlift_pump_submit(struct memlift_pump *p, struct memlift_job *job, size_t wanted);

/* Collects the pieces that have completed, or all if the engine has been aborted. Returns whether
 * there was one. */
int memlift_pump_collect(struct memlift_pump *p, int aborted);

/* Returns 1 when no piece of the operation has completed within the time limit and no more time is
 * given. A thread that may not ask whether the engine is at work assumes that it is. */
int memlift_pump_is_overdue(const struct memlift_pump *p, struct memlift_job *job, uint64_t now,
                            int may_ask);

/* Aborts all that is in the engine; each piece that has not completed becomes a hole. */
void memlift_pump_abort(struct memlift_pump *p);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
