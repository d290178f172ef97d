/* ring.c - the ring's two ends
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "ring.h"
#include "barriers.h"

/* Slots are bytes; their first four are handed over as one word. */
typedef uint32_t __attribute__((may_alias)) header_word;

struct memlift_slot *memlift_ring_reserve(const struct memlift_ring *ring) {
  /* Acquire: the device has done with reading the slot before we write it again. */
  uint32_t returned = __atomic_load_n(ring->returned, __ATOMIC_ACQUIRE);
  if (ring->produced - returned >= ring->depth)
    return NULL;
  return &ring->slots[ring->produced & (ring->depth - 1)];
}

void memlift_ring_publish(struct memlift_ring *ring, uint32_t header) {
  struct memlift_slot *slot = &ring->slots[ring->produced & (ring->depth - 1)];
  /* Body and operands are written. Release: who sees the header sees them. */
  __atomic_store_n((header_word *)(void *)slot->bytes, header, __ATOMIC_RELEASE);
  /* A device that is no CPU does not honour release; this is what it does honour. */
  memlift_barrier_to_device();
  ring->produced++;
  /* The doorbell. From here on the device may read the slot and write the destination. */
  __atomic_store_n(ring->doorbell, ring->produced, __ATOMIC_RELEASE);
}

const struct memlift_slot *memlift_ring_take(const struct memlift_slot *slots, uint32_t depth,
                                             const uint32_t *doorbell, uint32_t taken,
                                             uint32_t *header) {
  if (__atomic_load_n(doorbell, __ATOMIC_ACQUIRE) == taken)
    return NULL;
  const struct memlift_slot *slot = &slots[taken & (depth - 1)];
  *header = __atomic_load_n((const header_word *)(const void *)slot->bytes, __ATOMIC_ACQUIRE);
  return slot;
}

void memlift_ring_return(uint32_t *returned, uint32_t taken) {
  /* Release: our loads from the slots are done. */
  __atomic_store_n(returned, taken, __ATOMIC_RELEASE);
}
