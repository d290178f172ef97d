/* ring.h - a ring of 64-byte commands: body first, header last, then the doorbell
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The producer protocol is that of HSA's AQL. The header of a slot hands it over: the producer
 * stores it last, and the device polls it. A header of 0 means an empty slot, so no command has
 * one. The doorbell only wakes the device; several producers may ring it in any order. The device
 * empties a slot as it takes it. Counts run from 0 and wrap at 2^32. A slot's place is its count
 * modulo the depth, a power of two. The slots of a new ring are all zeros. ring.c says why it is
 * built so.
 *
 *   produced   slots that producers have taken                  (producers only)
 *   doorbell   a count of commands handed over                  (producers write, device may read)
 *   returned   slots that the device has read and gives back    (device writes, producers read)
 *
 * One producer at a time: reserve, write, publish. Callers exclude each other (the soft engine by
 * its engine lock). Several producers at once: claim, write, commit; a claimed slot has to be
 * committed. No ring is used in both ways at the same time.
 */
#ifndef MEMLIFT_RING_H
#define MEMLIFT_RING_H

#include <stddef.h>
#include <stdint.h>

#define MEMLIFT_SLOT_BYTES 64

/* A slot for one command. Its layout and byte order are the device's, so these are bytes. */
struct memlift_slot {
  unsigned char bytes[MEMLIFT_SLOT_BYTES];
} __attribute__((aligned(MEMLIFT_SLOT_BYTES)));

/* A producer's view of a ring. */
struct memlift_ring {
  struct memlift_slot *slots;
  uint32_t depth;    /* slots, a power of two */
  uint32_t produced; /* slots that producers have taken */
  uint32_t *doorbell;
  const uint32_t *returned;
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Returns the next slot for the only producer, who may write its bytes 4 to 63; NULL when the ring
 * is full. Repeated calls return the same slot: only publish takes it. */
struct memlift_slot *memlift_ring_reserve(const struct memlift_ring *ring);

/* Hands the reserved slot over and rings the doorbell. header is bytes 0 to 3 as they stand in
 * memory, not 0. */
void memlift_ring_publish(struct memlift_ring *ring, uint32_t header);

/* Takes the next slot for one of several producers, who writes its bytes 4 to 63 and commits it.
 * *ticket is its count. NULL, and nothing taken, when the ring is full. Lock-free; a producer that
 * stops between claim and commit delays the slots claimed later. */
struct memlift_slot *memlift_ring_claim(struct memlift_ring *ring, uint32_t *ticket);

/* Hands the claimed slot over and rings the doorbell; header is as for memlift_ring_publish. */
void memlift_ring_commit(const struct memlift_ring *ring, uint32_t ticket, uint32_t header);

/* Takes command number `taken`, on the device's side; NULL when it has not been handed over. The
 * header moves to *header as it stood in memory; the rest of the slot is valid until it is
 * returned. */
const struct memlift_slot *memlift_ring_take(struct memlift_slot *slots, uint32_t depth,
                                             uint32_t taken, uint32_t *header);

/* Returns the slots before number `taken` to the producers, on the device's side. */
void memlift_ring_return(uint32_t *returned, uint32_t taken);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
