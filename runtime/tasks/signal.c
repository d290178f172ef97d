/* signal.c - one bit for each task that anybody may set and the task waits for
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The bit is not what ends waits for objects: those have a kind of their own in the wake word, and
 * a signal does not end them. It lies beside the wake word, with the number of the run that it was
 * sent to: a signal that a run has not taken, or that comes late, is no other run's, and nothing
 * has to clear it. The word of the task would have room for it, but then who has the task could not
 * write that word without a locked operation.
 */
#include "../config.h"

#if MEMLIFT_HAVE_TASKS
#include "context.h"

/* The signal of the run that a slot is at, sent. Both numbers, as this may read one before and one
 * after a task is replaced: that is nobody's signal. */
static uint64_t sent(const struct memlift_slot *slot, uint64_t generation) {
  return (__atomic_load_n(&slot->runs, __ATOMIC_RELAXED) << 16 | generation) << 1 | 1;
}

static uint64_t *signal_of(memlift_context *c, const struct memlift_slot *slot) {
  return &c->waiter[memlift_slot_number(c, slot)].signal;
}

memlift_status memlift_signal_send(memlift_task task) {
  memlift_context *c;
  struct memlift_slot *slot;
  uint64_t word;
  memlift_status status = memlift_task_find(task, &c, &slot, &word);
  if (status != MEMLIFT_OK)
    return status;
  enum memlift_task_state state = memlift_word_state(word);
  if (state != MEMLIFT_TASK_READY && state != MEMLIFT_TASK_RUNNING && state != MEMLIFT_TASK_BLOCKED)
    return MEMLIFT_WRONG_STATE;
  uint64_t mine = sent(slot, memlift_word_generation(word)), *at = signal_of(c, slot);
  uint64_t seen = __atomic_load_n(at, __ATOMIC_RELAXED);
  /* That of a later run stays. Sequential: the signal is sent, and then the wake word read; the
   * task does the reverse. */
  while (seen <= mine &&
         !__atomic_compare_exchange_n(at, &seen, mine, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
    ;
  memlift_wake(c, memlift_slot_number(c, slot), MEMLIFT_WAITS_SIGNAL);
  return MEMLIFT_OK;
}

/* Takes the signal, if it is there. */
static int take(memlift_context *c, const struct memlift_slot *slot) {
  uint64_t word = __atomic_load_n(&slot->word, __ATOMIC_RELAXED), *at = signal_of(c, slot);
  /* Sequential: see above. Only the run itself takes its signals. */
  return __atomic_load_n(at, __ATOMIC_SEQ_CST) == sent(slot, memlift_word_generation(word)) &&
         (__atomic_fetch_and(at, ~(uint64_t)1, __ATOMIC_SEQ_CST) & 1);
}

memlift_status memlift_signal_wait(uint64_t ns) {
  struct memlift_parker *me = memlift_parker_self();
  struct memlift_wait w;
  if (!me || !me->task)
    return MEMLIFT_WRONG_SIDE;
  struct memlift_slot *slot = me->task;
  if (take(me->context, slot))
    return MEMLIFT_OK;
  if (ns == 0)
    return MEMLIFT_BUSY;
  memlift_status status = memlift_wait_prepare(&w, me->context, ns);
  while (status == MEMLIFT_OK) {
    memlift_wait_announce(&w, MEMLIFT_WAITS_SIGNAL);
    if (take(me->context, slot)) {
      memlift_wait_retract(&w);
      return MEMLIFT_OK;
    }
    status = memlift_wait_sleep(&w);
  }
  return status == MEMLIFT_PENDING && take(me->context, slot) ? MEMLIFT_OK : status;
}
#else
typedef int memlift_no_tasks; /* a translation unit must not be empty */
#endif
