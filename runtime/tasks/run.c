/* run.c - running a task, leaving its stack, and what is done once it has been left
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A task that ends, blocks or yields is still on its stack. It must not become free, or ready for
 * others, before that is left. So it only notes what it wants (`left`, `leaving`), switches, and
 * whoever runs next on this thread does it: another task, at its first step, or the parker.
 *
 * A unit goes from one task with a stack to the next without going through its own. A waiting host
 * thread does not: it has to see that its own wait is over.
 */
#include "../config.h"

#if MEMLIFT_HAVE_TASKS
#include "../include/memlift/stream.h"
#include "processes.h"
#include "switch.h"

/* Pulls of a unit between two looks at the clock, while somebody waits with a limit. */
#define SWEEP 16u

/* ---- The trace ---------------------------------------------------- */

/* A task begins or goes on here. */
static void trace_arrival(struct memlift_parker *me) {
  if (me->track)
    me->since = memlift_now();
}

/* A task leaves, or has ended; it is not free yet. */
static void trace_task(struct memlift_parker *me, const struct memlift_slot *slot) {
  if (me->track)
    memlift_trace(me->track, MEMLIFT_SPAN_TASK, me->since, memlift_now(), 0, slot->name);
}

/* ---- After a task ---------------------------------------------------- */

void memlift_tell_of_end(memlift_context *c, const struct memlift_slot *slot) {
  memlift_barrier_arm();
  if (__atomic_load_n(&slot->awaited, __ATOMIC_RELAXED))
    memlift_wake_awaiting(c, memlift_slot_number(c, slot));
}

/* `pulls`: nothing but a pull comes next on this thread, or what does without. */
MEMLIFT_OFTEN void finish(memlift_context *c, struct memlift_parker *me, struct memlift_slot *slot,
                          int32_t code, int pulls) {
  uint16_t open = slot->open;
  if (slot->held)
    memlift_mutex_abandon(c, slot);
  if (slot->sp || open)
    slot->sp = NULL, slot->open = 0;
  /* Release: who reads this code sees the word running, and drops what it has read (wait.c). */
  __atomic_store_n(&slot->code, code, __ATOMIC_RELEASE);
  memlift_tally(&me->ended);
  uint64_t word = __atomic_load_n(&slot->word, __ATOMIC_RELAXED);
  /* Release: who reads the end sees all that it has done. */
  __atomic_store_n(&slot->word, memlift_word_at_rest(word, MEMLIFT_TASK_ENDED), __ATOMIC_RELEASE);
  if (MEMLIFT_EXCHANGE_ORDERS && pulls && !open) {
    /* For the compiler, which might move a release after an acquire; the processor does not. */
    memlift_barrier_program_order();
    me->ended_last = slot;
    return;
  }
  memlift_tell_of_end(c, slot);
  if (open)
    memlift_queue_forsake(c);
}

static void block(memlift_context *c, struct memlift_parker *me, struct memlift_slot *slot) {
  uint64_t word =
      memlift_word_with_state(__atomic_load_n(&slot->word, __ATOMIC_RELAXED), MEMLIFT_TASK_BLOCKED);
  /* Relaxed: nobody else writes it before the task is seen to be parked. */
  __atomic_store_n(&slot->word, word, __ATOMIC_RELAXED);
  memlift_tally(&me->blocked);
  if (memlift_park_task(c, memlift_slot_number(c, slot)))
    return;
  if (memlift_may_lose(c)) /* its waker may be lost, and the task be made ready for that */
    memlift_make_ready_from(c, slot, word, 1);
  else
    memlift_make_ready(c, me, slot);
}

/* Does what the task wanted that was left last. */
static void arrive(struct memlift_parker *me) {
  struct memlift_slot *left = me->left;
  uint32_t why = me->leaving;
  me->left = NULL, me->leaving = MEMLIFT_STAYS;
  if (why == MEMLIFT_ENDS) {
    memlift_stack_vacate(left);
    finish(me->context, me, left, left->code, 0);
  } else if (why == MEMLIFT_BLOCKS)
    block(me->context, me, left);
  else if (why == MEMLIFT_YIELDS) {
    memlift_tally(&me->yielded);
    memlift_make_ready(me->context, me, left);
  }
}

/* ---- On the stack of a task ---------------------------------------------------- */

static void begin_task(void) {
  struct memlift_parker *me = memlift_parker_self();
  struct memlift_slot *slot = me->task;
  memlift_fiber_arrive(memlift_fiber_of(slot), me->left ? NULL : &me->fiber);
  arrive(me);
  memlift_use_store(me, memlift_user_of(slot));
  trace_arrival(me);
  __atomic_store_n(&slot->code, slot->function(slot->args), __ATOMIC_RELAXED);
  memlift_leave(memlift_parker_self(), MEMLIFT_ENDS);
}

/* Before a task ends, so that whoever sees its end finds its transfers done. */
static void give_store_back(struct memlift_store_user *user) {
  if (user->left) /* then a store was bound, by this thread */
    __atomic_load_n(&memlift_store_user_end, __ATOMIC_RELAXED)(user);
}

/* A host thread may bind a store, and unbind it, between two waits. */
static void find_store(struct memlift_parker *me) {
  if (!me->store && !__atomic_load_n(&memlift_stores_bound, __ATOMIC_RELAXED))
    return;
  me->store = memlift_store_users();
  me->own = me->store ? *me->store : NULL;
  me->guest.number = MEMLIFT_GUEST;
}

