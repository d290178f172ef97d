/* signal.c - one bit for each task that anybody may set and the task waits for
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The bit is in the word of the task. It is not what ends waits for objects: those have a kind of
 * their own in the wake word, and a signal does not end them.
 */
#include "../config.h"

#if MEMLIFT_HAVE_TASKS
#include "context.h"

memlift_status memlift_signal_send(memlift_task task) {
  memlift_context *c;
  struct memlift_slot *slot;
  uint64_t word;
  memlift_status status = memlift_task_find(task, &c, &slot, &word);
  if (status != MEMLIFT_OK)
    return status;
  do {
    enum memlift_task_state state = memlift_word_state(word);
    if (memlift_word_generation(word) != (task.id >> 16 & 0xffff))
      return MEMLIFT_INVALID_ARGUMENT;
    if (state != MEMLIFT_TASK_READY && state != MEMLIFT_TASK_RUNNING &&
        state != MEMLIFT_TASK_BLOCKED)
      return MEMLIFT_WRONG_STATE;
    /* Sequential: the bit is set, and then the wake word read; the task does the reverse. */
  } while (!__atomic_compare_exchange_n(&slot->word, &word, word | MEMLIFT_WORD_SIGNAL, 0,
                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
  memlift_wake(c, memlift_slot_number(c, slot), MEMLIFT_WAITS_SIGNAL);
  return MEMLIFT_OK;
}

/* Takes the signal, if it is there. */
static int take(struct memlift_slot *slot) {
  /* Sequential: see above. */
  return (__atomic_load_n(&slot->word, __ATOMIC_SEQ_CST) & MEMLIFT_WORD_SIGNAL) &&
         (__atomic_fetch_and(&slot->word, ~MEMLIFT_WORD_SIGNAL, __ATOMIC_SEQ_CST) &
          MEMLIFT_WORD_SIGNAL);
}

memlift_status memlift_signal_wait(uint64_t ns) {
  struct memlift_parker *me = memlift_parker_self();
  struct memlift_wait w;
  if (!me || !me->task)
    return MEMLIFT_WRONG_SIDE;
  struct memlift_slot *slot = me->task;
  if (take(slot))
    return MEMLIFT_OK;
  if (ns == 0)
    return MEMLIFT_BUSY;
  memlift_status status = memlift_wait_prepare(&w, me->context, ns);
  while (status == MEMLIFT_OK) {
    memlift_wait_announce(&w, MEMLIFT_WAITS_SIGNAL);
    if (take(slot)) {
      memlift_wait_retract(&w);
      return MEMLIFT_OK;
    }
    status = memlift_wait_sleep(&w);
  }
  return status == MEMLIFT_PENDING && take(slot) ? MEMLIFT_OK : status;
}
#else
typedef int memlift_no_tasks; /* a translation unit must not be empty */
#endif
