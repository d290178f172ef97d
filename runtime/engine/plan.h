/* plan.h - divides an operation between an engine and the CPU, and into pieces
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Problem: an engine has several units that work in parallel, and the CPU could work beside them.
 * All should end at the same time, though none of their speeds is known, and they change from one
 * operation to the next.
 *
 * Naive: as many equal parts as there are workers. Then the slowest decides, and all others wait
 * for it. Very small pieces even that out, but each piece has a cost of its own.
 *
 * Idea: guided self-scheduling. A worker that becomes free takes a fixed fraction of the bytes that
 * are left. So pieces are large at first and shrink, and no unit ends later than the others by more
 * than one of the last, small batches. The CPU takes part from the other end: the engine takes
 * pieces from the front of the body, the CPU chunks from its back, until they meet. Each does as
 * much as its speed allows at that moment.
 *
 * An operation is head, body and tail: the body begins and ends at multiples of the engine's
 * granule in the destination, and the CPU does the rest. Between two pieces nothing but addresses
 * is looked at: the engine works on the first while longest() walks the pages of the next.
 *
 * A caller that goes away cannot hand out shrinking pieces. It submits equal ones, a few for each
 * unit, all at once.
 *
 * Limits: a batch has a least size (min_batch), so a small operation is divided less evenly. An
 * engine without units gets each piece as long as it may be. Pure arithmetic: no memory is touched,
 * nothing is remembered.
 */
#ifndef MEMLIFT_PLAN_H
#define MEMLIFT_PLAN_H

#include "engine.h"

/* However much an engine could take at once. */
#define MEMLIFT_LARGEST_PIECE ((size_t)1 << 30)

/* Body of an operation: bytes [begin, end) of it; begin == end when there is none. */
struct memlift_body {
  size_t begin, end;
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

struct memlift_body memlift_plan_body(const struct memlift_engine *engine,
                                      const struct memlift_request *whole);

/* Bytes [start, start + size) of an operation as one of its own. */
struct memlift_request memlift_plan_piece(const struct memlift_request *whole, size_t start,
                                          size_t size);

/* Bytes to hand out at once. Guided: for who is there to hand out the next, while `left` of the
 * whole are not taken yet. Even: for a caller that goes away and lets the engine work, a few
 * batches for each unit. */
size_t memlift_plan_guided(const struct memlift_engine *engine, size_t whole, size_t left);
size_t memlift_plan_even(const struct memlift_engine *engine, size_t whole);

/* Cuts up to `slots` pieces, of `wanted` bytes in all, off the front of bytes [front, back).
 * Returns how many; 0 when the engine cannot do the granule at the front. */
unsigned memlift_plan_batch(const struct memlift_engine *engine,
                            const struct memlift_request *whole, size_t front, size_t back,
                            size_t wanted, unsigned slots, struct memlift_request *pieces);

/* Bytes that may be under way in the engine while `left` bytes are not taken yet. */
size_t memlift_plan_in_flight(const struct memlift_engine *engine,
                              const struct memlift_request *whole, size_t left);

/* Bytes that the CPU takes next from the back of `left`; 0: too few are under way in the engine for
 * it to be left alone. */
size_t memlift_plan_chunk(const struct memlift_engine *engine, size_t left, size_t in_flight);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
