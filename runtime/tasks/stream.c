/* stream.c - memlift_stream_begin, _next and _end: a loop over arrays, block by block
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Problem: while a loop computes, an engine could bring in what it reads next, and take out what it
 * has written. Whoever waits for a transfer before he begins another one gains nothing: most of
 * what was written for that purpose waits too early.
 *
 * Idea: wait before reuse. A transfer is waited for when something else needs its buffer or its
 * bytes, and not before. Between the computing of blocks t - 1 and t, in this order:
 *
 *   1. wait for the puts of block t - 2
 *   2. begin the puts of block t - 1, which has just been computed
 *   3. begin the gets of block t + 1: into the buffers of t - 1 (of t - 2 where they are also put)
 *   4. wait for the gets of block t
 *
 * Step 1 frees the buffers that block t is written to, and those of step 3. On one channel, which
 * does one transfer after the other, the wait costs nothing: when it ends the gets of block t are
 * under way, which step 4 waits for anyhow. Time: with C to compute a block, G to get it and P to
 * put it, D = G + P on one channel or the larger of both on two, N blocks take G + (N - 1) * max(C,
 * D) + C + P or less. test/tasks/stream.pml has the order of all this.
 *
 * Step 1 is also why memory is never ahead of the program: all of block t - 2 is there before
 * anything of block t - 1 is written. A put that meets a bad address is finished by the CPU, in
 * step 1, whose signal then comes when all blocks before are complete, and none after has begun.
 *
 * A get that meets a bad address makes its block direct: the loop computes in memory, and meets the
 * address itself, if it needs it at all. All earlier blocks are put first. So is a block whose get
 * was not taken. A lost transfer costs time, so all blocks after one are direct.
 */
#include "stream_state.h"

/* ---- Places ---------------------------------------------------------------------------------- */

/* Returns the number of iterations of a block. */
static uint64_t iterations_of(const struct memlift_stream_state *s, uint64_t block) {
  return block + 1 < s->blocks ? s->block : s->iterations - block * s->block;
}

/* Returns the transfer of a block of an access, in the one direction or the other. */
static struct memlift_transfer place(const struct memlift_stream_state *s,
                                     const struct memlift_lane *lane, uint64_t block,
                                     enum memlift_direction direction) {
  uint64_t m = iterations_of(s, block), step = memlift_lane_step(lane);
  uint64_t lowest = block * s->block + (lane->step < 0 ? m - 1 : 0);
  unsigned char *address = lane->base + (ptrdiff_t)((int64_t)lowest * lane->step);
  unsigned char *local = lane->buffer + block % lane->buffers * lane->stride +
                         ((uintptr_t)address & (MEMLIFT_STORE_ALIGNMENT - 1));
  if (lane->pitch)
    return (struct memlift_transfer){
        local, address, lane->bytes, m, (ptrdiff_t)lane->pitch, (ptrdiff_t)step, direction};
  return (struct memlift_transfer){local, address,  (m - 1) * step + lane->bytes, 1, 0,
                                   0,     direction};
}

/* Returns what to add to the addresses of an access in a local block. Rows lie in the buffer as
 * they do in memory, from the lowest address on, and a negative step walks both backwards. */
static struct memlift_stream_shift shift_of(const struct memlift_stream_state *s,
                                            const struct memlift_lane *lane, uint64_t block) {
  struct memlift_transfer t = place(s, lane, block, MEMLIFT_GET);
  intptr_t delta = (intptr_t)((uintptr_t)t.local - (uintptr_t)t.address), slope = 0;
  if (lane->pitch) {
    intptr_t narrower = t.local_pitch - t.pitch;
    slope = lane->step < 0 ? -narrower : narrower;
    if (lane->step < 0)
      delta += (intptr_t)(t.rows - 1) * narrower;
  }
  return (struct memlift_stream_shift){delta, slope};
}

/* ---- Transfers ------------------------------------------------------------------------------- */

/* Waits for a transfer. TIMED_OUT: it is lost, and was aborted. */
static memlift_status end_slot(struct memlift_stream_state *s, unsigned slot, size_t *moved) {
  memlift_status status = memlift_slot_end(s->store, slot, UINT64_MAX, moved);
  if (status == MEMLIFT_TIMED_OUT)
    s->gives_up = 1;
  return status;
}

/* Waits for the puts under way, and has the CPU finish those that did not come to their end. */
static void finish_puts(struct memlift_stream_state *s) {
  for (uint32_t k = 0; k < s->count; k++) {
    struct memlift_lane *lane = &s->lane[k];
    if (lane->put == MEMLIFT_NO_SLOT)
      continue;
    struct memlift_transfer t = s->store->slot[lane->put].transfer;
    size_t moved = 0;
    memlift_status status = end_slot(s, lane->put, &moved);
    lane->put = MEMLIFT_NO_SLOT;
    if (status != MEMLIFT_OK)
      memlift_transfer_rest(&t, moved);
  }
}

/* Begins the puts of a block. The CPU does those that are not taken. */
static void begin_puts(struct memlift_stream_state *s, uint64_t block) {
  for (uint32_t k = 0; k < s->count; k++) {
    struct memlift_lane *lane = &s->lane[k];
    if (!lane->out)
      continue;
    struct memlift_transfer t = place(s, lane, block, MEMLIFT_PUT);
    unsigned slot;
    size_t moved = 0;
    memlift_status status = memlift_slot_begin(s->store, &t, MEMLIFT_TAG_OF_STREAM, &slot, &moved);
    if (status == MEMLIFT_PENDING)
      lane->put = (unsigned char)slot;
    else if (status != MEMLIFT_OK)
      memlift_transfer_rest(&t, status == MEMLIFT_FAULT ? moved : 0);
  }
}

