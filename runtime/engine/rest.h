/* rest.h - the CPU's part of an operation, and doing it
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The CPU's part is head and tail, which are no whole granules; the bytes of the body that were
 * never submitted; and the holes that failed pieces have left. offload.c keeps one job for the call
 * that it carries out, async/ one for each operation that is under way.
 */
#ifndef MEMLIFT_REST_H
#define MEMLIFT_REST_H

#include "engine.h"
#include "plan.h"

/* Bytes [start, end) of the whole are not right yet. Of more than so many, two become one. */
#define MEMLIFT_HOLES 8
struct memlift_hole {
  size_t start, end;
};

/* An operation that an engine does in part, and what has become of it. */
struct memlift_job {
  struct memlift_request whole;
  const struct memlift_engine *engine; /* the one that it was planned for; NULL: CPU only */
  struct memlift_body body;
  size_t front, back; /* bytes of the body that are not submitted yet */
  unsigned holes;
  struct memlift_hole hole[MEMLIFT_HOLES];

  /* State of its pieces in the engine: pump.h. */
  unsigned flights;       /* pieces that have not completed */
  size_t bytes_in_flight; /* theirs */
  unsigned extensions;    /* further time limits for pieces that the engine reports at work */
  int gave_up;            /* 1: nothing more is submitted */
  uint32_t forks;         /* memlift_forks before the first piece */
  uint64_t last_change;   /* on the engine's clock: a piece was submitted or completed */
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Plans job->whole for an engine: the body is all that it could be given. 0 when there is none, or
 * alignment does not fit. */
int memlift_rest_begin(struct memlift_job *job, const struct memlift_engine *engine);

/* The operation is the CPU's alone. */
void memlift_rest_all(struct memlift_job *job);

void memlift_rest_hole(struct memlift_job *job, size_t start, size_t end);

/* Does bytes [start, end) of the whole: as the engine's cpu() does, if it has one. */
void memlift_on_cpu(const struct memlift_job *job, size_t start, size_t end);

/* Completes the unaligned head and tail. */
void memlift_rest_ends(const struct memlift_job *job);

/* Completes the holes that failed pieces left, and the part that was never submitted. */
void memlift_rest_middle(const struct memlift_job *job);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
