/* offload.c - carries out an operation: the engine from the front, the CPU where the engine is not
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * plan.h says how large pieces are. Several are in flight at once and may complete in any order.
 * The bytes that a piece did not do are recorded as a hole, and the first hole ends the engine's
 * part: nothing more is submitted, and pieces in flight are waited for or given up.
 *
 * The CPU does head, tail, holes and the bytes not submitted only after the engine is released. If
 * it meets an unmapped page there, the program's own signal handler may leave by longjmp, and the
 * engine stays usable.
 *
 * Beside the engine the CPU works only in pages that the system has found mapped and writable. All
 * pages were touched before the engine was acquired (touch.h), so this is about pages that are
 * unmapped meanwhile.
 */
#include "offload.h"

#if MEMLIFT_HAVE_OFFLOAD
#include "health.h"
#include "populate.h"
#include "pump.h"
#include "session.h"
#include "touch.h"

#if MEMLIFT_BARE
static int errno; /* there is none to keep */
#else
#include <errno.h>
#endif

struct memlift_engine_counters memlift_engine_counted;

/* One call's progress. About 4.5 KiB: the bulk of the stack that the engine path uses. */
struct progress {
  struct memlift_job job;
  struct memlift_pump pump;
  int shares;
};

/* Returns the bytes of the body that neither the engine nor the CPU has taken. */
static size_t left(const struct progress *p) { return p->job.back - p->job.front; }

/* ---- The CPU beside the engine ------------------------------------------------------------- */

static int may_share(const struct memlift_request *chunk) {
#if MEMLIFT_BARE
  return chunk->size != 0; /* all memory is there */
#else
  return memlift_populate_write(chunk->destination, chunk->size) &&
         (chunk->operation != MEMLIFT_OPERATION_COPY ||
          memlift_populate_read(chunk->source, chunk->size));
#endif
}

/* Does bytes [start, end) while the engine is taken, if that is safe. */
static int beside_engine(const struct progress *p, size_t start, size_t end) {
  struct memlift_request chunk = memlift_plan_piece(&p->job.whole, start, end - start);
  if (!p->job.engine->cpu && !may_share(&chunk))
    return 0;
  memlift_on_cpu(&p->job, start, end);
  memlift_count(&memlift_engine_counted.shared_bytes, end - start);
  return 1;
}

/* Does one chunk from the back; 0: there is nothing for the CPU to do. */
static int share(struct progress *p) {
  if (!p->shares || !left(p) || p->job.gave_up)
    return 0;
  size_t chunk = memlift_plan_chunk(p->job.engine, left(p), p->job.bytes_in_flight);
  size_t start = p->job.back - chunk;
  if (!chunk)
    return 0;
  p->shares = beside_engine(p, start, p->job.back);
  if (p->shares)
    p->job.back = start;
  return p->shares;
}

/* Leaves the granule at the front, which the engine cannot do, to the CPU. It may cross the end of
 * a page. */
static int skip_granule(struct progress *p) {
  size_t granule = p->job.engine->granule > 1 ? p->job.engine->granule : 1;
  size_t end = left(p) < granule ? p->job.back : p->job.front + granule;
  if (!beside_engine(p, p->job.front, end))
    return 0;
  p->job.front = end;
  return 1;
}

/* ---- The engine ---------------------------------------------------------------------------- */

/* Sends out as much as should be under way. */
static void send(struct progress *p) {
  struct memlift_job *job = &p->job;
  while (!job->gave_up && left(p) &&
         job->bytes_in_flight < memlift_plan_in_flight(job->engine, &job->whole, left(p))) {
    size_t wanted = memlift_plan_guided(job->engine, job->whole.size, left(p));
    memlift_status status = memlift_pump_submit(&p->pump, job, wanted);
    if (status == MEMLIFT_BUSY)
      return;
    if (status != MEMLIFT_OK)
      job->gave_up = !skip_granule(p);
  }
}

/* Returns the flight that was submitted first, which should complete first. */
static const struct memlift_flight *sent_first(const struct memlift_pump *p) {
  const struct memlift_flight *first = &p->flight[0];
  for (unsigned i = 1; i < p->flights; i++)
    if (p->flight[i].start < first->start)
      first = &p->flight[i];
  return first;
}

/* Longest sleep. In a child of a fork that interrupted this thread no completion would end it. */
#define SLICE_NS 10000000u

