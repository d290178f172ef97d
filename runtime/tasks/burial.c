/* burial.c - what becomes of the tasks of a unit whose process has ended, and of what it was at
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A process is killed between any two of its stores. docs/hacker/tasks.md lists what can be left
 * then, and the rules that make it possible to find it. All that is done here others could do at
 * the same time, a second waker of a task or a second scheduler, or it is the dead unit's alone.
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES || defined(MEMLIFT_MODEL_HARTS)
#include "line.h"

#define RESTARTS 16u /* of one run: a task may be what kills its units */

static uint64_t word_of(const struct memlift_slot *slot) {
  /* Acquire: pairs with the release of whoever made the task ready or ended it. */
  return __atomic_load_n(&slot->word, __ATOMIC_ACQUIRE);
}

/* ---- Tasks ---------------------------------------------------- */

/* Ends a task that is claimed, as lost. */
static void end(memlift_context *c, struct memlift_slot *slot, uint64_t word) {
  __atomic_store_n(&slot->code, (int32_t)MEMLIFT_LOST, __ATOMIC_RELAXED);
  __atomic_store_n(&slot->lost, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&c->lost_tasks, 1, __ATOMIC_RELAXED);
  /* Sequential: the end is written and `awaited` read; a waiter does the reverse. */
  __atomic_store_n(&slot->word, memlift_word_at_rest(word, MEMLIFT_TASK_ENDED), __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&slot->awaited, __ATOMIC_SEQ_CST))
    memlift_wake_awaiting(c, memlift_slot_number(c, slot));
}

/* Forgets the pieces and the tags of a task, which are gone with the store of its unit. */
static void forget_store(const struct memlift_slot *slot) {
  struct memlift_store_user *user = slot->stack ? memlift_user_of(slot) : NULL;
  if (user)
    user->left = user->loops = user->fenced = user->faulty = 0;
}

/* Ends a task that the unit had begun, or makes it ready from its beginning. */
static void lose(memlift_context *c, struct memlift_slot *slot) {
  unsigned number = memlift_slot_number(c, slot);
  struct memlift_slot_more *more = memlift_more_of(c, slot);
  int had_been_woken = memlift_wait_cancel(c, number);
  if (__atomic_exchange_n(&c->waiter[number].calls, 0, __ATOMIC_RELAXED))
    __atomic_fetch_add(&c->lost_calls, 1, __ATOMIC_RELAXED);
  memlift_object_withdraw(c, number, had_been_woken);
  memlift_mutex_bury(c, slot);
  forget_store(slot);
  slot->sp = NULL, slot->open = 0;
  if (more->on_loss != MEMLIFT_LOSS_RESTART || more->restarts++ >= RESTARTS) {
    end(c, slot, word_of(slot));
    return;
  }
  __atomic_fetch_add(&c->restarted, 1, __ATOMIC_RELAXED);
  memlift_tally(&slot->runs); /* so that its tickets of queues and signals are nobody's */
  /* Nobody else changes the word of a task that is claimed. */
  uint64_t word =
      memlift_word_with_unit(memlift_word_with_sequence(word_of(slot), 0), MEMLIFT_NO_UNIT);
  memlift_make_claimed_ready(c, slot, word, 1);
}

/* Claims a task that the unit had begun, wherever it is: running, ready to go on, or blocked, when
 * somebody may just make it ready. */
static void lose_if_begun(memlift_context *c, struct memlift_slot *slot, unsigned unit) {
  uint64_t word = word_of(slot);
  do {
    enum memlift_task_state state = memlift_word_state(word);
    if (memlift_word_unit(word) != unit ||
        (state != MEMLIFT_TASK_RUNNING && state != MEMLIFT_TASK_READY &&
         state != MEMLIFT_TASK_BLOCKED))
      return;
    /* Acquire: pairs with the release of whoever changed the word last. */
  } while (!__atomic_compare_exchange_n(
      &slot->word, &word,
      memlift_word_with_unit(memlift_word_with_state(word, MEMLIFT_TASK_CLAIMED), MEMLIFT_ON_HOST),
      0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE));
  lose(c, slot);
}

/* Finishes with a task that the unit had claimed, for the reason that stands in the word. */
static void release_claim(memlift_context *c, struct memlift_slot *slot, unsigned unit) {
  uint64_t word = word_of(slot);
  if (memlift_word_state(word) != MEMLIFT_TASK_CLAIMED || memlift_word_unit(word) != unit)
    return;
  uint32_t reason = memlift_word_sequence(word);
  unsigned generation = memlift_word_generation(word) + (reason == MEMLIFT_CLAIMED_TO_DESTROY);
  if (reason == MEMLIFT_CLAIMED_TO_RUN)
    end(c, slot, word);
  else /* release: pairs with the acquire of who takes the free slot */
    __atomic_store_n(&slot->word, memlift_word_free(generation), __ATOMIC_RELEASE);
}

/* ---- What it was at ---------------------------------------------------- */

/* Makes a task ready whose wait the unit has ended. Whoever runs the task may be doing that, too:
 * one of the two finds the word as it was. */
static void resume_if_woken(memlift_context *c, struct memlift_slot *slot, unsigned unit) {
  uint64_t word = word_of(slot);
  if (memlift_word_state(word) == MEMLIFT_TASK_BLOCKED &&
      memlift_wait_was_ended_by(c, memlift_slot_number(c, slot), unit))
    memlift_make_ready_from(c, slot, word, 1);
}

/* Gives a ready task without an entry a new one. If its maker lives and is about to write the
 * entry, that one is of a ticket that is done with. */
static void enter_if_missing(memlift_context *c, struct memlift_slot *slot) {
  uint64_t word = word_of(slot);
  if (memlift_word_state(word) == MEMLIFT_TASK_READY &&
      !memlift_has_entry(c, memlift_slot_number(c, slot), word))
    memlift_make_ready_from(c, slot, word, 1);
}

void memlift_bury(memlift_context *c, unsigned unit) {
  struct memlift_parker *p = &c->parker[unit];
  __atomic_fetch_and(&c->idle[unit / 64], ~((uint64_t)1 << unit % 64), __ATOMIC_SEQ_CST);
  memlift_object_repair(c, p->line, p->line_kind);
  p->line = NULL;
  for (unsigned i = 0; i < MEMLIFT_TASKS; i++)
    release_claim(c, &c->slot[i], unit);
  for (unsigned i = 0; i < MEMLIFT_TASKS; i++)
    lose_if_begun(c, &c->slot[i], unit);
  for (unsigned i = 0; i < MEMLIFT_TASKS; i++)
    resume_if_woken(c, &c->slot[i], unit);
  for (unsigned i = 0; i < MEMLIFT_TASKS; i++)
    enter_if_missing(c, &c->slot[i]);
  for (unsigned i = 0; i < MEMLIFT_PRIORITIES / 64; i++)
    __atomic_store_n(&c->map[i], UINT64_MAX, __ATOMIC_SEQ_CST);
  memlift_wake_those_who_look_again(c);
  for (unsigned i = 0; i < MEMLIFT_PARKERS; i++) /* it may have taken an idle bit and not rung */
    memlift_ring_bell(c, i);
  /* Release: who reads this finds the rest done. */
  __atomic_fetch_add(&c->lost_units, 1, __ATOMIC_RELEASE);
}
#else
typedef int memlift_no_processes; /* a translation unit must not be empty */
#endif
