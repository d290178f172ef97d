/* pump.c - pieces in an engine: submitted, collected, and given time
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../config.h"

#if MEMLIFT_HAVE_OFFLOAD
#include "health.h"
#include "pump.h"

static struct memlift_job *owner_of(const struct memlift_pump *p, unsigned i) {
  return p->owner ? p->owner[i] : p->only;
}

/* ---- Submitting ---------------------------------------------------------------------------- */

/* Returns how many more pieces the engine may be given now. */
static unsigned free_slots(const struct memlift_pump *p) {
  unsigned most = p->engine->in_flight < MEMLIFT_WINDOW ? p->engine->in_flight : MEMLIFT_WINDOW;
  return p->flights < most && !memlift_pump_is_in_child(p) ? most - p->flights : 0;
}

/* Records a piece that the engine has taken. */
static void record(struct memlift_pump *p, struct memlift_job *job, size_t size,
                   memlift_ticket ticket) {
  if (p->owner)
    p->owner[p->flights] = job;
  p->flight[p->flights++] = (struct memlift_flight){job->front, (uint32_t)size, ticket};
  job->flights++;
  job->front += size, job->bytes_in_flight += size;
}

memlift_status memlift_pump_submit(struct memlift_pump *p, struct memlift_job *job, size_t wanted) {
  struct memlift_request pieces[MEMLIFT_BATCH];
  memlift_ticket tickets[MEMLIFT_BATCH];
  memlift_status status;
  unsigned slots = free_slots(p);
  if (!slots)
    return MEMLIFT_BUSY;
  unsigned planned =
      memlift_plan_batch(p->engine, &job->whole, job->front, job->back, wanted, slots, pieces);
  if (!planned)
    return MEMLIFT_BAD_COMMAND;
  unsigned taken = p->engine->submit(pieces, planned, tickets, &status);
  for (unsigned i = 0; i < taken; i++)
    record(p, job, pieces[i].size, tickets[i]);
  if (taken)
    job->last_change = memlift_clock_of(p->engine);
  if (taken == planned)
    return MEMLIFT_OK;
  memlift_count(
      status == MEMLIFT_BUSY ? &memlift_engine_counted.busy : &memlift_engine_counted.faults, 1);
  /* Busy, and something is under way: a slot becomes free when that has completed. */
  job->gave_up = status != MEMLIFT_BUSY || p->flights == 0;
  return MEMLIFT_BUSY;
}

/* ---- Collecting ---------------------------------------------------------------------------- */

/* Returns 0 while the engine has flight i, unless it has been aborted. Else counts what became of
 * it and gives its place to another flight. *now is 0 until the engine's clock is read: once for
 * all, since that costs as much as a poll. */
static int try_complete(struct memlift_pump *p, unsigned i, int aborted, uint64_t *now) {
  struct memlift_flight f = p->flight[i];
  struct memlift_job *job = owner_of(p, i);
  struct memlift_request piece = memlift_plan_piece(&job->whole, f.start, f.size);
  size_t done = 0;
  memlift_status status = p->engine->poll(f.ticket, &piece, &done);
  if ((status == MEMLIFT_PENDING && !aborted) || memlift_pump_is_in_child(p))
    return 0;
  if (status == MEMLIFT_PENDING)
    done = 0;
  else
    memlift_health_answered();
  if (status != MEMLIFT_OK)
    memlift_count(status == MEMLIFT_PENDING ? &memlift_engine_counted.time_outs
                                            : &memlift_engine_counted.faults,
                  1);
  memlift_count(&memlift_engine_counted.engine_bytes, done);
  if (done != f.size) {
    memlift_rest_hole(job, f.start + done, f.start + f.size);
    job->gave_up = 1;
  }
  job->bytes_in_flight -= f.size;
  p->flight[i] = p->flight[--p->flights];
  if (p->owner)
    p->owner[i] = p->owner[p->flights];
  *now = *now ? *now : memlift_clock_of(p->engine);
  job->last_change = *now;
  if (--job->flights == 0 && p->completed)
    p->completed(job);
  return 1;
}

int memlift_pump_collect(struct memlift_pump *p, int aborted) {
  unsigned before = p->flights;
  uint64_t now = 0;
  for (unsigned i = 0; i < p->flights && !memlift_pump_is_in_child(p);)
    i += !try_complete(p, i, aborted, &now);
  return p->flights != before;
}

/* ---- Giving up ----------------------------------------------------------------------------- */

/* Returns 1 when the engine reports that it works on a piece of the operation. */
static int is_coming(const struct memlift_pump *p, const struct memlift_job *job) {
  for (unsigned i = 0; i < p->flights; i++)
    if (owner_of(p, i) == job && p->engine->is_coming(p->flight[i].ticket))
      return 1;
  return 0;
}

int memlift_pump_is_overdue(const struct memlift_pump *p, struct memlift_job *job, uint64_t now,
                            int may_ask) {
  if (now - job->last_change < p->engine->timeout_ns)
    return 0;
  if (!job->extensions || !p->engine->is_coming || (may_ask && !is_coming(p, job)))
    return 1;
  job->extensions--;
  job->last_change = now;
  return 0;
}

void memlift_pump_abort(struct memlift_pump *p) {
  p->engine->abort();
  memlift_pump_collect(p, 1);
  memlift_health_timed_out(p->engine);
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