static void sleep_for(const struct progress *p, uint64_t nanoseconds) {
  const struct memlift_flight *f = sent_first(&p->pump);
  struct memlift_request piece = memlift_plan_piece(&p->job.whole, f->start, f->size);
  p->job.engine->wait(f->ticket, &piece, nanoseconds < SLICE_NS ? nanoseconds : SLICE_NS);
}

/* Sleeps until a flight may have completed, or gives up on all of them. */
static void wait_or_abort(struct progress *p) {
  uint64_t now = memlift_clock_of(p->job.engine);
  if (!memlift_pump_is_overdue(&p->pump, &p->job, now, 1)) {
    sleep_for(p, p->job.engine->timeout_ns - (now - p->job.last_change));
    return;
  }
  p->job.gave_up = 1;
  memlift_pump_abort(&p->pump);
}

/* ---- One operation ------------------------------------------------------------------------- */

static void run(struct progress *p) {
  for (;;) {
    int completed = memlift_pump_collect(&p->pump, 0);
    send(p);
    if (p->pump.flights == 0 || memlift_pump_is_in_child(&p->pump))
      return;
    if (!share(p) && !completed)
      wait_or_abort(p);
  }
}

/* Returns 1 when the CPU has to do the whole operation again. In a child it is not known what the
 * device had done at the moment of the fork. In the parent, the CPU's first write to a page goes to
 * a copy of it, while a device that pinned the old page continues there: its writes may be lost. */
static int forked(const struct progress *p) {
  uint32_t now = __atomic_load_n(&memlift_forks, __ATOMIC_RELAXED);
  return memlift_pump_is_in_child(&p->pump) || (p->job.engine->pins && now != p->job.forks);
}

/* Meets all pages before the engine is taken: a signal handler may leave from there. */
static int take(const struct memlift_engine *engine, const struct memlift_request *whole) {
  if (!memlift_session_is_mine(engine) || memlift_session_is_held(engine) ||
      !memlift_health_try(engine))
    return 0;
#if MEMLIFT_BARE
  (void)whole; /* all memory is there */
#else
  if (!engine->cpu) /* else memory is the model's */
    memlift_touch(whole);
#endif
  return memlift_session_acquire(engine) == MEMLIFT_OK;
}

int memlift_offload(const struct memlift_engine *engine, const struct memlift_request *whole) {
  struct progress p;
  p.job.whole = *whole;
  if (!memlift_rest_begin(&p.job, engine))
    return 0;
  int saved_errno = errno;
  if (!take(engine, whole)) {
    memlift_count(&memlift_engine_counted.busy, 1);
    memlift_count_size(&memlift_engine_cpu, whole->size);
    errno = saved_errno;
    return 0;
  }
  p.job.forks = __atomic_load_n(&memlift_forks, __ATOMIC_RELAXED);
  p.pump.engine = engine, p.pump.owner = NULL, p.pump.only = &p.job;
  p.pump.completed = NULL, p.pump.flights = 0;
  p.pump.fork = &memlift_generation;
  p.pump.here = __atomic_load_n(&memlift_generation, __ATOMIC_RELAXED);
  p.shares = engine->shares;
  run(&p);
  if (!memlift_pump_is_in_child(&p.pump))
    memlift_session_release(engine);
  errno = saved_errno;
  memlift_count(&memlift_engine_counted.operations, 1);
  memlift_count_size(engine, whole->size);
  if (forked(&p)) {
    memlift_on_cpu(&p.job, 0, whole->size);
    memlift_count(&memlift_engine_counted.cpu_bytes, whole->size);
  } else {
    memlift_rest_ends(&p.job);
    memlift_rest_middle(&p.job);
  }
  return 1;
}

static int with_active(const struct memlift_request *whole) {
  /* Acquire: pairs with the store that made a started engine active. */
  const struct memlift_engine *engine = __atomic_load_n(&memlift_engine_active, __ATOMIC_ACQUIRE);
  return engine && memlift_offload(engine, whole);
}

int memlift_offload_copy(void *dst, const void *src, size_t n) {
  struct memlift_request whole = {MEMLIFT_OPERATION_COPY, dst, src, 0, n};
  return dst != src && with_active(&whole);
}

int memlift_offload_fill(void *dst, uint64_t pattern, size_t n) {
  struct memlift_request whole = {MEMLIFT_OPERATION_FILL, dst, NULL, pattern, n};
  return with_active(&whole);
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
