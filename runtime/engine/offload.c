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
#include "plan.h"
#include "populate.h"
#include "rest.h"
#include "session.h"
#include "touch.h"

#if MEMLIFT_BARE
static int errno; /* there is none to keep */
#else
#include <errno.h>
#endif

struct memlift_engine_counters memlift_engine_counted;

/* A piece that is under way. */
struct flight {
  size_t start;
  uint32_t size; /* plan.c cuts at MEMLIFT_LARGEST_PIECE */
  memlift_ticket ticket;
};

/* One call's progress. About 4.5 KiB: the bulk of the stack that the engine path uses. */
struct progress {
  const struct memlift_engine *engine;
  const struct memlift_request *whole;
  struct memlift_rest rest;
  size_t bytes_in_flight;
  uint64_t last_change; /* when a piece was last sent or completed */
  unsigned flights;
  unsigned extensions; /* how often more time is still given to what is coming */
  uint32_t forks;      /* memlift_forks at the beginning */
  uint32_t generation; /* memlift_generation at the beginning */
  int gave_up, shares;
  struct flight flight[MEMLIFT_WINDOW];
};

/* Returns the bytes of the body that neither the engine nor the CPU has taken. */
static size_t left(const struct progress *p) { return p->rest.back - p->rest.front; }

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
  struct memlift_request chunk = memlift_plan_piece(p->whole, start, end - start);
  if (!p->engine->cpu && !may_share(&chunk))
    return 0;
  memlift_on_cpu(p->engine, p->whole, start, end);
  memlift_count(&memlift_engine_counted.shared_bytes, end - start);
  return 1;
}

/* Does one chunk from the back; 0: there is nothing for the CPU to do. */
static int share(struct progress *p) {
  if (!p->shares || !left(p) || p->gave_up)
    return 0;
  size_t chunk = memlift_plan_chunk(p->engine, left(p), p->bytes_in_flight);
  size_t start = p->rest.back - chunk;
  if (!chunk)
    return 0;
  p->shares = beside_engine(p, start, p->rest.back);
  if (p->shares)
    p->rest.back = start;
  return p->shares;
}

/* Leaves the granule at the front, which the engine cannot do, to the CPU. It may cross the end of
 * a page. */
static int skip_granule(struct progress *p) {
  size_t granule = p->engine->granule > 1 ? p->engine->granule : 1;
  size_t end = left(p) < granule ? p->rest.back : p->rest.front + granule;
  if (!beside_engine(p, p->rest.front, end))
    return 0;
  p->rest.front = end;
  return 1;
}

/* ---- Sending ------------------------------------------------------------------------------- */

/* Returns how many more pieces the engine may be given now. */
static unsigned free_slots(const struct progress *p) {
  unsigned most = p->engine->in_flight < MEMLIFT_WINDOW ? p->engine->in_flight : MEMLIFT_WINDOW;
  return p->flights < most ? most - p->flights : 0;
}

/* Records the pieces that the engine has taken, the first `taken` of those planned. */
static void record_submitted(struct progress *p, const struct memlift_request *pieces,
                             const memlift_ticket *tickets, unsigned taken) {
  for (unsigned i = 0; i < taken; i++) {
    struct flight *f = &p->flight[p->flights++];
    f->start = p->rest.front;
    f->size = (uint32_t)pieces[i].size;
    f->ticket = tickets[i];
    p->rest.front += pieces[i].size;
    p->bytes_in_flight += pieces[i].size;
  }
  if (taken)
    p->last_change = memlift_clock_of(p->engine);
}

/* Whether a handler that forked has brought us into its child: the engine is the parent's. */
static int is_child(const struct progress *p) {
  return __atomic_load_n(&memlift_generation, __ATOMIC_RELAXED) != p->generation;
}

/* Sends out as much as should be under way. */
static void send(struct progress *p) {
  struct memlift_request pieces[MEMLIFT_BATCH];
  memlift_ticket tickets[MEMLIFT_BATCH];
  while (!p->gave_up && !is_child(p) && left(p) && free_slots(p) &&
         p->bytes_in_flight < memlift_plan_in_flight(p->engine, p->whole, left(p))) {
    memlift_status status;
    size_t wanted = memlift_plan_guided(p->engine, p->whole->size, left(p));
    unsigned planned = memlift_plan_batch(p->engine, p->whole, p->rest.front, p->rest.back, wanted,
                                          free_slots(p), pieces);
    if (!planned) {
      p->gave_up = !skip_granule(p);
      continue;
    }
    unsigned taken = p->engine->submit(pieces, planned, tickets, &status);
    record_submitted(p, pieces, tickets, taken);
    if (taken == planned)
      continue;
    memlift_count(
        status == MEMLIFT_BUSY ? &memlift_engine_counted.busy : &memlift_engine_counted.faults, 1);
    /* Busy, and something is under way: a slot becomes free when that has completed. */
    p->gave_up = status != MEMLIFT_BUSY || p->flights == 0;
    return;
  }
}

