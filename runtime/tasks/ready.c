/* ready.c - scheduling: a task becomes ready, with its word, an entry, a mark, and a wake-up
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Problem: any thread makes tasks ready and any unit takes them, in the order in which they became
 * ready. A lock would do, but who dies or is stopped with it stops everybody.
 *
 * Idea: the word of the task alone says whether it is ready. Rings only help to find it: an entry
 * stays where it is when its task has been taken, and is overwritten a cycle later. What must not
 * happen is the reverse, a word that is ready and has no entry. So the order is: word, entry, mark,
 * sleepers; and whoever takes the marks away looks at the ring once more (pull.c), and who is about
 * to sleep looks at the marks once more (park.c).
 *
 * Tickets are taken in order, without gaps, by the compare and exchange that writes the entry. So
 * the first place whose ticket was not given out is the end of the ring, and the tail is only where
 * the search for it begins. A place whose task still is ready a whole cycle later, as its unit does
 * not come, is skipped: its entry notes that.
 *
 * Order of memory: entry, mark and idle bit are accessed with sequential consistency. Each of the
 * two pairs "I write the entry, I read the mark" and "I clear the mark, I read the entry" (and the
 * same with mark and idle bit) would otherwise let both sides read the old value.
 */
#include "../config.h"

#if MEMLIFT_HAVE_TASKS
#include "context.h"

/* The word of a task that becomes ready: one that was claimed may run anywhere. */
static uint64_t ready_word(uint64_t word, uint64_t ticket) {
  if (memlift_word_state(word) == MEMLIFT_TASK_CLAIMED)
    word = memlift_word_with_unit(word, MEMLIFT_NO_UNIT);
  return memlift_word_with_sequence(memlift_word_with_state(word, MEMLIFT_TASK_READY), ticket);
}

/* Gives the word the ticket. The first time, with *written 0, nobody else changes it; then only
 * where it still is *written, else this returns 0. */
static int write_word(struct memlift_slot *slot, uint64_t ticket, uint64_t *written) {
  uint64_t word = *written ? *written : __atomic_load_n(&slot->word, __ATOMIC_RELAXED);
  uint64_t next = ready_word(word, ticket);
  /* Release, of both: who pulls the task sees its arguments and all that it has done before. */
  if (!*written)
    __atomic_store_n(&slot->word, next, __ATOMIC_RELEASE);
  else if (!__atomic_compare_exchange_n(&slot->word, &word, next, 0, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED))
    return 0;
  *written = next;
  return 1;
}

/* 1 if the task of an entry is still ready with its ticket. */
static int is_live(const memlift_context *c, unsigned priority, unsigned place, uint64_t entry) {
  const struct memlift_slot *slot = &c->slot[memlift_entry_slot(entry)];
  return entry && memlift_word_is_ready(__atomic_load_n(&slot->word, __ATOMIC_RELAXED), priority,
                                        memlift_entry_ticket(entry, place));
}

void memlift_mark_priority(memlift_context *c, unsigned priority) {
  uint64_t *map = &c->map[priority / 64], bit = memlift_mark_of(priority);
  if (__atomic_load_n(map, __ATOMIC_SEQ_CST) & bit)
    return;
  if (c->flags & MEMLIFT_CONTEXT_AGEING)
    __atomic_store_n(&c->ring[priority].since, __atomic_load_n(&c->aged, __ATOMIC_RELAXED),
                     __ATOMIC_RELAXED);
  __atomic_fetch_or(map, bit, __ATOMIC_SEQ_CST);
}

#if MEMLIFT_MAY_LOSE
int memlift_has_entry(const memlift_context *c, unsigned slot, uint64_t word) {
  unsigned place = memlift_word_sequence(word) % MEMLIFT_PLACES;
  unsigned priority = memlift_word_priority(word);
  uint64_t entry = __atomic_load_n(&c->ring[priority].entry[place], __ATOMIC_SEQ_CST);
  return entry && memlift_entry_slot(entry) == slot &&
         memlift_word_is_ready(word, priority, memlift_entry_ticket(entry, place));
}
#endif

/* MEMLIFT_OK, which the compiler takes for any status. So what seldom happens is reached by a jump
 * at the end of its caller, which needs no stack where it does not happen. */
static memlift_status done(void) {
  memlift_status status = MEMLIFT_OK;
  __asm__("" : "+r"(status));
  return status;
}

/* What is left to do once the entry is there. */
static MEMLIFT_SELDOM memlift_status mark_and_wake(memlift_context *c,
                                                   const struct memlift_slot *slot, uint64_t word,
                                                   int wake) {
  memlift_mark_priority(c, memlift_word_priority(word));
  if (wake)
    memlift_wake_for(c, slot, memlift_word_unit(word));
  return done();
}

