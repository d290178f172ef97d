/* mover.h - interface of a mover: whatever moves bytes between a local store and memory
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A mover belongs to one thread, that of its local store; only that thread calls it. Transfers
 * under way at once end in any order: whoever needs an order waits. No function allocates memory,
 * takes a lock that a signal handler could meet, or raises a signal for a bad address, but where
 * that is said. errno is kept.
 */
#ifndef MEMLIFT_MOVER_H
#define MEMLIFT_MOVER_H

#include "../include/memlift/memlift.h"
#include "bits.h"

enum memlift_direction { MEMLIFT_GET, MEMLIFT_PUT };

/* Bytes to move: rows of `bytes` each, at least one of each. Pitches are bytes from the beginning
 * of a row to that of the next one; those of a single row mean nothing. */
struct memlift_transfer {
  unsigned char *local;   /* in the local store */
  unsigned char *address; /* in memory */
  size_t bytes, rows;
  ptrdiff_t local_pitch, pitch;
  enum memlift_direction direction;
};

/* How long transfers and cycles take, for a choice of block lengths that is the better the nearer
 * these are to the truth. All 0: not known. */
struct memlift_mover_cost {
  uint32_t setup;    /* nanoseconds of a transfer of no bytes */
  uint32_t per_kib;  /* more for each 1024 bytes */
  uint32_t channels; /* 1: gets and puts wait for one another; more: they do not */
  uint32_t cycle16;  /* sixteenths of a nanosecond that a cycle of the core takes */
};

/* A mover: its functions, which get it as their first argument, and what it costs. The owner of a
 * mover with a state of its own puts this first into it. */
struct memlift_mover {
  const char *name;

  /* Starts a transfer:
   *   MEMLIFT_PENDING  under way; *ticket names it until wait or abort has ended it, and
   *                    *transfer stays as it is as long
   *   MEMLIFT_OK       complete
   *   MEMLIFT_BUSY     nothing was started
   *   MEMLIFT_FAULT    over; *moved bytes, counted through the rows from the first on, are right */
  memlift_status (*start)(struct memlift_mover *mover, const struct memlift_transfer *transfer,
                          uint64_t *ticket, size_t *moved);

  /* Waits for a transfer for about so many nanoseconds; UINT64_MAX: until it ends. OK, PENDING,
   * FAULT as above. */
  memlift_status (*wait)(struct memlift_mover *mover, uint64_t ticket, uint64_t nanoseconds,
                         size_t *moved);

  /* Ends a transfer. On return neither its local bytes nor those in memory are touched any more. */
  void (*abort)(struct memlift_mover *mover, uint64_t ticket);

  /* Nanoseconds on the clock of `wait`. */
  uint64_t (*now)(struct memlift_mover *mover);

  /* Bytes of the smallest transfer that is worth its set-up where the caller has nothing to do
   * meanwhile; SIZE_MAX: none is, as nothing moves beside the caller now. */
  size_t (*worth)(struct memlift_mover *mover);

  uint64_t patience; /* nanoseconds after which a transfer counts as lost; UINT64_MAX: never */
  int strided;       /* 1: all rows of a transfer have one set-up; 0: each has its own */
  uint32_t least;    /* what `worth` gives, for a mover where that never changes; 0: it may */
  struct memlift_mover_cost cost;
};

/* wait without waiting. */
static inline memlift_status memlift_mover_poll(struct memlift_mover *mover, uint64_t ticket,
                                                size_t *moved) {
  return mover->wait(mover, ticket, 0, moved);
}

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* mover_cpu.c: the CPU's kernels, in start. A bad address raises its signal there. */
extern struct memlift_mover memlift_mover_cpu;

/* mover_cpu.c: the same by the system, which tells of bad addresses. */
extern struct memlift_mover memlift_mover_checked;

/* Returns 1 where memlift_mover_checked can be used; asks the system. */
int memlift_mover_checked_works(void);

/* Moves what is left of a transfer after its first `moved` bytes, as memlift_mover_cpu does. */
void memlift_transfer_rest(const struct memlift_transfer *transfer, size_t moved);

/* The place in memory of a byte of a transfer, by its number through the rows. */
unsigned char *memlift_transfer_address(const struct memlift_transfer *transfer, size_t byte);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
