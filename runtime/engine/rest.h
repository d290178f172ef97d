/* rest.h - the CPU's part of an operation, and doing it
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The CPU's part is head and tail, which are no whole granules; the bytes of the body that were
 * never submitted; and the holes that failed pieces have left. offload.c keeps one for the call
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

struct memlift_rest {
  struct memlift_body body;
  size_t front, back; /* bytes of the body that are not submitted yet */
  unsigned holes;
  struct memlift_hole hole[MEMLIFT_HOLES];
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* The body is all that the engine could be given; 0 when there is none, or alignment does not
 * fit. */
int memlift_rest_begin(struct memlift_rest *rest, const struct memlift_engine *engine,
                       const struct memlift_request *whole);

/* The operation is the CPU's alone. */
void memlift_rest_all(struct memlift_rest *rest, const struct memlift_request *whole);

void memlift_rest_hole(struct memlift_rest *rest, size_t start, size_t end);

/* Looks whether the piece [start, start + size) of the whole, that the engine has been given, has
 * ended: MEMLIFT_PENDING if not, unless it has been aborted. Else what became of it is counted, and
 * MEMLIFT_OK if all its bytes are right, or MEMLIFT_FAULT if there is a hole now. */
memlift_status memlift_rest_complete(struct memlift_rest *rest, const struct memlift_engine *engine,
                                     const struct memlift_request *whole, memlift_ticket ticket,
                                     size_t start, size_t size, int aborted);

/* Does bytes [start, end) of the whole: as the engine's cpu() does, if it has one. engine: or
 * NULL. */
void memlift_on_cpu(const struct memlift_engine *engine, const struct memlift_request *whole,
                    size_t start, size_t end);

/* Completes the unaligned head and tail. */
void memlift_rest_ends(const struct memlift_rest *rest, const struct memlift_engine *engine,
                       const struct memlift_request *whole);

/* Completes the holes that failed pieces left, and the part that was never submitted. */
void memlift_rest_middle(const struct memlift_rest *rest, const struct memlift_engine *engine,
                         const struct memlift_request *whole);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