/* Where a task goes on, or begins. */
static void *entry_of(const memlift_context *c, struct memlift_slot *slot) {
  size_t size = slot->stack_size - MEMLIFT_STACK_END;
  if (slot->sp)
    return slot->sp;
  memlift_stack_settle(slot);
  if (memlift_has_processes(c))
    memlift_arena_close_stack(c, slot);
  memlift_fiber_renew(slot->stack, size);
  return memlift_switch_new(slot->stack, size, begin_task);
}

/* 1 where the parker itself has to look around: for its own wait, or at the clock. */
static int looks_around(struct memlift_parker *me) {
  const memlift_context *c = me->context;
  return !memlift_is_unit(me) || memlift_context_is_forked(c) ||
         (__atomic_load_n(&c->next_deadline, __ATOMIC_RELAXED) != UINT64_MAX &&
          ++me->since_sweep % SWEEP == 0);
}

/* The task that takes the place of one that leaves. */
static struct memlift_slot *next_task(struct memlift_parker *me, enum memlift_leaving why) {
  uint64_t word = __atomic_load_n(&me->task->word, __ATOMIC_RELAXED);
  return memlift_pull(me->context, me, why == MEMLIFT_YIELDS ? memlift_word_priority(word) : 0);
}

int memlift_leave(struct memlift_parker *me, enum memlift_leaving why) {
  struct memlift_slot *slot = me->task;
  if (why == MEMLIFT_ENDS)
    give_store_back(memlift_user_of(slot));
  int around = looks_around(me), stays = memlift_is_unit(me);
  struct memlift_slot *next = around ? NULL : next_task(me, why);
  if (why == MEMLIFT_YIELDS && !around && !next)
    return 0;
  trace_task(me, slot);
  me->left = slot, me->leaving = why;
  if (next && next->stack) {
    memlift_fiber_leave(memlift_fiber_of(slot), memlift_fiber_of(next), why == MEMLIFT_ENDS);
    memlift_tally(&me->pulls);
    me->task = next;
    memlift_switch(&slot->sp, entry_of(me->context, next));
  } else {
    memlift_fiber_leave(memlift_fiber_of(slot), &me->fiber, why == MEMLIFT_ENDS);
    me->next = next;
    memlift_switch(&slot->sp, me->sp);
  }
  /* A task that units have begun stays where it is. Another thread may have the seat by now. */
  if (!stays)
    me = memlift_parker_self();
  memlift_fiber_arrive(memlift_fiber_of(slot), me->left ? NULL : &me->fiber);
  arrive(me);
  memlift_use_store(me, memlift_user_of(slot));
  trace_arrival(me);
  return 1;
}

/* ---- On the parker's stack ---------------------------------------------------- */

/* Calls a run-complete task on a thread that has a store or is traced. */
static __attribute__((noinline)) int32_t call_with_store(struct memlift_parker *me,
                                                         struct memlift_slot *slot) {
  memlift_use_store(me, &me->guest);
  trace_arrival(me);
  int32_t code = memlift_switch_call(slot->function, slot->args, &me->leave);
  trace_task(me, slot);
  give_store_back(&me->guest);
  memlift_use_store(me, me->own);
  return code;
}

/* Goes to the stack of a task, until one that was gone to leaves for this parker's own. */
static __attribute__((noinline)) void visit(struct memlift_parker *me, struct memlift_slot *slot) {
  void *entry = entry_of(me->context, slot);
  me->next = NULL;
  memlift_fiber_note_thread(&me->fiber);
  memlift_fiber_leave(&me->fiber, memlift_fiber_of(slot), 0);
  memlift_switch(&me->sp, entry);
  memlift_fiber_arrive(&me->fiber, NULL);
  memlift_use_store(me, me->own);
  arrive(me);
}

void memlift_run(struct memlift_parker *me, struct memlift_slot *slot) {
  if (!memlift_is_unit(me))
    find_store(me);
  do {
    me->task = slot;
    memlift_tally(&me->pulls);
    if (slot->stack) {
      visit(me, slot);
      slot = me->next;
    } else {
      int32_t code = me->store || me->track
                         ? call_with_store(me, slot)
                         : memlift_switch_call(slot->function, slot->args, &me->leave);
      finish(me->context, me, slot, code, 1);
      slot = NULL;
    }
    me->task = NULL;
  } while (slot);
}

/* ---- The calls of tasks ---------------------------------------------------- */

memlift_status memlift_task_yield(void) {
  struct memlift_parker *me = memlift_parker_self();
  if (!me || !me->task)
    return MEMLIFT_WRONG_SIDE;
  if (!me->task->stack)
    return MEMLIFT_CANNOT_SWITCH;
  if (memlift_context_is_forked(me->context))
    return MEMLIFT_NOT_PRESENT;
  memlift_leave(me, MEMLIFT_YIELDS);
  return MEMLIFT_OK;
}

void memlift_task_exit(int32_t code) {
  struct memlift_parker *me = memlift_parker_self();
  if (!me->task->stack)
    memlift_switch_leave(me->leave, code);
  __atomic_store_n(&me->task->code, code, __ATOMIC_RELAXED);
  memlift_leave(me, MEMLIFT_ENDS);
  __builtin_unreachable();
}

memlift_task memlift_task_self(void) {
  struct memlift_parker *me = memlift_parker_self();
  memlift_task none = {0};
  return me && me->task ? memlift_task_of(me->context, me->task) : none;
}

unsigned memlift_task_unit(void) {
  struct memlift_parker *me = memlift_parker_self();
  return me && memlift_is_unit(me) ? me->number : UINT32_MAX;
}

const char *memlift_task_name(void) {
  struct memlift_parker *me = memlift_parker_self();
  return me && me->task ? me->task->name : "";
}
#else
typedef int memlift_no_tasks; /* a translation unit must not be empty */
#endif
