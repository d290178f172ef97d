/* drive.c - the engine's part of the operations under way: submitting, collecting, giving up
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The hub acquires the engine for the first piece and releases it after the last, so that ordinary
 * calls (offload.c) get it in between. Several operations are in it at once, in the order in which
 * they could begin. A piece that fails is a hole of its own operation; the others go on.
 *
 * Submitting: pieces of equal size, several for each unit of the engine (plan.c). offload.c shrinks
 * them towards the end instead, but it stays and hands them out; here the thread goes away.
 *
 * Giving up: an engine can abort only all that it has. If one piece is overdue, nothing more is
 * submitted (draining), and the pieces that still come are waited for. When only overdue ones are
 * left the engine is aborted, and each becomes a hole. So a lost piece of one thread costs another
 * thread time, never its bytes.
 *
 * Fairness: an operation that a thread waits for, and that would wait longer for other threads'
 * bytes than for its own, is done by the CPU instead.
 *
 * In a child of a handler that interrupted one of these functions (memlift_hub.orphaned) the engine
 * is the parent's. So that is checked before each call of the engine.
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../engine/health.h"
#include "../engine/session.h"
#include "hub.h"

/* Longest sleep. Another thread may collect the awaited piece just before the sleep begins, and
 * that thread's progress then ends no sleep in the engine. */
#define SLICE_NS 1000000u

static struct memlift_pump *const pump = &memlift_hub.pump;

/* ---- Holding ------------------------------------------------------------------------------- */

int memlift_hub_may_drive(void) {
  return pump->engine &&
         (!pump->engine->one_thread || pthread_equal(memlift_hub.driver, pthread_self()));
}

/* The last piece of an operation has completed. */
static void engine_done(struct memlift_job *job) {
  if (memlift_op_stage(memlift_op_of(job)) == MEMLIFT_IN_FLIGHT)
    memlift_op_engine_done(memlift_op_of(job));
}

/* Acquires the engine if that is not done; 1: this thread may submit to it. */
static int hold(void) {
  if (memlift_hub.orphaned)
    return 0;
  if (pump->engine)
    return memlift_hub_may_drive();
  /* Acquire: pairs with the store that made a started engine active. */
  const struct memlift_engine *engine = __atomic_load_n(&memlift_engine_active, __ATOMIC_ACQUIRE);
  if (!engine)
    return 0;
  if (!memlift_health_try(engine) ||
      (memlift_hub.forked ? memlift_session_acquire(engine)
                          : memlift_session_acquire_here(engine)) != MEMLIFT_OK) {
    memlift_count(&memlift_engine_counted.busy, 1);
    return 0;
  }
  pump->engine = engine;
  pump->owner = memlift_hub.owner;
  pump->fork = &memlift_hub.orphaned;
  pump->completed = engine_done;
  memlift_hub.driver = pthread_self();
  return 1;
}

/* Releases the engine when it has nothing and nothing is queued for it. */
static void let_go(void) {
  if (!pump->engine || pump->flights || memlift_hub.ready.first || memlift_hub.orphaned)
    return;
  memlift_session_release(pump->engine);
  pump->engine = NULL;
}

/* ---- Fairness -------------------------------------------------------------------------------- */

/* Returns 1 when another thread has submitted `other`. */
static int of_another(const struct memlift_op *other, const struct memlift_op *op) {
  return !pthread_equal(other->submitter, op->submitter);
}

/* Returns 1 when other threads have more bytes in the engine than op has, or than the smallest
 * operation for it. op would then wait longer than the CPU needs for it, if that is as fast. */
static int crowded(const struct memlift_op *op) {
  size_t bytes = 0, most = op->job.engine->min_bytes;
  most = op->job.whole.size > most ? op->job.whole.size : most;
  for (unsigned i = 0; i < pump->flights; i++)
    if (of_another(memlift_op_of(memlift_hub.owner[i]), op))
      bytes += pump->flight[i].size;
  return bytes > most;
}

int memlift_op_waits_for_others(const struct memlift_op *op) {
  for (const struct memlift_op *other = op->before; other; other = other->before)
    if (of_another(other, op))
      return 1;
  return crowded(op);
}

/* ---- Sending ------------------------------------------------------------------------------- */

/* Leaves the granule at the front to the CPU: the engine cannot do it. */
static void skip_granule(struct memlift_job *job) {
  size_t granule = job->engine->granule > 1 ? job->engine->granule : 1, start = job->front;
  job->front = job->back - start < granule ? job->back : start + granule;
  memlift_rest_hole(job, start, job->front);
}

