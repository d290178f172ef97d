/* queue.c - queues between host and tasks
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A queue of libmemlift has a power of two of places. Where MARS's depth is none, a semaphore has
 * the places that are left of it.
 */
#include "mars.h"

#include <string.h>

struct mars_task_queue {
  struct memlift_mars_object object;
  uint32_t limited; /* 1: `left` counts */
  void *places;
  struct memlift_queue queue;
  struct memlift_semaphore left;
};

/* ---- Creating and destroying ---------------------------------------------------- */

static int is_valid(uint32_t size, uint32_t depth, uint8_t direction) {
  return size && size <= MARS_TASK_QUEUE_ENTRY_SIZE_MAX && depth && depth <= MEMLIFT_QUEUE_DEPTH &&
         (!memlift_mars_strict() || size % 16 == 0) && direction >= MARS_TASK_QUEUE_HOST_TO_MPU &&
         direction <= MARS_TASK_QUEUE_MPU_TO_MPU;
}

int mars_task_queue_create(struct mars_context *context, uint64_t *ea, uint32_t size,
                           uint32_t depth, uint8_t direction) {
  struct mars_task_queue *q = NULL;
  uint32_t places = 1;
  if (context && ea && !is_valid(size, depth, direction))
    return MARS_ERROR_PARAMS;
  int error = memlift_mars_object_new(context, ea, sizeof *q, &q);
  if (error != MARS_SUCCESS)
    return error;
  while (places < depth)
    places *= 2;
  q->object.direction = direction, q->limited = places != depth;
  q->places = mars_malloc(MEMLIFT_QUEUE_BYTES(size, places));
  memlift_status status = MEMLIFT_NO_RESOURCES;
  if (q->places)
    status = memlift_queue_init(context->context, &q->queue, q->places, size, places);
  if (status == MEMLIFT_OK)
    status = memlift_semaphore_init(context->context, &q->left, (int32_t)depth);
  if (status != MEMLIFT_OK) {
    mars_free(q->places);
    mars_free(q);
    return memlift_mars_error(status);
  }
  __atomic_store_n(&q->object.kind, MARS_QUEUE, __ATOMIC_RELAXED);
  *ea = mars_ptr_to_ea(q);
  return MARS_SUCCESS;
}

int mars_task_queue_destroy(uint64_t ea) {
  struct mars_task_queue *q = NULL;
  int error = memlift_mars_object(ea, MARS_QUEUE, &q);
  void *places = q ? q->places : NULL;
  if (error == MARS_SUCCESS)
    error = memlift_mars_object_end(ea, MARS_QUEUE);
  if (error == MARS_SUCCESS)
    mars_free(places);
  return error;
}

int mars_task_queue_count(uint64_t ea, uint32_t *count) {
  struct mars_task_queue *q = NULL;
  int error = memlift_mars_object(ea, MARS_QUEUE, &q);
  if (error == MARS_SUCCESS && !count)
    error = MARS_ERROR_NULL;
  return error != MARS_SUCCESS ? error : memlift_mars_error(memlift_queue_count(&q->queue, count));
}

/* ---- Moving ---------------------------------------------------- */

static memlift_status take_place(struct mars_task_queue *q, uint64_t ns) {
  return q->limited ? memlift_semaphore_acquire(&q->left, ns) : MEMLIFT_OK;
}

static void give_place(struct mars_task_queue *q) {
  if (q->limited)
    memlift_semaphore_release(&q->left, 1);
}

/* An operation that begins: *ticket is its number, or with NULL it ends, too. */
static memlift_status move(struct mars_task_queue *q, enum memlift_mpu_queue what, void *data,
                           unsigned tag, uint64_t ns, uint32_t *ticket) {
  memlift_status status;
  switch (what) {
  case MEMLIFT_MPU_PUSHES:
    status = take_place(q, ns);
    if (status != MEMLIFT_OK)
      return status;
    status = ticket ? memlift_queue_push_begin(&q->queue, data, tag, ns, ticket)
                    : memlift_queue_push(&q->queue, data, ns);
    if (status != MEMLIFT_OK)
      give_place(q);
    return status;
  case MEMLIFT_MPU_POPS:
    if (ticket)
      return memlift_queue_pop_begin(&q->queue, data, tag, ns, ticket);
    status = memlift_queue_pop(&q->queue, data, ns);
    if (status == MEMLIFT_OK)
      give_place(q);
    return status;
  default: return memlift_queue_peek(&q->queue, data, ns);
  }
}

/* MARS_SUCCESS, and the queue, if the caller may do that with it. */
static int open_queue(enum memlift_mpu_queue what, uint64_t ea, const void *data,
                      struct mars_task_queue **q) {
  int error = memlift_mars_object(ea, MARS_QUEUE, q), task = memlift_mars_is_task();
  if (error != MARS_SUCCESS)
    return error;
  if (!data)
    return MARS_ERROR_NULL;
  if (task && memlift_mars_strict() && (uintptr_t)data % 16)
    return MARS_ERROR_ALIGN;
  uint8_t outwards =
      what == MEMLIFT_MPU_PUSHES ? MARS_TASK_QUEUE_HOST_TO_MPU : MARS_TASK_QUEUE_MPU_TO_HOST;
  return ((*q)->object.direction == outwards) == task ? MARS_ERROR_STATE : MARS_SUCCESS;
}

