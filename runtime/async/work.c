/* work.c - the CPU's part of the operations that are under way, done by who waits for them
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../kernels/dispatch.h"
#include "hub.h"

void memlift_op_withdraw(struct memlift_op *op) {
  memlift_list_remove(&memlift_hub.ready, op);
  if (op->rest.front == op->rest.body.begin) /* nothing of it has been sent */
    memlift_count_size(&memlift_engine_cpu, op->whole.size);
  op->gave_up = 1; /* or all of it has been sent */
  op->stage = MEMLIFT_FLYING;
  if (!op->flights)
    memlift_op_landed(op);
}

static void sum(const struct memlift_op *op) {
  *op->sum_to = memlift_inet_sum(op->whole.source, op->whole.size, op->init);
}

/* All that is left. Without the lock; nobody else touches op. */
static void finish(const struct memlift_op *op) {
  const struct memlift_request *whole = &op->whole;
  if (op->period) {
    memlift_cpu_pattern(whole->destination, whole->pattern, op->period, whole->size);
  } else if (!op->engine && op->sum == MEMLIFT_PART_LEFT) {
    *op->sum_to = memlift_copy_inet_sum(whole->destination, whole->source, whole->size, op->init);
    return;
  } else if (!op->engine) {
    memlift_on_cpu(NULL, whole, 0, whole->size);
  } else if (memlift_op_forked(op)) {
    memlift_on_cpu(op->engine, whole, 0, whole->size);
    memlift_count(&memlift_engine_counted.cpu_bytes, whole->size);
  } else {
    if (op->ends == MEMLIFT_PART_LEFT)
      memlift_rest_ends(&op->rest, op->engine, whole);
    memlift_rest_middle(&op->rest, op->engine, whole);
  }
  if (op->sum == MEMLIFT_PART_LEFT)
    sum(op);
}

static void do_the_rest(struct memlift_op *op) {
  op->stage = MEMLIFT_ON_CPU;
  op->worker = pthread_self();
  memlift_hub_unlock();
  finish(op);
  memlift_hub_lock();
  memlift_op_done(op, MEMLIFT_OK);
}

/* ---- Beside the engine --------------------------------------------------------------------- */

static void begin_part(struct memlift_op *op, enum memlift_part *part) {
  *part = MEMLIFT_PART_DONE;
  op->helpers++;
  memlift_hub_unlock();
}

static void end_part(struct memlift_op *op) {
  memlift_hub_lock();
  if (op->helpers) /* in a child after fork it has none any more */
    op->helpers--;
  if (op->stage == MEMLIFT_LANDED)
    memlift_op_landed(op);
}

/* The engine may have been planned for anew meanwhile: then it was for nothing. */
static void do_ends(struct memlift_op *op) {
  const struct memlift_engine *engine = op->engine;
  struct memlift_rest rest = op->rest;
  begin_part(op, &op->ends);
  memlift_rest_ends(&rest, engine, &op->whole);
  end_part(op);
}

static void do_sum(struct memlift_op *op) {
  begin_part(op, &op->sum);
  sum(op);
  end_part(op);
}

/* ---- What is to be done now ---------------------------------------------------------------- */

int memlift_op_work_on(struct memlift_op *op, int waits) {
  if (op->cancelling)
    return 0;
  if (op->stage == MEMLIFT_LANDED && !op->helpers) {
    do_the_rest(op);
    return 1;
  }
  if (op->stage == MEMLIFT_READY && !memlift_hub_may_drive()) {
    memlift_op_withdraw(op);
    return 1;
  }
  if (op->stage != MEMLIFT_READY && op->stage != MEMLIFT_FLYING)
    return 0;
  if (op->ends == MEMLIFT_PART_LEFT) {
    do_ends(op);
    return 1;
  }
  if (waits && op->sum == MEMLIFT_PART_LEFT) {
    do_sum(op);
    return 1;
  }
  return 0;
}

int memlift_op_work(struct memlift_op *op) {
  struct memlift_op *blocker;
  while (op->stage == MEMLIFT_HELD && (blocker = memlift_op_blocker(op)) != NULL)
    op = blocker;
  return memlift_op_work_on(op, 1);
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