/* Submits as many pieces of one operation as the engine takes; 0: no slot in it is free now. */
static int send(struct memlift_op *op) {
  struct memlift_job *job = &op->job;
  size_t wanted = memlift_plan_even(job->engine, job->whole.size);
  while (!job->gave_up && job->front < job->back) {
    size_t begin = job->front;
    memlift_status status = memlift_pump_submit(pump, job, wanted);
    if (begin == job->body.begin && job->front != begin) {
      memlift_count(&memlift_engine_counted.operations, 1);
      memlift_count_size(job->engine, job->whole.size);
    }
    if (status == MEMLIFT_BUSY)
      return job->gave_up;
    if (status != MEMLIFT_OK)
      skip_granule(job);
  }
  return 1;
}

/* Submits the queued operations in their order. One whose pieces are all submitted leaves the
 * queue. */
static void send_all(void) {
  struct memlift_op *op;
  memlift_hub_settle();
  while ((op = memlift_hub.ready.first) != NULL && !memlift_hub.draining && hold()) {
    if (op->job.engine != pump->engine) { /* it was another one's when it was planned */
      memlift_list_remove(&memlift_hub.ready, op);
      memlift_op_begin(op);
      continue;
    }
    if (op->job.front == op->job.body.begin)
      op->job.forks = __atomic_load_n(&memlift_forks, __ATOMIC_RELAXED);
    if (crowded(op) || !send(op))
      return;
    memlift_op_withdraw(op);
    memlift_hub_settle();
  }
}

void memlift_hub_send(void) {
  send_all();
  let_go();
}

/* ---- Collecting and giving up --------------------------------------------------------------- */

/* Aborts the engine once only overdue pieces are left in it, and until then keeps others from being
 * submitted. */
static void look_for_lost(void) {
  uint64_t now = memlift_clock_of(pump->engine);
  unsigned lost = 0;
  for (unsigned i = 0; i < pump->flights; i++)
    lost += memlift_pump_is_overdue(pump, memlift_hub.owner[i], now, memlift_hub_may_drive());
  memlift_hub.draining = lost != 0;
  if (lost == 0 || lost != pump->flights)
    return;
  memlift_pump_abort(pump);
  memlift_hub.draining = 0;
}

void memlift_hub_progress(void) {
  if (memlift_hub.orphaned)
    return;
  if (pump->flights && !memlift_pump_collect(pump, 0) && !memlift_hub.orphaned)
    look_for_lost();
  if (!pump->flights)
    memlift_hub.draining = 0;
  memlift_hub_send();
}

/* ---- Sleeping ------------------------------------------------------------------------------ */

/* Returns the number of a flight to sleep for: of op or of an operation that it comes after, else
 * any. */
static unsigned flight_for(const struct memlift_op *op) {
  const struct memlift_op *blocker;
  while (op && (blocker = memlift_op_blocker(op)) != NULL)
    op = blocker;
  for (unsigned i = 0; op && i < pump->flights; i++)
    if (memlift_hub.owner[i] == &op->job)
      return i;
  return 0;
}

/* Sleeps in the engine if it has a piece, else in the hub's event. A sleeping thread is not
 * counted, since it may never come back: an engine's wait() must bear that it is aborted, stopped
 * or started meanwhile. All that is needed is copied while the lock is held. */
void memlift_hub_sleep(const struct memlift_op *op, uint64_t nanoseconds, const uint64_t *signals) {
  unsigned i = flight_for(op), any = pump->flights != 0;
  const struct memlift_engine *engine = pump->engine;
  struct memlift_event *changed = memlift_hub_changed();
  uint32_t seen = memlift_event_read(changed);
  struct memlift_request piece;
  struct memlift_flight f = {0};
  uint64_t ignored;
  if (any) {
    f = pump->flight[i];
    piece = memlift_plan_piece(&memlift_hub.owner[i]->whole, f.start, f.size);
  }
  if (nanoseconds > SLICE_NS)
    nanoseconds = SLICE_NS;
  memlift_hub_unlock();
  memlift_signals_let(signals);
  if (any)
    engine->wait(f.ticket, &piece, nanoseconds);
  else
    memlift_event_wait(changed, seen, nanoseconds);
  memlift_signals_hold(&ignored);
  memlift_hub_lock();
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