/* Gives the task a ticket and an entry, from that ticket on. `written`: as for write_word. */
static MEMLIFT_SELDOM memlift_status enter_ring(memlift_context *c, struct memlift_slot *slot,
                                                uint64_t ticket, uint64_t written, int wake) {
  uint64_t word = written ? written : __atomic_load_n(&slot->word, __ATOMIC_RELAXED);
  unsigned priority = memlift_word_priority(word);
  for (;;) {
    uint64_t *at = &c->ring[priority].entry[ticket % MEMLIFT_PLACES];
    /* Acquire: the word of an entry's task is seen as it was when the entry was written, or later.
     * An older one would look like that of a task that was taken. */
    uint64_t entry = __atomic_load_n(at, __ATOMIC_ACQUIRE), next;
    if (memlift_entry_cycle(entry) >= memlift_cycle_of_ticket(ticket)) {
      ticket++;
      continue;
    }
    int live = is_live(c, priority, ticket % MEMLIFT_PLACES, entry);
    next = live ? memlift_entry_skip(entry, ticket)
                : memlift_entry(ticket, memlift_slot_number(c, slot));
    if (!live && !write_word(slot, ticket, &written))
      return done();
    if (__atomic_compare_exchange_n(at, &entry, next, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED) &&
        !live)
      break;
  }
  /* Relaxed: all tickets below were given out, for ever, so any order of stores is right. */
  __atomic_store_n(&c->ring[priority].tail, ticket + 1 - MEMLIFT_PLACES, __ATOMIC_RELAXED);
  return mark_and_wake(c, slot, ready_word(word, 0), wake);
}

#if !MEMLIFT_SMALL
/* 1 if a parker that may run the task sleeps, or is about to. `unit`: of the task's word. */
MEMLIFT_OFTEN int has_sleeper(const memlift_context *c, const struct memlift_slot *slot,
                              unsigned unit) {
  uint64_t units = MEMLIFT_LOAD_LATER(&c->idle[0]), hosts = 0;
  for (unsigned word = 1; word < MEMLIFT_PARKER_WORDS; word++)
    hosts |= MEMLIFT_LOAD_LATER(&c->idle[word]);
  if (!(units | hosts))
    return 0;
  uint64_t may = unit < MEMLIFT_UNITS ? (uint64_t)1 << unit : slot->may;
  return (units & may) || (hosts && slot->hosts);
}

/* `claimed`: the task is claimed, has not begun, and the sequence in its word is 0.
 * Does all of it where nothing is in the way: the tail is the end of the ring, the task that had
 * its place is not ready, as the head has passed it; nobody else takes the place, the priority is
 * marked, nobody sleeps. Returns MEMLIFT_OK, as what it ends with does. */
MEMLIFT_OFTEN memlift_status enter_at_tail(memlift_context *c, struct memlift_slot *slot,
                                           unsigned number, uint64_t word, unsigned priority,
                                           int claimed, int wake) {
  unsigned unit = claimed ? MEMLIFT_NO_UNIT : memlift_word_unit(word);
  struct memlift_ring *ring = &c->ring[priority];
  uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_RELAXED), ticket = tail + MEMLIFT_PLACES;
  uint64_t *at = &ring->entry[ticket % MEMLIFT_PLACES];
  /* Relaxed: the exchange fails if it is another one by then. */
  uint64_t entry = __atomic_load_n(at, __ATOMIC_RELAXED);
  /* Relaxed: no task with a ticket below it is or will be ready, however old the value is. */
  uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_RELAXED) + MEMLIFT_PLACES;
  uint64_t next =
      claimed
          ? word + (MEMLIFT_TASK_READY - MEMLIFT_TASK_CLAIMED) +
                ((ticket & MEMLIFT_SEQUENCE_MASK) << 32)
          : memlift_word_with_sequence(memlift_word_with_state(word, MEMLIFT_TASK_READY), ticket);
  if (memlift_entry_cycle(entry) >= memlift_cycle_of_ticket(ticket) || tail >= head)
    return enter_ring(c, slot, ticket, 0, wake);
  /* Release: as in write_word. */
  __atomic_store_n(&slot->word, next, __ATOMIC_RELEASE);
  if (!__atomic_compare_exchange_n(at, &entry, memlift_entry(ticket, number), 0, __ATOMIC_SEQ_CST,
                                   __ATOMIC_RELAXED))
    return enter_ring(c, slot, ticket, next, wake);
  __atomic_store_n(&ring->tail, tail + 1, __ATOMIC_RELAXED); /* as in enter_ring */
  memlift_before_loads();
  if (!(MEMLIFT_LOAD_LATER(&c->map[priority / 64]) & memlift_mark_of(priority)) ||
      (wake && has_sleeper(c, slot, unit)))
    return mark_and_wake(c, slot, next, wake);
  return MEMLIFT_OK;
}
#else
/* As above, by the way that is always right. */
static memlift_status enter_at_tail(memlift_context *c, struct memlift_slot *slot, unsigned number,
                                    uint64_t word, unsigned priority, int claimed, int wake) {
  (void)number, (void)word, (void)claimed;
  uint64_t tail = __atomic_load_n(&c->ring[priority].tail, __ATOMIC_RELAXED);
  return enter_ring(c, slot, tail + MEMLIFT_PLACES, 0, wake);
}
#endif

