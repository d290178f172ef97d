/* watched.h - a unit's own channel of the PDMA, which notes what is begun, waited for and used
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The mover of the library does the work. This one stands before it and checks the order: no
 * transfer may begin, and nothing may be computed, on bytes of the local store that an earlier
 * transfer still touches, as far as the program knows, which is until it has waited.
 */
#ifndef FIRMWARE_WATCHED_H
#define FIRMWARE_WATCHED_H

#include "tasks/mover_pdma.h"

struct watched {
  struct memlift_mover mover;
  struct memlift_mover_pdma pdma;
  struct memlift_transfer under_way[MEMLIFT_PDMA_JOBS]; /* by ticket; 0 bytes: none */
  uint64_t transfers, bytes;                            /* that the channel has moved */
  uint64_t too_early;                                   /* accesses before a wait */
};

/* Claims the channel. MEMLIFT_OK, or what memlift_mover_pdma_open says. */
memlift_status watched_open(struct watched *w, unsigned channel);

/* Says that the program is about to access bytes of the local store. */
void watched_use(struct watched *w, const void *p, size_t size);

/* 1 if a get into these bytes is under way, or was and has been waited for since it began. */
int watched_gets(const struct watched *w, const void *p);

#endif