/* ---- Collecting ---------------------------------------------------------------------------- */

/* Returns 1 when flight i has completed; another flight then has its place. */
static int try_complete(struct progress *p, unsigned i, int aborted) {
  struct flight *f = &p->flight[i];
  memlift_status status =
      memlift_rest_complete(&p->rest, p->engine, p->whole, f->ticket, f->start, f->size, aborted);
  if (status == MEMLIFT_PENDING)
    return 0;
  p->gave_up |= status != MEMLIFT_OK;
  p->bytes_in_flight -= f->size;
  *f = p->flight[--p->flights];
  return 1;
}

/* Returns whether any flight has completed. */
static int collect(struct progress *p, int aborted) {
  unsigned before = p->flights;
  for (unsigned i = 0; i < p->flights;)
    i += !try_complete(p, i, aborted);
  if (p->flights == before)
    return 0;
  p->last_change = memlift_clock_of(p->engine);
  return 1;
}

/* Does the engine know of a piece that it is working on it? */
static int any_coming(const struct progress *p) {
  for (unsigned i = 0; p->engine->is_coming && i < p->flights; i++)
    if (p->engine->is_coming(p->flight[i].ticket))
      return 1;
  return 0;
}

/* Returns the flight that was submitted first, which should complete first. */
static const struct flight *sent_first(const struct progress *p) {
  const struct flight *first = &p->flight[0];
  for (unsigned i = 1; i < p->flights; i++)
    if (p->flight[i].start < first->start)
      first = &p->flight[i];
  return first;
}

/* Longest sleep. In a child of a fork that interrupted this thread no completion would end it. */
#define SLICE_NS 10000000u

static void sleep_for(const struct progress *p, uint64_t nanoseconds) {
  const struct flight *f = sent_first(p);
  struct memlift_request piece = memlift_plan_piece(p->whole, f->start, f->size);
  p->engine->wait(f->ticket, &piece, nanoseconds < SLICE_NS ? nanoseconds : SLICE_NS);
}

/* Sleeps until a flight may have completed, or gives up on all of them. */
static void wait_or_abort(struct progress *p) {
  uint64_t waited = memlift_clock_of(p->engine) - p->last_change;
  if (waited >= p->engine->timeout_ns && p->extensions && any_coming(p)) {
    p->extensions--;
    p->last_change += waited;
    waited = 0;
  }
  if (waited < p->engine->timeout_ns) {
    sleep_for(p, p->engine->timeout_ns - waited);
    return;
  }
  p->engine->abort();
  p->gave_up = 1;
  collect(p, 1);
  memlift_health_timed_out(p->engine);
}

/* ---- One operation ------------------------------------------------------------------------- */

static void run(struct progress *p) {
  while (!is_child(p)) {
    int completed = collect(p, 0);
    send(p);
    if (p->flights == 0)
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
  return is_child(p) || (p->engine->pins && now != p->forks);
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
  if (!memlift_rest_begin(&p.rest, engine, whole))
    return 0;
  int saved_errno = errno;
  if (!take(engine, whole)) {
    memlift_count(&memlift_engine_counted.busy, 1);
    memlift_count_size(&memlift_engine_cpu, whole->size);
    errno = saved_errno;
    return 0;
  }
  p.engine = engine, p.whole = whole;
  p.forks = __atomic_load_n(&memlift_forks, __ATOMIC_RELAXED);
  p.generation = __atomic_load_n(&memlift_generation, __ATOMIC_RELAXED);
  p.bytes_in_flight = 0, p.last_change = 0, p.flights = 0, p.gave_up = 0;
  p.shares = engine->shares, p.extensions = MEMLIFT_EXTENSIONS;
  run(&p);
  if (!is_child(&p))
    memlift_session_release(engine);
  errno = saved_errno;
  memlift_count(&memlift_engine_counted.operations, 1);
  memlift_count_size(engine, whole->size);
  if (forked(&p)) {
    memlift_on_cpu(engine, whole, 0, whole->size);
    memlift_count(&memlift_engine_counted.cpu_bytes, whole->size);
  } else {
    memlift_rest_ends(&p.rest, engine, whole);
    memlift_rest_middle(&p.rest, engine, whole);
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
