/* rest.c - the CPU's part of an operation, and doing it
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../config.h"

#if MEMLIFT_HAVE_OFFLOAD
#include "../kernels/dispatch.h"
#include "health.h"
#include "rest.h"

static int fits(const struct memlift_engine *engine, const struct memlift_request *whole) {
  uintptr_t bits = (uintptr_t)whole->destination | whole->size;
  if (whole->operation == MEMLIFT_OPERATION_COPY)
    bits |= (uintptr_t)whole->source;
  return (bits & (engine->alignment - 1)) == 0;
}

int memlift_rest_begin(struct memlift_rest *rest, const struct memlift_engine *engine,
                       const struct memlift_request *whole) {
  rest->body = memlift_plan_body(engine, whole);
  rest->front = rest->body.begin, rest->back = rest->body.end;
  rest->holes = 0;
  if (engine->copies_only && whole->operation != MEMLIFT_OPERATION_COPY)
    return 0;
  return fits(engine, whole) && rest->front != rest->back;
}

void memlift_rest_all(struct memlift_rest *rest, const struct memlift_request *whole) {
  rest->body.begin = rest->front = 0;
  rest->body.end = rest->back = whole->size;
  rest->holes = 0;
}

void memlift_rest_hole(struct memlift_rest *rest, size_t start, size_t end) {
  if (rest->holes < MEMLIFT_HOLES) {
    rest->hole[rest->holes].start = start;
    rest->hole[rest->holes++].end = end;
    return;
  }
  /* Doing right bytes again does no harm: the regions are disjoint. */
  struct memlift_hole *last = &rest->hole[MEMLIFT_HOLES - 1];
  last->start = start < last->start ? start : last->start;
  last->end = end > last->end ? end : last->end;
}

memlift_status memlift_rest_complete(struct memlift_rest *rest, const struct memlift_engine *engine,
                                     const struct memlift_request *whole, memlift_ticket ticket,
                                     size_t start, size_t size, int aborted) {
  struct memlift_request piece = memlift_plan_piece(whole, start, size);
  size_t done = 0;
  memlift_status status = engine->poll(ticket, &piece, &done);
  if (status == MEMLIFT_PENDING && !aborted)
    return MEMLIFT_PENDING;
  if (status == MEMLIFT_PENDING)
    done = 0;
  else
    memlift_health_answered();
  if (status != MEMLIFT_OK)
    memlift_count(status == MEMLIFT_PENDING ? &memlift_engine_counted.time_outs
                                            : &memlift_engine_counted.faults,
                  1);
  memlift_count(&memlift_engine_counted.engine_bytes, done);
  if (done == size)
    return MEMLIFT_OK;
  memlift_rest_hole(rest, start + done, start + size);
  return MEMLIFT_FAULT;
}

void memlift_on_cpu(const struct memlift_engine *engine, const struct memlift_request *whole,
                    size_t start, size_t end) {
  struct memlift_request piece = memlift_plan_piece(whole, start, end - start);
  if (start == end)
    return;
  if (engine && engine->cpu)
    engine->cpu(&piece);
  else if (piece.operation == MEMLIFT_OPERATION_COPY)
    memlift_cpu_copy(piece.destination, piece.source, piece.size);
  else
    memlift_cpu_fill(piece.destination, piece.pattern, piece.size);
}

void memlift_rest_ends(const struct memlift_rest *rest, const struct memlift_engine *engine,
                       const struct memlift_request *whole) {
  memlift_on_cpu(engine, whole, 0, rest->body.begin);
  memlift_on_cpu(engine, whole, rest->body.end, whole->size);
  memlift_count(&memlift_engine_counted.shared_bytes,
                rest->body.begin + whole->size - rest->body.end);
}

void memlift_rest_middle(const struct memlift_rest *rest, const struct memlift_engine *engine,
                         const struct memlift_request *whole) {
  for (unsigned i = 0; i < rest->holes; i++) {
    memlift_on_cpu(engine, whole, rest->hole[i].start, rest->hole[i].end);
    memlift_count(&memlift_engine_counted.cpu_bytes, rest->hole[i].end - rest->hole[i].start);
  }
  memlift_on_cpu(engine, whole, rest->front, rest->back);
  memlift_count(&memlift_engine_counted.cpu_bytes, rest->back - rest->front);
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
