/* word.h - the 64 bits that hold the state of a task, and the entries of the rings of ready tasks
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   bits     field       meaning
 *   63 - 56  priority    of the last schedule
 *   55 - 32  sequence    low bits of its ticket, while it is ready
 *   31 - 16  generation  of the slot: counts its tasks; at the same place in a task's number
 *   15 - 8   unit        on which it runs or where its stack lives; or one of the two below
 *   7 - 0    state       enum memlift_task_state
 *
 * While a task is not scheduled, priority and sequence are 0 and it has no unit: so one comparison
 * tells that it is the task meant and may be scheduled.
 */
#ifndef MEMLIFT_WORD_H
#define MEMLIFT_WORD_H

#include "../queue/barriers.h"
#include "bits.h"

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
#define MEMLIFT_SEQUENCE_MASK 0xffffffu

static inline enum memlift_task_state memlift_word_state(uint64_t word) {
  return (enum memlift_task_state)(word & 0xff);
}
/* 1 if a task is not scheduled: created, or ended. */
static inline int memlift_word_is_idle(uint64_t word) { return word >> 6 & 1; }
static inline unsigned memlift_word_generation(uint64_t word) { return word >> 16 & 0xffff; }
static inline uint32_t memlift_word_sequence(uint64_t word) {
  return word >> 32 & MEMLIFT_SEQUENCE_MASK;
}
static inline unsigned memlift_word_unit(uint64_t word) { return word >> 8 & 0xff; }
static inline unsigned memlift_word_priority(uint64_t word) { return word >> 56; }

static inline uint64_t memlift_word_with_state(uint64_t word, enum memlift_task_state state) {
  return (word & ~(uint64_t)0xff) | state;
}
static inline uint64_t memlift_word_with_unit(uint64_t word, unsigned unit) {
  return (word & ~((uint64_t)0xff << 8)) | (uint64_t)unit << 8;
}
static inline uint64_t memlift_word_with_priority(uint64_t word, unsigned priority) {
  return (word & ~((uint64_t)0xff << 56)) | (uint64_t)priority << 56;
}
static inline uint64_t memlift_word_with_sequence(uint64_t word, uint64_t ticket) {
  return (word & ~((uint64_t)MEMLIFT_SEQUENCE_MASK << 32)) | (ticket & MEMLIFT_SEQUENCE_MASK) << 32;
}

/* The word of a slot without a task, which the next one of that generation takes. */
static inline uint64_t memlift_word_free(unsigned generation) {
  return (uint64_t)(generation & 0xffff) << 16 | MEMLIFT_TASK_FREE;
}

/* The word of a task that is created or ended. `word`: its word before, or its number. */
static inline uint64_t memlift_word_at_rest(uint64_t word, enum memlift_task_state state) {
  return (word & UINT64_C(0xffff0000)) | MEMLIFT_NO_UNIT << 8 | state;
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
      (uint64_t)priority << 56 | (ticket & MEMLIFT_SEQUENCE_MASK) << 32 | MEMLIFT_TASK_READY;
  return ((word ^ is) & ~UINT64_C(0xffffff00)) == 0;
}

/* Loads what others write before they look at what this thread has written: after it has exchanged
 * an entry, or set its idle bit. For RISC-V there is one fence before all such loads; elsewhere
 * each is ordered after the exchange, as both are sequential, and has no fence. */
#if defined(__riscv)
static inline void memlift_before_loads(void) { memlift_barrier_arm(); }
#define MEMLIFT_LOAD_LATER(from) __atomic_load_n(from, __ATOMIC_RELAXED)
#else
static inline void memlift_before_loads(void) {}
#define MEMLIFT_LOAD_LATER(from) __atomic_load_n(from, __ATOMIC_SEQ_CST)
#endif

#endif
