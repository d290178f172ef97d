/* mover_pdma.h - channels of a SiFive PDMA that are one thread's own, as a mover
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_MOVER_PDMA_H
#define MEMLIFT_MOVER_PDMA_H

#include "../engine/bus.h"
#include "mover.h"

#define MEMLIFT_PDMA_JOBS 32u /* transfers under way or queued at once */

/* A transfer. Of its bytes `moved` are done, and `piece` more are in the channel. Job n of
 * a channel n of ours is that channel's own, which a transfer has that finds both idle. */
struct memlift_pdma_job {
  struct memlift_pdma_job *next;           /* of those whose channel is idle, as they are */
  uintptr_t registers;                     /* of its channel */
  const struct memlift_transfer *transfer; /* its starter keeps it */
  size_t moved, piece;
  uint32_t number; /* of the start: the queue's order */
  unsigned char state, channel, given_up;
};

struct memlift_mover_pdma {
  struct memlift_mover mover;
  const struct memlift_bus *bus;
  struct memlift_pdma_job *own; /* jobs of channels that are idle, as are the channels */
  uintptr_t base;               /* of the registers of channel 0 */
  uint32_t channels, idle;      /* bits: ours, and those that are idle, but not their own jobs */
  uint32_t started, free;       /* transfers; bits: jobs that are not in use and no channel's */
  uint32_t queued, running;     /* bits: jobs; running: but a channel's own of one piece */
  struct memlift_pdma_job job[MEMLIFT_PDMA_JOBS];
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Claims the channels whose bits are set in `channels`; bus NULL is the chip's own, base 0 is
 * PDMA_BASE. MEMLIFT_BUSY: one of them belongs to other software; then none was claimed. */
memlift_status memlift_mover_pdma_open(struct memlift_mover_pdma *pdma,
                                       const struct memlift_bus *bus, uintptr_t base,
                                       uint32_t channels);

/* Gives the channels back, with nothing under way. */
void memlift_mover_pdma_close(struct memlift_mover_pdma *pdma);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
