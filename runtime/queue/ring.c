/* ring.c - the two ends of the ring: producers publish slots, a device takes and returns them
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Problem: a CPU hands 64-byte commands to a device that reads memory on its own, at any time. The
 * device must never see a command half written, and the CPU must never write a slot that the device
 * still reads.
 *
 * Naive: write the command, then advance a producer index that the device reads. With one producer
 * that works. With several, a producer that has claimed slot n + 1 cannot advance the index while
 * the one that has claimed slot n still writes. It would have to wait, possibly for the code that
 * it has interrupted as a signal handler.
 *
 * Idea: each slot says itself whether it is complete. The device polls the slot's header, which is
 * stored last and as one word; claiming a slot only moves a counter. So producers finish in any
 * order and wait for nothing. The doorbell is left as a wake-up call: its count may lag behind the
 * headers or run ahead of them, since a device that wakes looks at the header.
 *
 * Orderings, and the failure without each (test/engine/ring.pml has variants without them):
 *   body before header             the device runs a half-written command
 *   header before doorbell         the device wakes, finds no header and sleeps again
 *   device's reads before return   a producer overwrites a slot that is still being read
 *   empty header before return     the device takes the old command again, one lap later
 *
 * Limits: the depth is less than 2^32, where the counts wrap. A producer that stops between claim
 * and commit stops the device at its slot, so only code that cannot be left in between claims. The
 * ring knows no completions: those are records of the commands' own.
 */
#include "ring.h"
#include "barriers.h"

/* The first four bytes of a slot, which are stored as one word. */
typedef uint32_t __attribute__((may_alias)) header_word;

#define EMPTY 0u

/* Returns the place of the slot with that count. */
static struct memlift_slot *slot_of(const struct memlift_ring *ring, uint32_t count) {
  return &ring->slots[count & (ring->depth - 1)];
}

/* Returns 1 when the slot with that count is free. The difference is right across a wrap of the
 * counts. Acquire: pairs with memlift_ring_return; the device has read the slot before a producer
 * writes it again. */
static int has_free_slot(const struct memlift_ring *ring, uint32_t produced) {
  return produced - __atomic_load_n(ring->returned, __ATOMIC_ACQUIRE) < ring->depth;
}

/* The doorbell path: hands a written slot over to the device. */
static inline __attribute__((always_inline)) void hand_over(const struct memlift_ring *ring,
                                                            uint32_t count, uint32_t header) {
  /* Body and operands are written before the header. A release alone would not order them for a
   * device that is no CPU, which may read the header at any time. */
  memlift_barrier_to_device();
  /* Release: a device in software that sees the header sees body and operands. From here on the
   * device may read the slot and write the destination. */
  __atomic_store_n((header_word *)(void *)slot_of(ring, count)->bytes, header, __ATOMIC_RELEASE);
  /* The header is written before the doorbell, so a device that the doorbell wakes finds it. */
  memlift_barrier_to_device();
  /* The doorbell. Release, for a device in software that reads the count; the soft device does not,
   * an event wakes it. */
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

/* Producers compete for the count alone. It is relaxed, since the header does the ordering. A full
 * ring is believed only when the count has not changed since it was read: an old count may look
 * like a full ring, as the device has returned slots since. */
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
  /* Relaxed: the slot is ours until memlift_ring_return, whose release orders this store. */
  __atomic_store_n(word, EMPTY, __ATOMIC_RELAXED);
  return slot;
}

void memlift_ring_return(uint32_t *returned, uint32_t taken) {
  /* Release: our loads from the slots are done, and the slots are empty. Pairs with
   * has_free_slot. */
  __atomic_store_n(returned, taken, __ATOMIC_RELEASE);
}
