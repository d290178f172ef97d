/* ring.h - a ring of 64-byte commands: body first, header last, then the doorbell
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The producer protocol of HSA's AQL. A slot is handed over by its header, which the producer
 * stores last and the device looks at: a header of 0 says that the slot is empty, so no command's
 * is 0. The doorbell only wakes the device up; several producers may ring theirs in any order. The
 * device empties a slot as it takes it. Counts run from 0 and wrap at 2^32; a slot's place is its
 * count modulo the depth, a power of two; the slots of a new ring are all zeros.
 *
 *   produced   slots that producers have taken                  (producers only)
 *   doorbell   a count of commands handed over                  (producers write, device may read)
 *   returned   slots that the device has read and gives back    (device writes, producers read)
 *
 * One producer at a time: reserve, write, publish; who shares a ring so brings the exclusion (the
 * soft engine does, with a flag that is tried and never waited for). Several at once: claim, write,
 * commit, where a claimed slot has to be committed. No ring is used in both ways at the same time.
 */
#ifndef MEMLIFT_RING_H
#define MEMLIFT_RING_H

#include <stddef.h>
#include <stdint.h>

#define MEMLIFT_SLOT_BYTES 64

/* One command. Bytes, since layout and byte order are the device's. */
struct memlift_slot {
  unsigned char bytes[MEMLIFT_SLOT_BYTES];
} __attribute__((aligned(MEMLIFT_SLOT_BYTES)));

struct memlift_ring {
  struct memlift_slot *slots;
  uint32_t depth;
  uint32_t produced;
  uint32_t *doorbell;
  const uint32_t *returned;
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* One producer: the next slot, whose bytes 4 to 63 may be written now; NULL when the device has not
 * given back enough. May be called again and again, the slot is taken by publish only. */
struct memlift_slot *memlift_ring_reserve(const struct memlift_ring *ring);

/* Hands the reserved slot over. header is bytes 0 to 3 as they stand in memory, not 0. */
void memlift_ring_publish(struct memlift_ring *ring, uint32_t header);

/* Several producers: takes the next slot for the caller, who writes its bytes 4 to 63 and commits
 * it; its count is in *ticket. NULL, and nothing taken, when the device has not given back enough.
 * Lock-free; a producer that stops between claim and commit holds up what was claimed later. */
struct memlift_slot *memlift_ring_claim(struct memlift_ring *ring, uint32_t *ticket);

/* Hands the claimed slot over; header as above. */
void memlift_ring_commit(const struct memlift_ring *ring, uint32_t ticket, uint32_t header);

/* Device's side: takes command number `taken`, or NULL when it has not been handed over. The header
 * is in *header as it stands in memory, no longer in the slot; the rest of the slot is valid until
 * it is given back. */
const struct memlift_slot *memlift_ring_take(struct memlift_slot *slots, uint32_t depth,
                                             uint32_t taken, uint32_t *header);

/* Device's side: the slots before number `taken` have been read. */
void memlift_ring_return(uint32_t *returned, uint32_t taken);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
