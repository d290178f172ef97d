/* backoff.h - a poll with growing gaps, for words that the core cannot watch
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Each load of a word that another core or a device is about to write takes the cache line away
 * from the writer, and each load of a device's register is a transaction on its bus. So the gap
 * between two loads doubles, up to MEMLIFT_BACKOFF_MOST relaxations of the core. A short wait ends
 * without delay, and a long one disturbs the writer less and less.
 */
#ifndef MEMLIFT_BACKOFF_H
#define MEMLIFT_BACKOFF_H

#include "barriers.h"

#define MEMLIFT_BACKOFF_MOST 32u

/* State of one wait; starts as {0}. */
struct memlift_backoff {
  unsigned gap, spent; /* relaxations of the core: in the last gap; in all (wraps) */
};

/* Waits for the next gap; called between two loads of the word. */
static inline void memlift_back_off(struct memlift_backoff *b) {
  if (b->gap < MEMLIFT_BACKOFF_MOST)
    b->gap = b->gap ? b->gap * 2 : 1;
  for (unsigned i = 0; i < b->gap; i++)
    memlift_barrier_relax();
  b->spent += b->gap;
}

#endif
