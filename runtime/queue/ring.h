/* ring.h - a ring of 64-byte commands: body first, header last, then the doorbell
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The producer protocol of HSA's AQL. One producer at a time: who shares a ring brings the
 * exclusion (the soft engine does, with a flag that is tried and never waited for). Counts run
 * from 0 and wrap at 2^32; a slot's place is its count modulo the depth, a power of two.
 *
 *   produced   commands that the producer has published        (producer only)
 *   doorbell   the same, where the device sees it              (producer writes, device reads)
 *   returned   slots that the device has read and gives back   (device writes, producer reads)
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

/* The next slot, whose bytes 4 to 63 may be written now; NULL when the device has not given back
 * enough. May be called again and again, the slot is taken by publish only. */
struct memlift_slot *memlift_ring_reserve(const struct memlift_ring *ring);

/* Hands the reserved slot over. header is bytes 0 to 3 as they stand in memory. */
void memlift_ring_publish(struct memlift_ring *ring, uint32_t header);

/* Device's side: the next command, or NULL when `taken` is all that was published. The header is
 * in *header as it stands in memory; everything else in the slot is then valid. */
const struct memlift_slot *memlift_ring_take(const struct memlift_slot *slots, uint32_t depth,
                                             const uint32_t *doorbell, uint32_t taken,
                                             uint32_t *header);

/* Device's side: `taken` slots have been read. */
void memlift_ring_return(uint32_t *returned, uint32_t taken);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
