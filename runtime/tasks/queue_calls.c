/* queue_calls.c - the calls of queues: what is moved between taking a place and giving it on
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../config.h"

#if MEMLIFT_HAVE_TASKS
#include "queue.h"
#include "task_copy.h"

#define TAGS 32u

memlift_status memlift_queue_init(memlift_context *c, struct memlift_queue *q, void *buffer,
                                  size_t entry, uint32_t depth) {
  memlift_status status = memlift_context_known(c);
  if (status != MEMLIFT_OK)
    return status;
  if (!q || !buffer || (uintptr_t)buffer % 8 || entry == 0 || entry > MEMLIFT_QUEUE_ENTRY ||
      depth == 0 || depth > MEMLIFT_QUEUE_DEPTH || (depth & (depth - 1)) ||
      !memlift_arena_has(c, q, sizeof *q) ||
      !memlift_arena_has(c, buffer, MEMLIFT_QUEUE_BYTES(entry, depth)))
    return MEMLIFT_INVALID_ARGUMENT;
  q->context = c, q->states = (uint64_t *)buffer;
  q->entry = (uint32_t)entry, q->depth = depth;
  q->tail = q->head = 0, q->closed = 0;
  memlift_line_init(&q->pushers);
  memlift_line_init(&q->poppers);
  for (uint32_t i = 0; i < depth; i++)
    q->states[i] = queue_state(i, 0, QUEUE_FREE);
  return MEMLIFT_OK;
}

memlift_status memlift_queue_push(struct memlift_queue *q, const void *data, uint64_t ns) {
  uint64_t ticket;
  if (!q || !data)
    return MEMLIFT_INVALID_ARGUMENT;
  memlift_status status = memlift_queue_take(q, QUEUE_FILLING, ns, &ticket);
  if (status != MEMLIFT_OK)
    return status;
  memlift_task_copy(queue_data(q, ticket), data, q->entry);
  queue_let_pop(q, ticket);
  return MEMLIFT_OK;
}

memlift_status memlift_queue_pop(struct memlift_queue *q, void *data, uint64_t ns) {
  uint64_t ticket;
  if (!q || !data)
    return MEMLIFT_INVALID_ARGUMENT;
  memlift_status status = memlift_queue_take(q, QUEUE_EMPTYING, ns, &ticket);
  if (status != MEMLIFT_OK)
    return status;
  memlift_task_copy(data, queue_data(q, ticket), q->entry);
  queue_let_push(q, ticket);
  return MEMLIFT_OK;
}

memlift_status memlift_queue_peek(struct memlift_queue *q, void *data, uint64_t ns) {
  uint64_t ticket;
  if (!q || !data)
    return MEMLIFT_INVALID_ARGUMENT;
  memlift_status status = memlift_queue_take(q, QUEUE_SHOWING, ns, &ticket);
  if (status != MEMLIFT_OK)
    return status;
  memlift_task_copy(data, queue_data(q, ticket), q->entry);
  queue_let_pop(q, ticket);
  return MEMLIFT_OK;
}

/* ---- In two steps ---------------------------------------------------- */

/* Counts the tickets that a task has not given back: at its end those who wait are told. */
static void count_open(const struct memlift_queue *q, int change) {
  struct memlift_slot *slot = queue_task(q);
  if (slot)
    slot->open = (uint16_t)(slot->open + change);
}

/* 1 if the caller has that ticket. */
static int has(const struct memlift_queue *q, uint32_t ticket, enum queue_what what) {
  return __atomic_load_n(queue_place(q, ticket), __ATOMIC_RELAXED) ==
         queue_state(ticket, queue_who(q), what);
}

memlift_status memlift_queue_push_begin(struct memlift_queue *q, const void *data, unsigned tag,
                                        uint64_t ns, uint32_t *ticket) {
  uint64_t taken;
  if (!q || !data || !ticket || tag >= TAGS)
    return MEMLIFT_INVALID_ARGUMENT;
  memlift_status status = memlift_queue_take(q, QUEUE_FILLING, ns, &taken);
  if (status != MEMLIFT_OK)
    return status;
  count_open(q, 1);
  memlift_task_copy(queue_data(q, taken), data, q->entry);
  *ticket = (uint32_t)taken;
  return MEMLIFT_OK;
}

memlift_status memlift_queue_push_end(struct memlift_queue *q, uint32_t ticket) {
  if (!q)
    return MEMLIFT_INVALID_ARGUMENT;
  if (!has(q, ticket, QUEUE_FILLING))
    return MEMLIFT_WRONG_STATE;
  count_open(q, -1);
  queue_let_pop(q, ticket);
  return MEMLIFT_OK;
}

memlift_status memlift_queue_pop_begin(struct memlift_queue *q, void *data, unsigned tag,
                                       uint64_t ns, uint32_t *ticket) {
  uint64_t taken;
  if (!q || !data || !ticket || tag >= TAGS)
    return MEMLIFT_INVALID_ARGUMENT;
  memlift_status status = memlift_queue_take(q, QUEUE_EMPTYING, ns, &taken);
  if (status != MEMLIFT_OK)
    return status;
  count_open(q, 1);
  memlift_task_copy(data, queue_data(q, taken), q->entry);
  *ticket = (uint32_t)taken;
  return MEMLIFT_OK;
}

memlift_status memlift_queue_pop_end(struct memlift_queue *q, uint32_t ticket) {
  if (!q)
    return MEMLIFT_INVALID_ARGUMENT;
  if (!has(q, ticket, QUEUE_EMPTYING))
    return MEMLIFT_WRONG_STATE;
  count_open(q, -1);
  queue_let_push(q, ticket);
  return MEMLIFT_OK;
}

/* ---- Of the whole queue ---------------------------------------------------- */

memlift_status memlift_queue_count(const struct memlift_queue *q, uint32_t *count) {
  if (!q || !count)
    return MEMLIFT_INVALID_ARGUMENT;
  *count = memlift_queue_entries(q);
  return MEMLIFT_OK;
}

memlift_status memlift_queue_close(struct memlift_queue *q) {
  if (!q)
    return MEMLIFT_INVALID_ARGUMENT;
  __atomic_store_n(&q->closed, 1, __ATOMIC_SEQ_CST);
  while (
      memlift_line_wake_first(q->context, &q->pushers, MEMLIFT_LINE_PUSHERS, MEMLIFT_WAITS_QUEUE))
    ;
  memlift_queue_wake_at_last(q);
  return MEMLIFT_OK;
}
#else
typedef int memlift_no_tasks; /* a translation unit must not be empty */
#endif
