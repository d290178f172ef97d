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

/* ---- Holding ------------------------------------------------------------------------------- */

int memlift_hub_may_drive(void) {
  return memlift_hub.engine &&
         (!memlift_hub.engine->one_thread || pthread_equal(memlift_hub.driver, pthread_self()));
}

/* Acquires the engine if that is not done; 1: this thread may submit to it. */
static int hold(void) {
  if (memlift_hub.orphaned)
    return 0;
  if (memlift_hub.engine)
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
  memlift_hub.engine = engine;
  memlift_hub.driver = pthread_self();
  return 1;
}

/* Releases the engine when it has nothing and nothing is queued for it. */
static void let_go(void) {
  if (!memlift_hub.engine || memlift_hub.flights || memlift_hub.ready.first || memlift_hub.orphaned)
    return;
  memlift_session_release(memlift_hub.engine);
  memlift_hub.engine = NULL;
}

/* ---- Fairness -------------------------------------------------------------------------------- */

/* Returns 1 when another thread has submitted `other`. */
static int of_another(const struct memlift_op *other, const struct memlift_op *op) {
  return !pthread_equal(other->submitter, op->submitter);
}

/* Returns 1 when other threads have more bytes in the engine than op has, or than the smallest
 * operation for it. op would then wait longer than the CPU needs for it, if that is as fast. */
static int crowded(const struct memlift_op *op) {
  size_t bytes = 0, most = op->engine->min_bytes;
  most = op->whole.size > most ? op->whole.size : most;
  for (unsigned i = 0; i < memlift_hub.flights; i++)
    if (of_another(memlift_hub.flight[i].op, op))
      bytes += memlift_hub.flight[i].size;
  return bytes > most;
}

int memlift_op_waits_for_others(const struct memlift_op *op) {
  for (const struct memlift_op *other = op->before; other; other = other->before)
    if (of_another(other, op))
      return 1;
  return crowded(op);
}

/* ---- Sending ------------------------------------------------------------------------------- */

/* Returns how many more pieces the engine may be given now. */
static unsigned free_slots(void) {
  unsigned most = memlift_hub.engine->in_flight;
  most = most < MEMLIFT_WINDOW ? most : MEMLIFT_WINDOW;
  return memlift_hub.flights < most ? most - memlift_hub.flights : 0;
}

/* Records the pieces that the engine has taken, the first `taken` of those planned. */
static void record_submitted(struct memlift_op *op, const struct memlift_request *pieces,
                             const memlift_ticket *tickets, unsigned taken) {
  if (taken && op->rest.front == op->rest.body.begin) {
    memlift_count(&memlift_engine_counted.operations, 1);
    memlift_count_size(op->engine, op->whole.size);
  }
  for (unsigned i = 0; i < taken; i++) {
    struct memlift_flight *f = &memlift_hub.flight[memlift_hub.flights++];
    f->op = op;
    f->start = op->rest.front;
    f->size = (uint32_t)pieces[i].size;
    f->ticket = tickets[i];
    op->rest.front += pieces[i].size;
  }
  op->flights += taken;
  if (taken)
    op->last_change = memlift_clock_of(op->engine);
}

/* Leaves the granule at the front to the CPU: the engine cannot do it. */
static void skip_granule(struct memlift_op *op) {
  size_t granule = op->engine->granule > 1 ? op->engine->granule : 1, start = op->rest.front;
  op->rest.front = op->rest.back - start < granule ? op->rest.back : start + granule;
  memlift_rest_hole(&op->rest, start, op->rest.front);
}

/* Submits as many pieces of one operation as the engine takes; 0: no slot in it is free now. */
static int send(struct memlift_op *op) {
  struct memlift_request pieces[MEMLIFT_BATCH];
  memlift_ticket tickets[MEMLIFT_BATCH];
  const struct memlift_engine *engine = op->engine;
  size_t wanted = memlift_plan_even(engine, op->whole.size);
  while (!op->gave_up && op->rest.front < op->rest.back) {
    memlift_status status;
    if (!free_slots() || memlift_hub.orphaned)
      return 0;
    unsigned planned = memlift_plan_batch(engine, &op->whole, op->rest.front, op->rest.back, wanted,
                                          free_slots(), pieces);
    if (!planned) {
      skip_granule(op);
      continue;
    }
    unsigned taken = engine->submit(pieces, planned, tickets, &status);
    record_submitted(op, pieces, tickets, taken);
    if (taken == planned)
      continue;
    memlift_count(
        status == MEMLIFT_BUSY ? &memlift_engine_counted.busy : &memlift_engine_counted.faults, 1);
    /* Busy, and something is under way: a slot becomes free when that has completed. */
    if (status == MEMLIFT_BUSY && memlift_hub.flights)
      return 0;
    op->gave_up = 1;
  }
  return 1;
}

/* Submits the queued operations in their order. One whose pieces are all submitted leaves the
 * queue. */
