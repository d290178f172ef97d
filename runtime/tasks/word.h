/* word.h - the 64 bits that hold the state of a task, and the entries of the rings of ready tasks
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   bits     field       meaning
 *   63 - 56  priority    of the last schedule
 *   55 - 48  unit        on which it runs or where its stack lives; or one of the two below
 *   47 - 24  sequence    low bits of its ticket, while it is ready
 *   23 - 8   generation  of the slot: counts its tasks
 *   7        signal      a signal was sent and not taken
 *   6 - 0    state       enum memlift_task_state
 */
#ifndef MEMLIFT_WORD_H
#define MEMLIFT_WORD_H

#include <stdint.h>

enum memlift_task_state {
  MEMLIFT_TASK_FREE,    /* no task */
  MEMLIFT_TASK_CLAIMED, /* one thread is scheduling it, and nobody else may change the word */
  MEMLIFT_TASK_READY,   /* may be pulled; its ticket is in the word */
  MEMLIFT_TASK_RUNNING, /* somebody has pulled it */
  MEMLIFT_TASK_BLOCKED, /* waits, and has left its unit */
  MEMLIFT_TASK_CREATED = 0x40, /* never scheduled; no state but these two has this bit */
  MEMLIFT_TASK_ENDED
};

/* What a task was claimed for: its sequence, where units are processes. */
enum memlift_claim {
  MEMLIFT_CLAIMED_TO_RUN,
  MEMLIFT_CLAIMED_TO_CREATE,
  MEMLIFT_CLAIMED_TO_DESTROY
};

#define MEMLIFT_NO_UNIT 255u /* it has not begun */
#define MEMLIFT_ON_HOST 254u /* it was begun by a host thread */
#define MEMLIFT_WORD_SIGNAL ((uint64_t)1 << 7)
#define MEMLIFT_SEQUENCE_MASK 0xffffffu

static inline enum memlift_task_state memlift_word_state(uint64_t word) {
  return (enum memlift_task_state)(word & 0x7f);
}
/* 1 if a task is not scheduled: created, or ended. */
static inline int memlift_word_is_idle(uint64_t word) { return word >> 6 & 1; }
static inline unsigned memlift_word_generation(uint64_t word) { return word >> 8 & 0xffff; }
static inline uint32_t memlift_word_sequence(uint64_t word) {
  return word >> 24 & MEMLIFT_SEQUENCE_MASK;
}
static inline unsigned memlift_word_unit(uint64_t word) { return word >> 48 & 0xff; }
static inline unsigned memlift_word_priority(uint64_t word) { return word >> 56; }

static inline uint64_t memlift_word_with_state(uint64_t word, enum memlift_task_state state) {
  return (word & ~(uint64_t)0x7f) | state;
}
static inline uint64_t memlift_word_with_unit(uint64_t word, unsigned unit) {
  return (word & ~((uint64_t)0xff << 48)) | (uint64_t)unit << 48;
}
static inline uint64_t memlift_word_with_priority(uint64_t word, unsigned priority) {
  return (word & ~((uint64_t)0xff << 56)) | (uint64_t)priority << 56;
}
static inline uint64_t memlift_word_with_sequence(uint64_t word, uint64_t ticket) {
  return (word & ~((uint64_t)MEMLIFT_SEQUENCE_MASK << 24)) | (ticket & MEMLIFT_SEQUENCE_MASK) << 24;
}

/* Returns the number that added to `word` makes `next`, where nobody else changes anything but the
 * signal, which stays as it is: an addition is cheaper than a compare and exchange. */
static inline uint64_t memlift_word_difference(uint64_t word, uint64_t next) {
  return (next & ~MEMLIFT_WORD_SIGNAL) - (word & ~MEMLIFT_WORD_SIGNAL);
}

/* ---- Entries ------------------------------------------------------------------------------- */

/* Places of a ring; ticket t has place t % MEMLIFT_PLACES in cycle t / MEMLIFT_PLACES. */
#define MEMLIFT_PLACES 1024u
#define MEMLIFT_PLACE_BITS 10

/* An entry is {cycle 38, skipped 14, slot 12}: the tickets of this place up to `cycle` have been
 * given out, and the last one that has an entry was that of the task in `slot`, so many cycles
 * before. Cycles start with 1, and an entry that was never written is 0. */
#define MEMLIFT_SKIPPED_MASK 0x3fffu

static inline uint64_t memlift_cycle_of_ticket(uint64_t ticket) {
  return ticket >> MEMLIFT_PLACE_BITS;
}
static inline uint64_t memlift_entry(uint64_t ticket, unsigned slot) {
  return memlift_cycle_of_ticket(ticket) << 26 | slot;
}
static inline uint64_t memlift_entry_cycle(uint64_t entry) { return entry >> 26; }
static inline unsigned memlift_entry_slot(uint64_t entry) { return entry & 0xfff; }

/* The entry with all tickets up to that one given out, the last ones to nobody. */
static inline uint64_t memlift_entry_skip(uint64_t entry, uint64_t ticket) {
  uint64_t cycle = memlift_cycle_of_ticket(ticket);
  uint64_t skipped = (entry >> 12) + cycle - memlift_entry_cycle(entry);
  return cycle << 26 | (skipped & MEMLIFT_SKIPPED_MASK) << 12 | memlift_entry_slot(entry);
}

/* The ticket of the task in the entry. */
static inline uint64_t memlift_entry_ticket(uint64_t entry, unsigned place) {
  uint64_t own = memlift_entry_cycle(entry) - (entry >> 12 & MEMLIFT_SKIPPED_MASK);
  return own << MEMLIFT_PLACE_BITS | place;
}

/* 1 if a word says that its task is ready with that priority and ticket. */
static inline int memlift_word_is_ready(uint64_t word, unsigned priority, uint64_t ticket) {
  uint64_t is =
      (uint64_t)priority << 56 | (ticket & MEMLIFT_SEQUENCE_MASK) << 24 | MEMLIFT_TASK_READY;
  return ((word ^ is) & ((uint64_t)0xff << 56 | (uint64_t)MEMLIFT_SEQUENCE_MASK << 24 | 0x7f)) == 0;
}

#endif
