/* wait.c - waiting for the end of a task, or of the first of several
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A wait has no place in a list of the task: it counts itself in `awaited`, and a task that ends
 * and is awaited looks through the waiters. So a waiter may leave at any time and there is no
 * limit. The end and the announcement cannot miss each other: one writes the word and reads
 * `awaited`, the other one writes `awaited` and its announcement, and reads the word.
 */
#include "../config.h"

#if MEMLIFT_HAVE_TASKS
#include "context.h"

/* The event that is waited for. */
struct goal {
  const memlift_task *tasks;
  unsigned count;
  unsigned which; /* of those that has ended, and its code */
  int32_t code;
};

/* MEMLIFT_OK or _LOST with the code when the task has ended, MEMLIFT_PENDING while it has not. */
static memlift_status ended(memlift_task task, int32_t *code) {
  memlift_context *c;
  struct memlift_slot *slot;
  uint64_t word;
  memlift_status status = memlift_task_find(task, &c, &slot, &word);
  if (status != MEMLIFT_OK)
    return status;
  /* Sequential: see above. */
  word = __atomic_load_n(&slot->word, __ATOMIC_SEQ_CST);
  if (memlift_word_state(word) == MEMLIFT_TASK_CREATED)
    return MEMLIFT_WRONG_STATE;
  if (memlift_word_state(word) != MEMLIFT_TASK_ENDED)
    return MEMLIFT_PENDING;
  /* Acquire: who reads the code of a later run sees that the word has changed (run.c). */
  *code = __atomic_load_n(&slot->code, __ATOMIC_ACQUIRE);
  int lost = __atomic_load_n(&slot->lost, __ATOMIC_ACQUIRE);
  if (__atomic_load_n(&slot->word, __ATOMIC_ACQUIRE) != word)
    return MEMLIFT_PENDING;
  return lost ? MEMLIFT_LOST : MEMLIFT_OK;
}

static memlift_status any_ended(struct goal *g) {
  for (unsigned i = 0; i < g->count; i++) {
    memlift_status status = ended(g->tasks[i], &g->code);
    if (status != MEMLIFT_PENDING) {
      g->which = i;
      return status;
    }
  }
  return MEMLIFT_PENDING;
}

/* The tasks are of one context, and the caller is none of them. */
static memlift_status check(const struct goal *g, memlift_context **c) {
  memlift_task self = memlift_task_self();
  struct memlift_slot *slot;
  uint64_t word;
  *c = NULL;
  for (unsigned i = 0; i < g->count; i++) {
    memlift_context *other;
    memlift_status status = memlift_task_find(g->tasks[i], &other, &slot, &word);
    if (status != MEMLIFT_OK)
      return status;
    if (*c && other != *c)
      return MEMLIFT_INVALID_ARGUMENT;
    if (g->tasks[i].id == self.id)
      return MEMLIFT_WRONG_STATE;
    *c = other;
  }
  return MEMLIFT_OK;
}

/* Counts the wait at each task. The slot is that of the number, whether or not its task is gone. */
static void count_wait(memlift_context *c, const struct goal *g, uint32_t change) {
  for (unsigned i = 0; i < g->count; i++)
    __atomic_fetch_add(&c->slot[g->tasks[i].id & (MEMLIFT_TASKS - 1)].awaited, change,
                       __ATOMIC_SEQ_CST);
}

/* Waits in earnest. */
static memlift_status sleep_until(struct memlift_wait *w, struct goal *g) {
  memlift_context *c = w->context;
  memlift_status status = MEMLIFT_OK;
  uint32_t target =
      g->count == 1 ? (uint32_t)(g->tasks[0].id & (MEMLIFT_TASKS - 1)) : MEMLIFT_NOBODY;
  __atomic_store_n(&c->waiter[w->waiter].target, target, __ATOMIC_RELAXED);
  count_wait(c, g, 1);
  while (status == MEMLIFT_OK) {
    memlift_wait_announce(w, MEMLIFT_WAITS_END);
    memlift_status now = any_ended(g);
    if (now != MEMLIFT_PENDING) {
      memlift_wait_retract(w);
      status = now;
      break;
    }
    status = memlift_wait_sleep(w);
  }
  count_wait(c, g, (uint32_t)-1);
  /* Time was over, but it may have ended all the same. */
  return status == MEMLIFT_PENDING ? any_ended(g) : status;
}

static memlift_status wait_for(struct goal *g, uint64_t ns) {
  memlift_context *c;
  struct memlift_wait w;
  memlift_status status = MEMLIFT_PENDING;
  if (g->count == 1) /* what is over already is not worth the checks */
    status = ended(g->tasks[0], &g->code);
  if (status != MEMLIFT_PENDING)
    return status;
  status = check(g, &c);
  if (status != MEMLIFT_OK)
    return status;
  status = any_ended(g);
  if (status == MEMLIFT_PENDING && ns == 0)
    return MEMLIFT_BUSY;
  if (status != MEMLIFT_PENDING)
    return status;
  status = memlift_wait_prepare(&w, c, ns);
  if (status != MEMLIFT_OK)
    return status;
  /* Where this thread runs it itself, nobody has to know that it waits. */
  status = MEMLIFT_PENDING;
  memlift_task only = {g->count == 1 ? g->tasks[0].id : 0};
  while (status == MEMLIFT_PENDING && memlift_wait_work(&w, only))
    status = any_ended(g);
  if (status == MEMLIFT_PENDING)
    status = sleep_until(&w, g);
  memlift_wait_done(&w);
  return status;
}

memlift_status memlift_task_wait_any(const memlift_task *tasks, unsigned count, uint64_t ns,
                                     unsigned *which, int32_t *code) {
  struct goal g = {tasks, count, 0, 0};
  if (!tasks || !count)
    return MEMLIFT_INVALID_ARGUMENT;
  memlift_status status = wait_for(&g, ns);
  int has_ended = status == MEMLIFT_OK || status == MEMLIFT_LOST;
  if (has_ended && which)
    *which = g.which;
  if (has_ended && code)
    *code = g.code;
  return status;
}

memlift_status memlift_task_wait(memlift_task task, uint64_t ns, int32_t *code) {
  return memlift_task_wait_any(&task, 1, ns, NULL, code);
}
#else
typedef int memlift_no_tasks; /* a translation unit must not be empty */
#endif