static void send_all(void) {
  struct memlift_op *op;
  memlift_hub_settle();
  while ((op = memlift_hub.ready.first) != NULL && !memlift_hub.draining && hold()) {
    if (op->engine != memlift_hub.engine) { /* it was another one's when it was planned */
      memlift_list_remove(&memlift_hub.ready, op);
      memlift_op_begin(op);
      continue;
    }
    if (op->rest.front == op->rest.body.begin)
      op->forks = __atomic_load_n(&memlift_forks, __ATOMIC_RELAXED);
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

/* ---- Collecting ---------------------------------------------------------------------------- */

/* Returns 1 when flight i has completed; another flight then has its place. */
static int try_complete(unsigned i, int aborted) {
  struct memlift_flight *f = &memlift_hub.flight[i];
  struct memlift_op *op = f->op;
  memlift_status status = memlift_rest_complete(&op->rest, op->engine, &op->whole, f->ticket,
                                                f->start, f->size, aborted);
  if (status == MEMLIFT_PENDING || memlift_hub.orphaned)
    return 0;
  op->gave_up |= status != MEMLIFT_OK;
  *f = memlift_hub.flight[--memlift_hub.flights];
  if (--op->flights)
    op->last_change = memlift_clock_of(op->engine);
  else if (memlift_op_stage(op) == MEMLIFT_IN_FLIGHT)
    memlift_op_engine_done(op);
  return 1;
}

/* Returns whether any flight has completed. */
static int collect(int aborted) {
  unsigned before = memlift_hub.flights;
  for (unsigned i = 0; i < memlift_hub.flights && !memlift_hub.orphaned;)
    i += !try_complete(i, aborted);
  return memlift_hub.flights != before;
}

/* ---- Giving up ----------------------------------------------------------------------------- */

/* Returns 1 when the engine reports that it works on a piece of op. A thread that may not ask
 * assumes that it does. */
static int is_coming(const struct memlift_op *op) {
  if (!op->engine->is_coming || !memlift_hub_may_drive())
    return op->engine->is_coming != NULL;
  for (unsigned i = 0; i < memlift_hub.flights; i++)
    if (memlift_hub.flight[i].op == op && op->engine->is_coming(memlift_hub.flight[i].ticket))
      return 1;
  return 0;
}

/* Returns 1 when no piece of op has completed within the time limit and no more time is given. */
static int is_overdue(struct memlift_op *op, uint64_t now) {
  if (now - op->last_change < memlift_hub.engine->timeout_ns)
    return 0;
  if (!op->extensions || !is_coming(op))
    return 1;
  op->extensions--;
  op->last_change = now;
  return 0;
}

/* Aborts the engine once only overdue pieces are left in it, and until then keeps others from being
 * submitted. */
static void look_for_lost(void) {
  uint64_t now = memlift_clock_of(memlift_hub.engine);
  unsigned lost = 0;
  for (unsigned i = 0; i < memlift_hub.flights; i++)
    lost += is_overdue(memlift_hub.flight[i].op, now) != 0;
  memlift_hub.draining = lost != 0;
  if (lost == 0 || lost != memlift_hub.flights)
    return;
  memlift_hub.engine->abort();
  collect(1);
  memlift_health_timed_out(memlift_hub.engine);
  memlift_hub.draining = 0;
}

void memlift_hub_progress(void) {
  if (memlift_hub.orphaned)
    return;
  if (memlift_hub.flights && !collect(0) && !memlift_hub.orphaned)
    look_for_lost();
  if (!memlift_hub.flights)
    memlift_hub.draining = 0;
  memlift_hub_send();
}

/* ---- Sleeping ------------------------------------------------------------------------------ */

/* Returns a flight to sleep for: of op or of an operation that it comes after, else any. */
static const struct memlift_flight *flight_for(const struct memlift_op *op) {
  const struct memlift_op *blocker;
  while (op && (blocker = memlift_op_blocker(op)) != NULL)
    op = blocker;
  for (unsigned i = 0; i < memlift_hub.flights; i++)
    if (memlift_hub.flight[i].op == op)
      return &memlift_hub.flight[i];
  return memlift_hub.flights ? &memlift_hub.flight[0] : NULL;
}

/* Sleeps in the engine if it has a piece, else in the hub's event. A sleeping thread is not
 * counted, since it may never come back: an engine's wait() must bear that it is aborted, stopped
 * or started meanwhile. All that is needed is copied while the lock is held. */
void memlift_hub_sleep(const struct memlift_op *op, uint64_t nanoseconds, const uint64_t *signals) {
  const struct memlift_flight *flight = flight_for(op);
  const struct memlift_engine *engine = memlift_hub.engine;
  struct memlift_event *changed = memlift_hub_changed();
  uint32_t seen = memlift_event_read(changed);
  struct memlift_request piece;
  struct memlift_flight f = {0};
  uint64_t ignored;
  if (flight)
    f = *flight, piece = memlift_plan_piece(&f.op->whole, f.start, f.size);
  if (nanoseconds > SLICE_NS)
    nanoseconds = SLICE_NS;
  memlift_hub_unlock();
  memlift_signals_let(signals);
  if (flight)
    engine->wait(f.ticket, &piece, nanoseconds);
  else
    memlift_event_wait(changed, seen, nanoseconds);
  memlift_signals_hold(&ignored);
  memlift_hub_lock();
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
