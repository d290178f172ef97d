/* ring.c - the ring's two ends
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "ring.h"
#include "barriers.h"

/* Slots are bytes; their first four are handed over as one word. */
typedef uint32_t __attribute__((may_alias)) header_word;

#define EMPTY 0u

static struct memlift_slot *slot_of(const struct memlift_ring *ring, uint32_t count) {
  return &ring->slots[count & (ring->depth - 1)];
}

/* Acquire: the device has done with reading the slot before we write it again. */
static int has_free_slot(const struct memlift_ring *ring, uint32_t produced) {
  return produced - __atomic_load_n(ring->returned, __ATOMIC_ACQUIRE) < ring->depth;
}

static inline __attribute__((always_inline)) void hand_over(const struct memlift_ring *ring,
                                                            uint32_t count, uint32_t header) {
  /* Body and operands are written. A device that is no CPU does not honour release, and looks at
   * the header whenever it likes: this is what it does honour. */
  memlift_barrier_to_device();
  /* Release: who sees the header sees them. From here on the device may read the slot and write the
   * destination. */
  __atomic_store_n((header_word *)(void *)slot_of(ring, count)->bytes, header, __ATOMIC_RELEASE);
  /* Whoever the doorbell wakes up finds the header. */
  memlift_barrier_to_device();
  /* The doorbell. */
  __atomic_store_n(ring->doorbell, count + 1, __ATOMIC_RELEASE);
}

/* ---- One producer ---------------------------------------------------------------------------- */

struct memlift_slot *memlift_ring_reserve(const struct memlift_ring *ring) {
  return has_free_slot(ring, ring->produced) ? slot_of(ring, ring->produced) : NULL;
}

void memlift_ring_publish(struct memlift_ring *ring, uint32_t header) {
  hand_over(ring, ring->produced++, header);
}

/* ---- Several --------------------------------------------------------------------------------- */

/* The count is what they compete for: it orders nothing, the header does. An old count may look
 * like a full ring, as the device has gone on since. */
struct memlift_slot *memlift_ring_claim(struct memlift_ring *ring, uint32_t *ticket) {
  uint32_t count = __atomic_load_n(&ring->produced, __ATOMIC_RELAXED);
  for (;;) {
    if (has_free_slot(ring, count)) {
      if (__atomic_compare_exchange_n(&ring->produced, &count, count + 1, 1, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
        break;
    } else {
      uint32_t seen = count;
      count = __atomic_load_n(&ring->produced, __ATOMIC_RELAXED);
      if (count == seen)
        return NULL;
    }
  }
  *ticket = count;
  return slot_of(ring, count);
}

void memlift_ring_commit(const struct memlift_ring *ring, uint32_t ticket, uint32_t header) {
  hand_over(ring, ticket, header);
}

/* ---- Device ---------------------------------------------------------------------------------- */

const struct memlift_slot *memlift_ring_take(struct memlift_slot *slots, uint32_t depth,
                                             uint32_t taken, uint32_t *header) {
  struct memlift_slot *slot = &slots[taken & (depth - 1)];
  header_word *word = (header_word *)(void *)slot->bytes;
  /* Acquire: pairs with the producer's release of the header, so the body is there to be read. */
  *header = __atomic_load_n(word, __ATOMIC_ACQUIRE);
  if (*header == EMPTY)
    return NULL;
  /* Ours until it is given back, which orders this store. */
  __atomic_store_n(word, EMPTY, __ATOMIC_RELAXED);
  return slot;
}

void memlift_ring_return(uint32_t *returned, uint32_t taken) {
  /* Release: our loads from the slots are done, and the slots are empty. */
  __atomic_store_n(returned, taken, __ATOMIC_RELEASE);
}
