/* ready.c - making a task ready: a ticket, the word, an entry in the ring, a mark, a wake-up
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Problem: any thread makes tasks ready and any unit takes them, in the order in which they became
 * ready. A lock would do, but who dies or is stopped with it stops everybody.
 *
 * Idea: the word of the task alone says whether it is ready. Rings only help to find it: an entry
 * may be stale, and whoever meets a stale one removes it. What must not happen is the reverse, a
 * word that is ready and has no entry. So the order is: ticket, word, entry, mark, sleepers; and
 * whoever takes the marks away looks at the ring once more (pull.c), and who is about to sleep
 * looks at the marks once more (park.c).
 *
 * Order of memory: entry, mark and idle bit are accessed with sequential consistency. Each of the
 * two pairs "I write the entry, I read the mark" and "I clear the mark, I read the entry" (and the
 * same with mark and idle bit) would otherwise let both sides read the old value.
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "context.h"

/* The first cycle of a place in which no ticket has been given out yet. */
static uint64_t cycle_after(uint64_t tail, unsigned place) {
  return (tail + MEMLIFT_PLACES - 1 - place) >> MEMLIFT_PLACE_BITS;
}

void memlift_drop_entry(memlift_context *c, unsigned priority, unsigned place, uint64_t entry) {
  uint64_t tail = __atomic_load_n(&c->ring[priority].tail, __ATOMIC_RELAXED);
  uint64_t empty = memlift_entry_empty(cycle_after(tail, place));
  /* Relaxed: an entry that has gone tells nothing. */
  __atomic_compare_exchange_n(&c->entry[priority][place], &entry, empty, 0, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
}

/* Removes an entry whose task is not ready with that ticket any more. */
static void drop_if_stale(memlift_context *c, unsigned priority, unsigned place, uint64_t entry) {
  uint64_t word = __atomic_load_n(&c->slot[memlift_entry_slot(entry)].word, __ATOMIC_RELAXED);
  uint64_t ticket = memlift_entry_ticket(entry, place);
  if (memlift_word_state(word) != MEMLIFT_TASK_READY || memlift_word_priority(word) != priority ||
      memlift_word_sequence(word) != (ticket & MEMLIFT_SEQUENCE_MASK))
    memlift_drop_entry(c, priority, place, entry);
}

/* Gives the word the ticket. The first time the caller may do so whatever it finds; then only where
 * nobody has taken the task back meanwhile, else this returns 0. */
static int write_word(struct memlift_slot *slot, uint64_t ticket, uint64_t *written) {
  uint64_t word = __atomic_load_n(&slot->word, __ATOMIC_RELAXED), next;
  do {
    if (*written && (word & ~MEMLIFT_WORD_SIGNAL) != (*written & ~MEMLIFT_WORD_SIGNAL))
      return 0;
    next = memlift_word_with_sequence(memlift_word_with_state(word, MEMLIFT_TASK_READY), ticket);
    /* Release: who pulls the task sees its arguments, or all that it has done before. */
  } while (!__atomic_compare_exchange_n(&slot->word, &word, next, 0, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED));
  *written = next;
  return 1;
}

void memlift_mark_priority(memlift_context *c, unsigned priority) {
  uint64_t *map = &c->map[priority / 64], bit = (uint64_t)1 << priority % 64;
  if (__atomic_load_n(map, __ATOMIC_SEQ_CST) & bit)
    return;
  if (c->flags & MEMLIFT_CONTEXT_AGEING)
    __atomic_store_n(&c->ring[priority].since, __atomic_load_n(&c->aged, __ATOMIC_RELAXED),
                     __ATOMIC_RELAXED);
  __atomic_fetch_or(map, bit, __ATOMIC_SEQ_CST);
}

void memlift_make_ready(memlift_context *c, struct memlift_slot *slot, int wake) {
  uint64_t word = __atomic_load_n(&slot->word, __ATOMIC_RELAXED), written = 0;
  unsigned priority = memlift_word_priority(word), unit = memlift_word_unit(word);
  for (;;) {
    uint64_t ticket = __atomic_fetch_add(&c->ring[priority].tail, 1, __ATOMIC_SEQ_CST);
    unsigned place = ticket % MEMLIFT_PLACES;
    uint64_t *at = &c->entry[priority][place];
    /* Acquire: the word of an entry's task is seen as it was when the entry was written, or later.
     * An older one would look like that of a stale entry. */
    uint64_t entry = __atomic_load_n(at, __ATOMIC_ACQUIRE);
    if (!memlift_entry_is_empty(entry)) {
      drop_if_stale(c, priority, place, entry);
      continue; /* its place is taken: the ticket stays unused */
    }
    if (memlift_entry_cycle(entry) > ticket >> MEMLIFT_PLACE_BITS)
      continue;
    if (!write_word(slot, ticket, &written))
      return;
    if (__atomic_compare_exchange_n(at, &entry, memlift_entry(ticket, memlift_slot_number(c, slot)),
                                    0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
      break;
  }
  memlift_mark_priority(c, priority);
  if (wake)
    memlift_wake_for(c, slot, unit);
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
