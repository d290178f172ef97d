/* ordering.c - one command through the ring; APART: the ring is another unit, for link-time optimisation
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifdef APART
#include "queue/ring.h"
#else
#include "queue/ring.c"
#endif

typedef uint64_t __attribute__((may_alias)) word;

/* The body is 40 bytes from the slot's start, and nobody in this program reads it. */
void submit(struct memlift_ring *ring, uint64_t body) {
  struct memlift_slot *slot = memlift_ring_reserve(ring);
  if (!slot)
    return;
  *(word *)(void *)(slot->bytes + 40) = body;
  memlift_ring_publish(ring, 0x12345678);
}

/* Submission to a ring that has other producers, too. */
void submit_beside(struct memlift_ring *ring, uint64_t body) {
  uint32_t ticket;
  struct memlift_slot *slot = memlift_ring_claim(ring, &ticket);
  if (!slot)
    return;
  *(word *)(void *)(slot->bytes + 40) = body;
  memlift_ring_commit(ring, ticket, 0x12345678);
}

/* Two lines of a device's window, which are not to become one transaction, nor change places. */
#ifndef APART
void through_window(volatile uint64_t *window, uint64_t first, uint64_t second) {
  window[0] = first;
  memlift_barrier_window();
  window[1] = second;
}
#endif
