/* store.h - a local store: its pieces, and the transfers that are under way for it
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   store.c   which thread has which store; the allocator
 *   dma.c     transfers: memlift_get and the others, and what stream.c uses
 *
 * All state of a thread's transfers is in its store, not on its stack: a thread that leaves a loop
 * by longjmp leaves transfers under way, and memlift_store_release has to find them.
 */
#ifndef MEMLIFT_STORE_H
#define MEMLIFT_STORE_H

#include "../config.h"
#include "../include/memlift/local_store.h"
#include "../include/memlift/stream.h"
#include "../engine/meter.h"
#include "mover.h"
#include "mover_engine.h"
#include "store_user.h"
#include "system.h"
#include "trace.h"

#define MEMLIFT_SLOTS 64u                  /* transfers of a store at once */
#define MEMLIFT_TAG_OF_STREAM MEMLIFT_TAGS /* of those that are no tag's */

/* A transfer under way. */
struct memlift_store_slot {
  struct memlift_transfer transfer;
  uint64_t ticket;
  uint64_t deadline; /* on the mover's clock: lost if it has not ended by then; 0: nobody has waited
                      * for it, or for another one that began after it */
  uint32_t tag;
  uint32_t user; /* number of whose it is */
#if MEMLIFT_HAVE_ENGINES
  uint64_t begun; /* traced: when it was started */
#endif
};

/* Allocated bytes, in units of MEMLIFT_STORE_ALIGNMENT from the store's beginning. */
struct memlift_store_piece {
  uint32_t start, end;
};

/* The contents of a struct memlift_local_store. */
struct __attribute__((may_alias)) memlift_store {
  unsigned char *memory; /* aligned */
  uint32_t units;        /* of MEMLIFT_STORE_ALIGNMENT bytes */
  uint32_t entered;      /* 1: the thread is in a function that changes the store, or in a loop over
                     * blocks; a handler's loop then stays out */
  struct memlift_mover *mover; /* what moves beside the thread */
  struct memlift_mover *cpu;   /* what moves in the thread: memlift_mover_cpu or _checked */
  uint64_t free;               /* bit n: slot n has no transfer */
  struct memlift_store_user *user;
  uint32_t pieces;                                        /* number of them */
  struct memlift_store_piece piece[MEMLIFT_STORE_PIECES]; /* from the lowest to the highest */
  uint16_t owner[MEMLIFT_STORE_PIECES];                   /* number of whose each piece is */
  struct memlift_store_slot slot[MEMLIFT_SLOTS];
  struct memlift_store_user own; /* of the thread, when it runs no task */
  struct memlift_mover_engine engine;
#if MEMLIFT_HAVE_ENGINES
  struct memlift_moves *moves; /* of its thread */
  struct memlift_track *track; /* of its thread; NULL: nothing is traced */
  uint64_t computes_since;     /* traced: when the block of a loop was given out; 0: none was */
#endif
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* ---- store.c ---- */

/* Returns the calling thread's store, NULL if it has none. Async-signal-safe. */
#if MEMLIFT_BARE
static inline struct memlift_store *memlift_store_find(void) { return memlift_hart_self()->store; }
#else
struct memlift_store *memlift_store_find(void);
#endif

/* memlift_store_find, one comparison where no thread has a store. */
static inline struct memlift_store *memlift_store_mine(void) {
  return __atomic_load_n(&memlift_stores_bound, __ATOMIC_RELAXED) ? memlift_store_find() : NULL;
}

/* Enters the store; 0: the thread, or what this handler has interrupted, is in it already. Only the
 * thread and its handlers write the flag, and a handler has left again when it returns. The empty
 * assembly keeps the compiler from moving changes of the store out of the two. */
static inline int memlift_store_enter(struct memlift_store *store) {
  if (__atomic_load_n(&store->entered, __ATOMIC_RELAXED))
    return 0;
  __atomic_store_n(&store->entered, 1, __ATOMIC_RELAXED);
  __asm__ volatile("" ::: "memory");
  return 1;
}

static inline void memlift_store_exit(struct memlift_store *store) {
  __asm__ volatile("" ::: "memory");
  __atomic_store_n(&store->entered, 0, __ATOMIC_RELAXED);
}

/* Has a mover that is the calling thread's own move beside it, rather than the engine in use. Right
 * after memlift_store_bind; the mover outlives the store. */
memlift_status memlift_store_move_by(struct memlift_mover *mover);

/* Has transfers of the calling thread's store, if it has one, count there: in memory that other
 * processes see. */
#if MEMLIFT_HAVE_ENGINES
void memlift_store_count_in(struct memlift_moves *moves);
#endif

/* The bodies of memlift_store_alloc, _free and _left. */
void *memlift_store_take(struct memlift_store *store, size_t size, size_t alignment);
void memlift_store_give(struct memlift_store *store, void *p);
size_t memlift_store_largest(const struct memlift_store *store);

/* Count a transfer of the thread, and a wait for one. Only the thread writes them. */
static inline void memlift_count_move(struct memlift_store *store,
                                      const struct memlift_transfer *t) {
#if MEMLIFT_HAVE_ENGINES
  struct memlift_moves *m = store->moves;
  __atomic_store_n(&m->transfers, m->transfers + 1, __ATOMIC_RELAXED);
  __atomic_store_n(&m->bytes, m->bytes + t->bytes * t->rows, __ATOMIC_RELAXED);
#else
  (void)store, (void)t;
#endif
}

static inline void memlift_count_wait(struct memlift_store *store) {
#if MEMLIFT_HAVE_ENGINES
  __atomic_store_n(&store->moves->waits, store->moves->waits + 1, __ATOMIC_RELAXED);
#else
  (void)store;
#endif
}

/* The time, if the thread is traced. */
static inline uint64_t memlift_store_time(struct memlift_store *store) {
#if MEMLIFT_HAVE_ENGINES
  if (store->track)
    return store->mover->now(store->mover);
#endif
  (void)store;
  return 0;
}

/* Notes what the thread has done since `since`. */
static inline void memlift_store_trace(struct memlift_store *store, enum memlift_span_kind kind,
                                       uint64_t since, uint64_t bytes) {
#if MEMLIFT_HAVE_ENGINES
  if (store->track)
    memlift_trace(store->track, kind, since, memlift_store_time(store), bytes, NULL);
#endif
  (void)store, (void)kind, (void)since, (void)bytes;
}

/* ---- dma.c ---- */

/* Begins a transfer beside the thread: what the mover's start returns. PENDING: *slot has it until
 * memlift_slot_end. BUSY also if no slot is free. */
memlift_status memlift_slot_begin(struct memlift_store *store, const struct memlift_transfer *t,
                                  uint32_t tag, unsigned *slot, size_t *moved);

/* Waits for a slot's transfer: OK, FAULT, PENDING, or TIMED_OUT: it is lost, and has been aborted;
 * nothing of it is certainly right. The slot is free but after PENDING. */
memlift_status memlift_slot_end(struct memlift_store *store, unsigned slot, uint64_t nanoseconds,
                                size_t *moved);

/* Aborts all transfers of the current user. */
void memlift_slots_abort(struct memlift_store *store);

/* Waits for all transfers of a user. A put that is lost is done by the CPU. */
void memlift_slots_drain(struct memlift_store *store, struct memlift_store_user *user);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
