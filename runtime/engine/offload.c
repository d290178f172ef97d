/* offload.c - splits an operation into pieces, waits for the engine, and makes good on the CPU
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Pieces go out in windows. After a window every piece is complete or given up, and what is
 * missing is noted as a hole. The first hole ends the engine's part. Only when the engine is
 * released does the CPU fill the holes and the rest: should it meet an unmapped page there, the
 * program's own signal handler may leave by longjmp and the engine stays usable.
 */
#include "offload.h"

#if MEMLIFT_HAVE_ENGINES
#include "../kernels/dispatch.h"
#include "../queue/wait.h"
#include "engine.h"

#include <errno.h>

struct memlift_engine_counters memlift_engine_counted;

/* Bytes [start, end) of the whole are not right yet. */
struct hole {
  size_t start, end;
};

/* One call's progress. About 700 bytes: the bulk of the stack that the engine path uses. */
struct progress {
  const struct memlift_engine *engine;
  const struct memlift_request *whole;
  size_t submitted; /* bytes that have been sent out, in order */
  unsigned pieces;  /* of this window */
  size_t starts[MEMLIFT_WINDOW];
  memlift_ticket tickets[MEMLIFT_WINDOW];
  unsigned holes;
  struct hole hole[MEMLIFT_WINDOW];
  int gave_up;
};

static void count(uint64_t *counter, uint64_t by) {
  __atomic_fetch_add(counter, by, __ATOMIC_RELAXED);
}

static struct memlift_request piece_of(const struct memlift_request *whole, size_t start,
                                       size_t size) {
  struct memlift_request piece = *whole;
  piece.destination = (unsigned char *)whole->destination + start;
  if (whole->operation == MEMLIFT_OPERATION_COPY)
    piece.source = (const unsigned char *)whole->source + start;
  piece.pattern = memlift_rotate_pattern(whole->pattern, start);
  piece.size = size;
  return piece;
}

static void on_cpu(const struct memlift_request *whole, size_t start, size_t end) {
  struct memlift_request piece = piece_of(whole, start, end - start);
  if (piece.operation == MEMLIFT_OPERATION_COPY)
    memlift_cpu_copy(piece.destination, piece.source, piece.size);
  else
    memlift_cpu_fill(piece.destination, piece.pattern, piece.size);
  count(&memlift_engine_counted.cpu_bytes, piece.size);
}

/* Sends out as many pieces as one window takes. */
static void send_window(struct progress *p) {
  unsigned limit = p->engine->in_flight < MEMLIFT_WINDOW ? p->engine->in_flight : MEMLIFT_WINDOW;
  for (p->pieces = 0; p->pieces < limit && p->submitted < p->whole->size; p->pieces++) {
    size_t size = p->whole->size - p->submitted;
    if (size > p->engine->max_bytes)
      size = p->engine->max_bytes;
    struct memlift_request piece = piece_of(p->whole, p->submitted, size);
    memlift_status status = p->engine->submit(&piece, &p->tickets[p->pieces]);
    if (status != MEMLIFT_OK) {
      count(status == MEMLIFT_BUSY ? &memlift_engine_counted.busy : &memlift_engine_counted.faults,
            1);
      break;
    }
    p->starts[p->pieces] = p->submitted;
    p->submitted += size;
  }
  p->gave_up |= p->pieces == 0;
}

/* Notes how far piece i came. */
static void note(struct progress *p, unsigned i, size_t size, size_t done) {
  count(&memlift_engine_counted.engine_bytes, done);
  if (done == size)
    return;
  p->hole[p->holes].start = p->starts[i] + done;
  p->hole[p->holes++].end = p->starts[i] + size;
  p->gave_up = 1;
}

/* Waits for piece i until the deadline and notes it. Nonzero: the deadline has passed, nothing is
 * noted. An aborted engine has nothing under way, so its pieces are only looked at. */
static int collect(struct progress *p, unsigned i, uint64_t deadline, int aborted) {
  size_t end = i + 1 < p->pieces ? p->starts[i + 1] : p->submitted, done = 0;
  struct memlift_request piece = piece_of(p->whole, p->starts[i], end - p->starts[i]);
  memlift_status status;
  while ((status = p->engine->poll(p->tickets[i], &piece, &done)) == MEMLIFT_PENDING && !aborted) {
    uint64_t now = memlift_now();
    if (now >= deadline)
      return 1;
    p->engine->wait(p->tickets[i], &piece, deadline - now);
  }
  if (status == MEMLIFT_PENDING)
    done = 0;
  if (status != MEMLIFT_OK)
    count(status == MEMLIFT_PENDING ? &memlift_engine_counted.time_outs
                                    : &memlift_engine_counted.faults,
          1);
  note(p, i, piece.size, done);
  return 0;
}

static void collect_window(struct progress *p) {
  uint64_t deadline = memlift_now() + p->engine->timeout_ns;
  int aborted = 0;
  for (unsigned i = 0; i < p->pieces; i++)
    if (collect(p, i, deadline, aborted)) {
      p->engine->abort();
      aborted = 1;
      collect(p, i, deadline, aborted);
    }
}

static int fits(const struct memlift_engine *engine, const struct memlift_request *whole) {
  uintptr_t bits = (uintptr_t)whole->destination | whole->size;
  if (whole->operation == MEMLIFT_OPERATION_COPY)
    bits |= (uintptr_t)whole->source;
  return (bits & (engine->alignment - 1)) == 0;
}

static void run(struct progress *p) {
  while (p->submitted < p->whole->size && !p->gave_up) {
    send_window(p);
    collect_window(p);
  }
}

int memlift_offload(const struct memlift_engine *engine, const struct memlift_request *whole) {
  if (!fits(engine, whole))
    return 0;
  struct progress p;
  int saved_errno = errno;
  if (engine->acquire() != MEMLIFT_OK) {
    count(&memlift_engine_counted.busy, 1);
    errno = saved_errno;
    return 0;
  }
  p.engine = engine, p.whole = whole;
  p.submitted = 0, p.holes = 0, p.gave_up = 0;
  run(&p);
  engine->release();
  errno = saved_errno;
  count(&memlift_engine_counted.operations, 1);
  for (unsigned i = 0; i < p.holes; i++)
    on_cpu(whole, p.hole[i].start, p.hole[i].end);
  if (p.submitted < whole->size)
    on_cpu(whole, p.submitted, whole->size);
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
