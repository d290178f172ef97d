/* objects.c - semaphores, barriers and event flags
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * MARS counts arrivals at a barrier without asking whose they are, and holds notifications of the
 * next round up until all waits of this one are over. Two semaphores do so: one has the
 * notifications that a round has left, the other one the waits that may go on.
 */
#include "mars.h"

#include <string.h>

struct mars_task_semaphore {
  struct memlift_mars_object object;
  struct memlift_semaphore semaphore;
};

struct mars_task_barrier {
  struct memlift_mars_object object;
  uint32_t total, notified, waited; /* in this round */
  struct memlift_semaphore arrivals, departures;
};

struct mars_task_event_flag {
  struct memlift_mars_object object;
  struct memlift_events events;
};

/* ---- Objects ---------------------------------------------------- */

int memlift_mars_object(uint64_t ea, enum memlift_mars_kind kind, void *object) {
  struct memlift_mars_object *o = (struct memlift_mars_object *)mars_ea_to_ptr(ea);
  if (!ea)
    return MARS_ERROR_NULL;
  if (ea % MARS_OBJECT_ALIGN)
    return MARS_ERROR_ALIGN;
  if (memlift_mars_is_remote(ea))
    return MARS_ERROR_PARAMS;
  if (__atomic_load_n(&o->kind, __ATOMIC_RELAXED) != (uint32_t)kind)
    return MARS_ERROR_PARAMS;
  *(void **)object = o;
  return MARS_SUCCESS;
}

int memlift_mars_object_new(struct mars_context *context, uint64_t *ea, size_t size, void *object) {
  if (!context || !ea)
    return MARS_ERROR_NULL;
  if (!memlift_mars_known(context))
    return MARS_ERROR_PARAMS;
  uint64_t memory = mars_ea_memalign(MARS_OBJECT_ALIGN, size);
  if (!memory)
    return MARS_ERROR_MEMORY;
  memset(mars_ea_to_ptr(memory), 0, size);
  *(void **)object = mars_ea_to_ptr(memory);
  return MARS_SUCCESS;
}

/* Completes an object, or gives its memory back. */
static int complete(struct memlift_mars_object *o, enum memlift_mars_kind kind, uint64_t *ea,
                    memlift_status status) {
  if (status != MEMLIFT_OK) {
    mars_free(o);
    return memlift_mars_error(status);
  }
  __atomic_store_n(&o->kind, kind, __ATOMIC_RELAXED);
  *ea = mars_ptr_to_ea(o);
  return MARS_SUCCESS;
}

int memlift_mars_object_end(uint64_t ea, enum memlift_mars_kind kind) {
  struct memlift_mars_object *o = NULL;
  int error = memlift_mars_object(ea, kind, &o);
  if (error != MARS_SUCCESS)
    return error;
  if (__atomic_load_n(&o->waiting, __ATOMIC_RELAXED))
    return MARS_ERROR_STATE;
  __atomic_store_n(&o->kind, 0, __ATOMIC_RELAXED);
  mars_free(o);
  return MARS_SUCCESS;
}

static uint64_t limit(int try_only) { return try_only ? 0 : MEMLIFT_FOR_EVER; }

/* ---- Semaphores ---------------------------------------------------- */

int mars_task_semaphore_create(struct mars_context *context, uint64_t *ea, int32_t count) {
  struct mars_task_semaphore *s = NULL;
  int error = memlift_mars_object_new(context, ea, sizeof *s, &s);
  if (error != MARS_SUCCESS)
    return error;
  return complete(&s->object, MARS_SEMAPHORE, ea,
                  memlift_semaphore_init(context->context, &s->semaphore, count));
}

int mars_task_semaphore_destroy(uint64_t ea) { return memlift_mars_object_end(ea, MARS_SEMAPHORE); }

int mars_task_semaphore_acquire(uint64_t ea) {
  struct mars_task_semaphore *s = NULL;
  int error = memlift_mars_object(ea, MARS_SEMAPHORE, &s);
  if (error != MARS_SUCCESS)
    return error;
  memlift_mars_enter(&s->object);
  return memlift_mars_leave(&s->object, memlift_semaphore_acquire(&s->semaphore, MEMLIFT_FOR_EVER));
}

int mars_task_semaphore_release(uint64_t ea) {
  struct mars_task_semaphore *s = NULL;
  int error = memlift_mars_object(ea, MARS_SEMAPHORE, &s);
  return error != MARS_SUCCESS ? error
                               : memlift_mars_error(memlift_semaphore_release(&s->semaphore, 1));
}

/* ---- Barriers ---------------------------------------------------- */

int mars_task_barrier_create(struct mars_context *context, uint64_t *ea, uint32_t total) {
  struct mars_task_barrier *b = NULL;
  if (context && ea && (!total || total > INT32_MAX))
    return MARS_ERROR_PARAMS;
  int error = memlift_mars_object_new(context, ea, sizeof *b, &b);
  if (error != MARS_SUCCESS)
    return error;
  b->total = total;
  memlift_status status = memlift_semaphore_init(context->context, &b->arrivals, (int32_t)total);
  if (status == MEMLIFT_OK)
    status = memlift_semaphore_init(context->context, &b->departures, 0);
  return complete(&b->object, MARS_BARRIER, ea, status);
}

int mars_task_barrier_destroy(uint64_t ea) { return memlift_mars_object_end(ea, MARS_BARRIER); }

