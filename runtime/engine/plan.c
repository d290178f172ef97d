/* plan.c - divides an operation between an engine and the CPU, and into pieces
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../config.h"

#if MEMLIFT_HAVE_OFFLOAD
#include "../kernels/dispatch.h"
#include "plan.h"

/* Divisor of an equal share of the bytes left: a batch is a fourth of it. Three fourths are then
 * still there to make up for a unit that was slower. */
#define SHARES 4u

/* Batches for each unit when all is handed out at once: a unit that ends early still finds half of
 * another's share to take. */
#define BATCHES_PER_UNIT 2u

/* The CPU's chunks: no shorter than pays for the looks at the engine between them, no longer than
 * 40 us at 6.7 GB/s, and than a fourth of what each unit has under way: it must not run dry, though
 * the CPU is slower than a unit. */
#define SHORTEST_CHUNK ((size_t)64 << 10)
#define LONGEST_CHUNK ((size_t)256 << 10)
#define CHUNKS 4u

static size_t granule_of(const struct memlift_engine *engine) {
  return engine->granule ? engine->granule : 1;
}

/* 0: each piece as long as it may be. */
static unsigned width_of(const struct memlift_engine *engine) {
  return engine->units_found ? *engine->units_found : engine->units;
}

static size_t round_up(size_t n, size_t granule) { return (n + granule - 1) & ~(granule - 1); }

struct memlift_body memlift_plan_body(const struct memlift_engine *engine,
                                      const struct memlift_request *whole) {
  size_t granule = granule_of(engine), head = -(uintptr_t)whole->destination & (granule - 1);
  struct memlift_body body = {0, 0};
  if (whole->size < head + granule)
    return body;
  body.begin = head;
  body.end = head + ((whole->size - head) & ~(granule - 1));
  return body;
}

struct memlift_request memlift_plan_piece(const struct memlift_request *whole, size_t start,
                                          size_t size) {
  struct memlift_request piece = *whole;
  piece.destination = (unsigned char *)whole->destination + start;
  if (whole->operation == MEMLIFT_OPERATION_COPY)
    piece.source = (const unsigned char *)whole->source + start;
  piece.pattern = memlift_rotate_pattern(whole->pattern, start);
  piece.size = size;
  return piece;
}

/* An operation that is too small for a full batch each is dealt out evenly, down to a fourth of
 * one. */
static size_t least_batch(const struct memlift_engine *engine, size_t whole) {
  size_t even = whole / width_of(engine), least = engine->min_batch;
  return even >= least ? least : even < least / 4 ? least / 4 : even;
}

size_t memlift_plan_guided(const struct memlift_engine *engine, size_t whole, size_t left) {
  if (!width_of(engine))
    return left;
  size_t least = least_batch(engine, whole), bytes = left / (SHARES * width_of(engine));
  return round_up(bytes < least ? least : bytes, granule_of(engine));
}

size_t memlift_plan_even(const struct memlift_engine *engine, size_t whole) {
  if (!width_of(engine))
    return whole;
  size_t least = least_batch(engine, whole),
         bytes = whole / (BATCHES_PER_UNIT * width_of(engine)) + 1;
  return round_up(bytes < least ? least : bytes, granule_of(engine));
}

size_t memlift_plan_in_flight(const struct memlift_engine *engine,
                              const struct memlift_request *whole, size_t left) {
  return width_of(engine) ? 2 * width_of(engine) * memlift_plan_guided(engine, whole->size, left)
                          : SIZE_MAX;
}

unsigned memlift_plan_batch(const struct memlift_engine *engine,
                            const struct memlift_request *whole, size_t front, size_t back,
                            size_t wanted, unsigned slots, struct memlift_request *pieces) {
  unsigned most = width_of(engine) ? MEMLIFT_BATCH : 1, count = 0;
  for (; count < most && count < slots && wanted && front < back; count++) {
    struct memlift_request rest = memlift_plan_piece(whole, front, back - front);
    size_t size = engine->longest ? engine->longest(&rest) : rest.size;
    if (size == 0)
      break;
    if (size > engine->max_bytes)
      size = engine->max_bytes;
    if (size > wanted)
      size = wanted;
    if (size > MEMLIFT_LARGEST_PIECE)
      size = MEMLIFT_LARGEST_PIECE;
    if (size > back - front)
      size = back - front;
    pieces[count] = rest;
    pieces[count].size = size;
    front += size, wanted -= size;
  }
  return count;
}

size_t memlift_plan_chunk(const struct memlift_engine *engine, size_t left, size_t in_flight) {
  size_t chunk = in_flight / (CHUNKS * (width_of(engine) ? width_of(engine) : 1));
  if (chunk < SHORTEST_CHUNK)
    return 0;
  chunk = round_up(chunk > LONGEST_CHUNK ? LONGEST_CHUNK : chunk, granule_of(engine));
  return chunk < left ? chunk : left;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