/* Begins the gets of a block. The first that is not taken makes the block direct. */
static void begin_gets(struct memlift_stream_state *s, uint64_t block) {
  memlift_status status = s->gives_up ? MEMLIFT_BUSY : MEMLIFT_OK;
  for (uint32_t k = 0; k < s->count; k++) {
    struct memlift_lane *lane = &s->lane[k];
    unsigned char *get = &lane->get[block & 1];
    *get = MEMLIFT_NO_SLOT;
    if (status != MEMLIFT_OK && status != MEMLIFT_PENDING) {
      *get = MEMLIFT_FAILED;
      continue;
    }
    if (!lane->in)
      continue;
    struct memlift_transfer t = place(s, lane, block, MEMLIFT_GET);
    unsigned slot;
    size_t moved;
    status = memlift_slot_begin(s->store, &t, MEMLIFT_TAG_OF_STREAM, &slot, &moved);
    if (status == MEMLIFT_PENDING)
      *get = (unsigned char)slot;
    else if (status != MEMLIFT_OK)
      *get = MEMLIFT_FAILED;
  }
}

/* Waits for the gets of a block. Returns 1 if all its bytes are there. */
static int finish_gets(struct memlift_stream_state *s, uint64_t block) {
  int all = 1;
  for (uint32_t k = 0; k < s->count; k++) {
    unsigned char *get = &s->lane[k].get[block & 1];
    size_t moved;
    if (*get == MEMLIFT_FAILED || (*get != MEMLIFT_NO_SLOT && end_slot(s, *get, &moved)))
      all = 0;
    *get = MEMLIFT_NO_SLOT;
  }
  return all;
}

/* ---- The trace ------------------------------------------------------------------------------ */

/* The program computes a block from here on. */
static void trace_block(struct memlift_store *store) {
#if MEMLIFT_HAVE_ENGINES
  if (store->track)
    store->computes_since = memlift_store_time(store) + 1; /* 0 is a time, of a model */
#else
  (void)store;
#endif
}

/* It has done so, if there was one. */
static void trace_computed(struct memlift_store *store) {
#if MEMLIFT_HAVE_ENGINES
  if (store->track && store->computes_since)
    memlift_store_trace(store, MEMLIFT_SPAN_COMPUTE, store->computes_since - 1, 0);
  store->computes_since = 0;
#else
  (void)store;
#endif
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* Tries to go through the store. A loop in a handler that has interrupted another one of the
 * thread, or one of its transfers, does not get it. */
static __attribute__((noinline)) void open_store(struct memlift_stream_state *s,
                                                 struct memlift_store *store,
                                                 const struct memlift_stream_plan *plan,
                                                 const struct memlift_stream_access *accesses) {
  if (!memlift_store_enter(store))
    return;
  s->store = store;
  s->computes = s->gives_up = 0;
  s->next = 0;
  if (memlift_stream_cut(s, plan, accesses)) {
    store->user->loops = 1;
    begin_gets(s, 0);
    return;
  }
  s->store = NULL;
  memlift_store_exit(store);
}

/* Completes the block that was computed, and everything before it but that block's puts. */
static void complete(struct memlift_stream_state *s) {
  finish_puts(s);
  if (s->computes)
    begin_puts(s, s->next - 1);
  s->computes = 0;
}

/* Returns the next block of a loop that goes through the store. */
static __attribute__((noinline)) uint64_t next_block(struct memlift_stream_state *s,
                                                     struct memlift_stream_shift *shifts) {
  uint64_t block = s->next;
  trace_computed(s->store);
  complete(s);
  if (block == s->blocks)
    return 0;
  if (block + 1 < s->blocks)
    begin_gets(s, block + 1);
  s->next++;
  s->computes = (unsigned char)finish_gets(s, block);
  if (!s->computes)
    finish_puts(s);
  for (uint32_t k = 0; k < s->count; k++)
    shifts[k] = s->computes ? shift_of(s, &s->lane[k], block) : (struct memlift_stream_shift){0, 0};
  trace_block(s->store);
  return iterations_of(s, block);
}

/* The gets under way are those of the next block, if the caller wants no more of it. */
static __attribute__((noinline)) void close_store(struct memlift_stream_state *s) {
  struct memlift_store *store = s->store;
  trace_computed(store);
  complete(s);
  finish_gets(s, s->next);
  finish_puts(s);
  memlift_store_give(store, s->piece);
  store->user->loops = 0;
  s->store = NULL;
  s->iterations = 0;
  memlift_store_exit(store);
}

void memlift_stream_begin(struct memlift_stream *stream, const struct memlift_stream_plan *plan,
                          const struct memlift_stream_access *accesses, uint64_t iterations) {
  struct memlift_stream_state *s = (struct memlift_stream_state *)(void *)stream;
  struct memlift_store *store = memlift_store_mine();
  s->iterations = iterations;
  s->store = NULL;
  s->count = plan->count;
  if (store)
    open_store(s, store, plan, accesses);
}

uint64_t memlift_stream_next(struct memlift_stream *stream, struct memlift_stream_shift *shifts) {
  struct memlift_stream_state *s = (struct memlift_stream_state *)(void *)stream;
  uint64_t iterations = s->iterations;
  if (s->store)
    return next_block(s, shifts);
  s->iterations = 0;
  if (iterations)
    for (uint32_t k = 0; k < s->count; k++)
      shifts[k] = (struct memlift_stream_shift){0, 0};
  return iterations;
}

void memlift_stream_end(struct memlift_stream *stream) {
  struct memlift_stream_state *s = (struct memlift_stream_state *)(void *)stream;
  if (s->store)
    close_store(s);
}