void memlift_make_ready(memlift_context *c, struct memlift_parker *me, struct memlift_slot *slot) {
  uint64_t word = __atomic_load_n(&slot->word, __ATOMIC_RELAXED);
  if (!MEMLIFT_BARE && me && memlift_keep(c, me, slot))
    return;
  enter_at_tail(c, slot, memlift_slot_number(c, slot), word, memlift_word_priority(word), 0, 1);
}

void memlift_make_claimed_ready(memlift_context *c, struct memlift_slot *slot, uint64_t word,
                                int wake) {
  enter_at_tail(c, slot, memlift_slot_number(c, slot), word, memlift_word_priority(word), 1, wake);
}

void memlift_make_ready_from(memlift_context *c, struct memlift_slot *slot, uint64_t word,
                             int wake) {
  const struct memlift_ring *ring = &c->ring[memlift_word_priority(word)];
  uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_RELAXED);
  enter_ring(c, slot, tail + MEMLIFT_PLACES, word, wake);
}

/* ---- Scheduling ---------------------------------------------------- */

/* Forgets the losses of earlier runs, of a task that is claimed. */
static MEMLIFT_SELDOM void begin_anew(memlift_context *c, struct memlift_slot *slot) {
  /* Release: as for its code (run.c). */
  __atomic_store_n(&slot->lost, 0, __ATOMIC_RELEASE);
  memlift_more_of(c, slot)->restarts = 0;
}

/* Reasons not to schedule a task when its slot has this word. */
static MEMLIFT_SELDOM memlift_status refusal(const memlift_context *c, memlift_task task,
                                             uint64_t word) {
  if (!memlift_word_is_of(word, task) || memlift_word_state(word) == MEMLIFT_TASK_FREE)
    return MEMLIFT_INVALID_ARGUMENT;
  return memlift_context_is_forked(c) ? MEMLIFT_NOT_PRESENT : MEMLIFT_WRONG_STATE;
}

MEMLIFT_OFTEN memlift_status schedule(memlift_task task, const uint64_t args[4], uint8_t priority,
                                      memlift_context **c, int wake) {
  static const uint64_t none[4];
  struct memlift_slot *slot = memlift_task_look(task, c);
  if (!slot)
    return MEMLIFT_INVALID_ARGUMENT;
  /* Relaxed: the exchange of it acquires. */
  uint64_t word = __atomic_load_n(&slot->word, __ATOMIC_RELAXED);
  uint64_t created = memlift_word_at_rest(task.id, MEMLIFT_TASK_CREATED);
  if ((word ^ created) > (MEMLIFT_TASK_CREATED ^ MEMLIFT_TASK_ENDED) ||
      memlift_context_is_forked(*c))
    return refusal(*c, task, word);
  int may_lose = memlift_may_lose(*c);
  /* With the sequence MEMLIFT_CLAIMED_TO_RUN. */
  uint64_t begin =
      created - (MEMLIFT_TASK_CREATED - MEMLIFT_TASK_CLAIMED) + ((uint64_t)priority << 56);
  uint64_t claimed = may_lose ? memlift_word_with_unit(begin, memlift_claimer_now()) : begin;
  /* From here on nobody else changes the word. Acquire: pairs with its end, so that its memory may
   * be written. */
  if (!__atomic_compare_exchange_n(&slot->word, &word, claimed, 0, __ATOMIC_ACQUIRE,
                                   __ATOMIC_RELAXED))
    return MEMLIFT_WRONG_STATE;
  if (may_lose)
    begin_anew(*c, slot);
  args = args ? args : none;
  uint64_t copy[4] = {args[0], args[1], args[2], args[3]}; /* they do not overlap the slot's */
  for (unsigned i = 0; i < 4; i++)
    slot->args[i] = copy[i];
  memlift_tally(&slot->runs);
  return enter_at_tail(*c, slot, task.id & (MEMLIFT_TASKS - 1), begin, priority, 1, wake);
}

memlift_status memlift_task_schedule(memlift_task task, const uint64_t args[4], uint8_t priority) {
  memlift_context *c;
  return schedule(task, args, priority, &c, 1);
}

memlift_status memlift_task_schedule_many(const memlift_task *tasks, const uint64_t (*args)[4],
                                          unsigned count, uint8_t priority) {
  memlift_context *c = NULL, *first = NULL;
  memlift_status status = MEMLIFT_OK;
  if (!tasks || !count)
    return MEMLIFT_INVALID_ARGUMENT;
  for (unsigned i = 0; i < count && status == MEMLIFT_OK; i++) {
    status = schedule(tasks[i], args ? args[i] : NULL, priority, &c, 0);
    if (status == MEMLIFT_OK && first && c != first)
      memlift_wake_all(first); /* tasks of several contexts: each has sleepers of its own */
    first = status == MEMLIFT_OK ? c : first;
  }
  if (first)
    memlift_wake_all(first);
  return status;
}

#else
typedef int memlift_no_tasks; /* a translation unit must not be empty */
#endif