int memlift_mars_barrier_notify(uint64_t ea, int try_only) {
  struct mars_task_barrier *b = NULL;
  int error = memlift_mars_object(ea, MARS_BARRIER, &b);
  if (error != MARS_SUCCESS)
    return error;
  memlift_mars_enter(&b->object);
  memlift_status status = memlift_semaphore_acquire(&b->arrivals, limit(try_only));
  /* Acquire and release: what was done before each notification is seen after the last one. */
  if (status == MEMLIFT_OK && __atomic_add_fetch(&b->notified, 1, __ATOMIC_ACQ_REL) == b->total)
    status = memlift_semaphore_release(&b->departures, (int32_t)b->total);
  return memlift_mars_leave(&b->object, status);
}

int memlift_mars_barrier_wait(uint64_t ea, int try_only) {
  struct mars_task_barrier *b = NULL;
  int error = memlift_mars_object(ea, MARS_BARRIER, &b);
  if (error != MARS_SUCCESS)
    return error;
  memlift_mars_enter(&b->object);
  memlift_status status = memlift_semaphore_acquire(&b->departures, limit(try_only));
  /* Acquire and release: as above, for the next round. */
  if (status == MEMLIFT_OK && __atomic_add_fetch(&b->waited, 1, __ATOMIC_ACQ_REL) == b->total) {
    __atomic_store_n(&b->waited, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&b->notified, 0, __ATOMIC_RELAXED);
    status = memlift_semaphore_release(&b->arrivals, (int32_t)b->total);
  }
  return memlift_mars_leave(&b->object, status);
}

int mars_task_barrier_notify(uint64_t ea) { return memlift_mars_barrier_notify(ea, 0); }
int mars_task_barrier_try_notify(uint64_t ea) { return memlift_mars_barrier_notify(ea, 1); }
int mars_task_barrier_wait(uint64_t ea) { return memlift_mars_barrier_wait(ea, 0); }
int mars_task_barrier_try_wait(uint64_t ea) { return memlift_mars_barrier_wait(ea, 1); }

/* ---- Event flags ---------------------------------------------------- */

int mars_task_event_flag_create(struct mars_context *context, uint64_t *ea, uint8_t direction,
                                uint8_t clear_mode) {
  struct mars_task_event_flag *f = NULL;
  if (context && ea &&
      (direction < MARS_TASK_EVENT_FLAG_HOST_TO_MPU ||
       direction > MARS_TASK_EVENT_FLAG_MPU_TO_MPU ||
       (clear_mode != MARS_TASK_EVENT_FLAG_CLEAR_AUTO &&
        clear_mode != MARS_TASK_EVENT_FLAG_CLEAR_MANUAL)))
    return MARS_ERROR_PARAMS;
  int error = memlift_mars_object_new(context, ea, sizeof *f, &f);
  if (error != MARS_SUCCESS)
    return error;
  f->object.direction = direction;
  return complete(&f->object, MARS_EVENT_FLAG, ea,
                  memlift_events_init(context->context, &f->events,
                                      clear_mode == MARS_TASK_EVENT_FLAG_CLEAR_AUTO
                                          ? MEMLIFT_EVENTS_AUTO
                                          : MEMLIFT_EVENTS_MANUAL));
}

int mars_task_event_flag_destroy(uint64_t ea) {
  return memlift_mars_object_end(ea, MARS_EVENT_FLAG);
}

int mars_task_event_flag_clear(uint64_t ea, uint32_t bits) {
  struct mars_task_event_flag *f = NULL;
  int error = memlift_mars_object(ea, MARS_EVENT_FLAG, &f);
  return error != MARS_SUCCESS ? error : memlift_mars_error(memlift_events_clear(&f->events, bits));
}

int mars_task_event_flag_set(uint64_t ea, uint32_t bits) {
  struct mars_task_event_flag *f = NULL;
  int error = memlift_mars_object(ea, MARS_EVENT_FLAG, &f);
  if (error != MARS_SUCCESS)
    return error;
  if ((f->object.direction == MARS_TASK_EVENT_FLAG_HOST_TO_MPU) == memlift_mars_is_task())
    return MARS_ERROR_STATE;
  return memlift_mars_error(memlift_events_set(&f->events, bits));
}

int memlift_mars_event_flag_wait(uint64_t ea, uint32_t mask, uint8_t mode, uint32_t *bits,
                                 int try_only) {
  struct mars_task_event_flag *f = NULL;
  int error = memlift_mars_object(ea, MARS_EVENT_FLAG, &f);
  if (error != MARS_SUCCESS)
    return error;
  if (mode != MARS_TASK_EVENT_FLAG_MASK_OR && mode != MARS_TASK_EVENT_FLAG_MASK_AND)
    return MARS_ERROR_PARAMS;
  if ((f->object.direction == MARS_TASK_EVENT_FLAG_MPU_TO_HOST) == memlift_mars_is_task())
    return MARS_ERROR_STATE;
  memlift_mars_enter(&f->object);
  return memlift_mars_leave(&f->object, memlift_events_wait(&f->events, mask,
                                                            mode == MARS_TASK_EVENT_FLAG_MASK_OR
                                                                ? MEMLIFT_EVENTS_ANY
                                                                : MEMLIFT_EVENTS_ALL,
                                                            limit(try_only), bits));
}

int mars_task_event_flag_wait(uint64_t ea, uint32_t mask, uint8_t mode, uint32_t *bits) {
  return memlift_mars_event_flag_wait(ea, mask, mode, bits, 0);
}

int mars_task_event_flag_try_wait(uint64_t ea, uint32_t mask, uint8_t mode, uint32_t *bits) {
  return memlift_mars_event_flag_wait(ea, mask, mode, bits, 1);
}
