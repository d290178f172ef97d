/* plan.h - who does which bytes of an operation, and in how large pieces
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An operation is head, body and tail: the body starts and ends at multiples of the engine's
 * granule in the destination. The engine takes pieces from the front of the body, the CPU, while it
 * would only wait, chunks from its back, until they meet. So each does what its speed is at that
 * moment; no rate has to be known. What is handed out shrinks with what is left, so that all units,
 * and the CPU, end at about the same time (guided self-scheduling: no unit ends later than the
 * others by more than one of the last, small batches). Between two pieces nothing but addresses is
 * looked at: the engine works on the first while longest() walks the pages of the next.
 *
 * Pure arithmetic: no memory is touched, nothing is remembered.
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
