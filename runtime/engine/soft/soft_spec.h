/* soft_spec.h - the soft device's words and registers, and nothing else
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Offsets, masks and values of the 64-byte command and of the 32-byte completion record come from
 * intrinsics/Formats.td; all words are little-endian on every machine. Contract on top of them:
 *
 *   - Commands are taken in the order of the ring and may complete in any order. A slot holds one
 *   when
 *     its header is not 0; the device sets it to 0 when it takes it.
 *   - Nothing outside [DESTINATION, + LENGTH) and the completion record is written.
 *   - A completion's other fields are valid once STATUS is not PENDING.
 *   - BYTES bytes from the front are right; what follows in the destination may hold anything.
 *   - Reserved bits and fields that are not 0, a LENGTH of 0, a region that wraps or a copy that
 *     overlaps: BAD_COMMAND. A completion address that is not 32-byte aligned or lies outside of
 *     the completion area: the command is dropped, there is nowhere to say so.
 *   - FILL: byte j becomes byte j % 8 of the SOURCE field as it stands in the command.
 */
#ifndef MEMLIFT_SOFT_SPEC_H
#define MEMLIFT_SOFT_SPEC_H

#include "../../queue/wait.h"
#include "../words.h"

#include <stdint.h>

/* Registers of the device, in memory of ours. All counts wrap at 2^32. */
struct soft_registers {
  /* Written by the client. */
  uint32_t doorbell; /* commands handed over, when several clients do it only nearly */
  uint32_t abort;    /* drop everything that was handed over; counts requests */
  uint32_t stop;     /* 1: the device ends */
  /* Written by the device. */
  uint32_t returned; /* slots that may be used again */
  uint32_t aborted;  /* abort requests carried out: no dropped command writes any more */
  /* Notifications. */
  struct memlift_event bell;      /* to the device: a register was written */
  struct memlift_event completed; /* to the client: a completion or an abort is done */
};

/* Whole words, little-endian whatever the machine is. */
static inline uint64_t soft_get(const unsigned char *p, unsigned bytes) {
  return memlift_word_get(p, bytes, 0);
}

static inline void soft_put(unsigned char *p, unsigned bytes, uint64_t value) {
  memlift_word_put(p, bytes, 0, value);
}

#define SOFT_GET(record, format, field)                                                            \
  soft_get((record) + MEMLIFT_##format##_##field##_OFFSET, MEMLIFT_##format##_##field##_BYTES)
#define SOFT_PUT(record, format, field, value)                                                     \
  soft_put((record) + MEMLIFT_##format##_##field##_OFFSET, MEMLIFT_##format##_##field##_BYTES,     \
           value)

/* Status and number of a completion record are one word, which the device writes last and a client
 * reads at once: another thread may have collected this completion, and the record be the next
 * command's. */
typedef uint64_t __attribute__((may_alias)) soft_completion_head;
#define SOFT_HEAD_BYTES sizeof(soft_completion_head)

static inline void soft_head_store(unsigned char *record, uint8_t status, uint32_t sequence) {
  union {
    unsigned char bytes[SOFT_HEAD_BYTES];
    soft_completion_head word;
  } head = {{0}};
  SOFT_PUT(head.bytes, SOFT_COMP, STATUS, status);
  SOFT_PUT(head.bytes, SOFT_COMP, SEQUENCE, sequence);
  /* Release: the bytes that the command wrote are seen with its status (soft_completion_get). */
  __atomic_store_n((soft_completion_head *)(void *)record, head.word, __ATOMIC_RELEASE);
}

static inline uint8_t soft_head_load(const unsigned char *record, uint32_t *sequence) {
  union {
    unsigned char bytes[SOFT_HEAD_BYTES];
    soft_completion_head word;
  } head;
  /* Acquire: pairs with the release of the device. */
  head.word = __atomic_load_n((const soft_completion_head *)(const void *)record, __ATOMIC_ACQUIRE);
  *sequence = (uint32_t)SOFT_GET(head.bytes, SOFT_COMP, SEQUENCE);
  return (uint8_t)SOFT_GET(head.bytes, SOFT_COMP, STATUS);
}

/* A header as a value <-> as it stands in memory; a fill's pattern in memory order -> the SOURCE
 * field whose bytes are that pattern. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
static inline uint32_t soft_header(uint32_t word) { return word; }
static inline uint64_t soft_pattern(uint64_t pattern) { return pattern; }
#else
static inline uint32_t soft_header(uint32_t word) { return __builtin_bswap32(word); }
static inline uint64_t soft_pattern(uint64_t pattern) { return __builtin_bswap64(pattern); }
#endif

#endif