int memlift_mars_queue_move(enum memlift_mpu_queue what, uint64_t ea, void *data, int try_only) {
  struct mars_task_queue *q = NULL;
  int error = open_queue(what, ea, data, &q);
  if (error != MARS_SUCCESS)
    return error;
  memlift_mars_enter(&q->object);
  return memlift_mars_leave(&q->object,
                            move(q, what, data, 0, try_only ? 0 : MEMLIFT_FOR_EVER, NULL));
}

/* Entries whose push has not ended, and those after them, stay. */
int mars_task_queue_clear(uint64_t ea) {
  char entry[MARS_TASK_QUEUE_ENTRY_SIZE_MAX];
  struct mars_task_queue *q = NULL;
  uint32_t count = 0;
  int error = mars_task_queue_count(ea, &count);
  if (error != MARS_SUCCESS)
    return error;
  memlift_mars_object(ea, MARS_QUEUE, &q);
  memlift_mars_enter(&q->object);
  while (count-- && move(q, MEMLIFT_MPU_POPS, entry, 0, 0, NULL) == MEMLIFT_OK)
    ;
  return memlift_mars_leave(&q->object, MEMLIFT_OK);
}

int mars_task_queue_push(uint64_t ea, const void *data) {
  return memlift_mars_queue_move(MEMLIFT_MPU_PUSHES, ea, (void *)(uintptr_t)data, 0);
}
int mars_task_queue_try_push(uint64_t ea, const void *data) {
  return memlift_mars_queue_move(MEMLIFT_MPU_PUSHES, ea, (void *)(uintptr_t)data, 1);
}
int mars_task_queue_pop(uint64_t ea, void *data) {
  return memlift_mars_queue_move(MEMLIFT_MPU_POPS, ea, data, 0);
}
int mars_task_queue_try_pop(uint64_t ea, void *data) {
  return memlift_mars_queue_move(MEMLIFT_MPU_POPS, ea, data, 1);
}
int mars_task_queue_peek(uint64_t ea, void *data) {
  return memlift_mars_queue_move(MEMLIFT_MPU_PEEKS, ea, data, 0);
}
int mars_task_queue_try_peek(uint64_t ea, void *data) {
  return memlift_mars_queue_move(MEMLIFT_MPU_PEEKS, ea, data, 1);
}

/* ---- In two steps ---------------------------------------------------- */

/* The oldest ticket of an operation, or with ea 0 a place for one; NULL: there is none. */
static struct memlift_mars_ticket *find_ticket(struct memlift_mars_task *task, uint64_t ea,
                                               uint32_t tag, uint32_t what) {
  struct memlift_mars_ticket *found = NULL;
  for (unsigned i = 0; i < MARS_TICKETS; i++) {
    struct memlift_mars_ticket *t = &task->ticket[i];
    if (t->queue_ea != ea || (ea && (t->tag != tag || t->what != what)))
      continue;
    if (!found || (int32_t)(t->age - found->age) < 0)
      found = t;
  }
  return found;
}

int memlift_mars_queue_begin(struct memlift_mars_task *task, enum memlift_mpu_queue what,
                             uint64_t ea, void *data, uint32_t tag, int try_only) {
  struct mars_task_queue *q = NULL;
  struct memlift_mars_ticket *t = find_ticket(task, 0, 0, 0);
  uint32_t ticket = 0;
  int error = open_queue(what, ea, data, &q);
  if (error != MARS_SUCCESS)
    return error;
  if (tag >= MEMLIFT_TAGS)
    return MARS_ERROR_PARAMS;
  if (!t)
    return MARS_ERROR_LIMIT;
  memlift_mars_enter(&q->object);
  error = memlift_mars_leave(&q->object,
                             move(q, what, data, tag, try_only ? 0 : MEMLIFT_FOR_EVER, &ticket));
  if (error == MARS_SUCCESS)
    *t = (struct memlift_mars_ticket){ea, ticket, tag, (uint32_t)what, task->ages++};
  return error;
}

int memlift_mars_queue_end(struct memlift_mars_task *task, enum memlift_mpu_queue what, uint64_t ea,
                           uint32_t tag) {
  struct mars_task_queue *q = NULL;
  int error = memlift_mars_object(ea, MARS_QUEUE, &q);
  if (error != MARS_SUCCESS)
    return error;
  if (tag >= MEMLIFT_TAGS)
    return MARS_ERROR_PARAMS;
  struct memlift_mars_ticket *t = find_ticket(task, ea, tag, (uint32_t)what);
  if (!t)
    return MARS_ERROR_STATE;
  t->queue_ea = 0;
  if (what == MEMLIFT_MPU_PEEKS)
    return MARS_SUCCESS;
  memlift_status status = what == MEMLIFT_MPU_PUSHES ? memlift_queue_push_end(&q->queue, t->ticket)
                                                     : memlift_queue_pop_end(&q->queue, t->ticket);
  if (what == MEMLIFT_MPU_POPS)
    give_place(q);
  return memlift_mars_error(status);
}

/* The places themselves are freed by libmemlift, when it sees that their task has ended. */
void memlift_mars_queue_forsake(struct memlift_mars_task *task) {
  for (unsigned i = 0; i < MARS_TICKETS; i++) {
    struct mars_task_queue *q = NULL;
    struct memlift_mars_ticket *t = &task->ticket[i];
    if (t->queue_ea && t->what != MEMLIFT_MPU_PEEKS &&
        memlift_mars_object(t->queue_ea, MARS_QUEUE, &q) == MARS_SUCCESS)
      give_place(q);
    t->queue_ea = 0;
  }
}
