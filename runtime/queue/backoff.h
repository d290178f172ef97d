/* backoff.h - a poll whose looks get rarer, for what no core can watch
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Each look at a word that another core or a device is about to write takes its line away from the
 * writer, and each look at a register of a device is a transaction on its bus. So the gap doubles
 * from look to look, up to MEMLIFT_BACKOFF_MOST relaxations of the core: what is over soon is seen
 * soon, and what takes long is not disturbed.
 */
#ifndef MEMLIFT_BACKOFF_H
#define MEMLIFT_BACKOFF_H

#include "barriers.h"

#define MEMLIFT_BACKOFF_MOST 32u

/* Starts as {0}. */
struct memlift_backoff {
  unsigned gap, spent; /* relaxations: of the last gap, in all (wraps) */
};

/* To be called between two looks. */
static inline void memlift_back_off(struct memlift_backoff *b) {
  if (b->gap < MEMLIFT_BACKOFF_MOST)
    b->gap = b->gap ? b->gap * 2 : 1;
  for (unsigned i = 0; i < b->gap; i++)
    memlift_barrier_relax();
  b->spent += b->gap;
}

#endif
