/* rest.c - the CPU's part of an operation, and doing it
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../config.h"

#if MEMLIFT_HAVE_OFFLOAD
#include "../kernels/dispatch.h"
#include "rest.h"

static int fits(const struct memlift_engine *engine, const struct memlift_request *whole) {
  uintptr_t bits = (uintptr_t)whole->destination | whole->size;
  if (whole->operation == MEMLIFT_OPERATION_COPY)
    bits |= (uintptr_t)whole->source;
  return (bits & (engine->alignment - 1)) == 0;
}

int memlift_rest_begin(struct memlift_job *job, const struct memlift_engine *engine) {
  job->engine = engine;
  job->body = memlift_plan_body(engine, &job->whole);
  job->front = job->body.begin, job->back = job->body.end;
  job->holes = job->flights = 0, job->bytes_in_flight = 0, job->gave_up = 0;
  job->extensions = MEMLIFT_EXTENSIONS;
  if (engine->copies_only && job->whole.operation != MEMLIFT_OPERATION_COPY)
    return 0;
  return fits(engine, &job->whole) && job->front != job->back;
}

void memlift_rest_all(struct memlift_job *job) {
  job->body.begin = job->front = 0;
  job->body.end = job->back = job->whole.size;
  job->holes = 0;
}

void memlift_rest_hole(struct memlift_job *job, size_t start, size_t end) {
  if (job->holes < MEMLIFT_HOLES) {
    job->hole[job->holes].start = start;
    job->hole[job->holes++].end = end;
    return;
  }
  /* Doing right bytes again does no harm: the regions are disjoint. */
  struct memlift_hole *last = &job->hole[MEMLIFT_HOLES - 1];
  last->start = start < last->start ? start : last->start;
  last->end = end > last->end ? end : last->end;
}

void memlift_on_cpu(const struct memlift_job *job, size_t start, size_t end) {
  struct memlift_request piece = memlift_plan_piece(&job->whole, start, end - start);
  if (start == end)
    return;
  if (job->engine && job->engine->cpu)
    job->engine->cpu(&piece);
  else if (piece.operation == MEMLIFT_OPERATION_COPY)
    memlift_cpu_copy(piece.destination, piece.source, piece.size);
  else
    memlift_cpu_fill(piece.destination, piece.pattern, piece.size);
}

void memlift_rest_ends(const struct memlift_job *job) {
  memlift_on_cpu(job, 0, job->body.begin);
  memlift_on_cpu(job, job->body.end, job->whole.size);
  memlift_count(&memlift_engine_counted.shared_bytes,
                job->body.begin + job->whole.size - job->body.end);
}

void memlift_rest_middle(const struct memlift_job *job) {
  for (unsigned i = 0; i < job->holes; i++) {
    memlift_on_cpu(job, job->hole[i].start, job->hole[i].end);
    memlift_count(&memlift_engine_counted.cpu_bytes, job->hole[i].end - job->hole[i].start);
  }
  memlift_on_cpu(job, job->front, job->back);
  memlift_count(&memlift_engine_counted.cpu_bytes, job->back - job->front);
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
