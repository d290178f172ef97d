/* repair.c - putting an object in order that a unit has changed when its process ended
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A unit notes the object before it changes it, and until it has done so. Whatever it has done of
 * the change stays; what is left to do is found from the object's word, and from its waiters, which
 * say themselves whether they still wait in its line. So each part may be done twice.
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES || defined(MEMLIFT_MODEL_HARTS)
#include "line.h"

#include <stddef.h>

/* The object of a line. */
#define OBJECT(line, type, member) ((type *)(void *)((char *)(line) - offsetof(type, member)))

/* 1 if the object is one: a process may have been killed for what it has done to the memory. */
static int is_object(const memlift_context *c, const void *p, size_t size) {
  return memlift_arena_has(c, p, size) && (uintptr_t)p % 8 == 0 &&
         *(memlift_context *const *)p == c;
}

static const void *object_of(struct memlift_line *line, uint32_t kind, size_t *size) {
  switch (kind) {
  case MEMLIFT_LINE_SEMAPHORE:
    *size = sizeof(struct memlift_semaphore);
    return OBJECT(line, struct memlift_semaphore, line);
  case MEMLIFT_LINE_MUTEX:
    *size = sizeof(struct memlift_mutex);
    return OBJECT(line, struct memlift_mutex, line);
  case MEMLIFT_LINE_BARRIER:
    *size = sizeof(struct memlift_barrier);
    return OBJECT(line, struct memlift_barrier, line);
  case MEMLIFT_LINE_EVENTS:
    *size = sizeof(struct memlift_events);
    return OBJECT(line, struct memlift_events, line);
  case MEMLIFT_LINE_PUSHERS:
    *size = sizeof(struct memlift_queue);
    return OBJECT(line, struct memlift_queue, pushers);
  case MEMLIFT_LINE_POPPERS:
    *size = sizeof(struct memlift_queue);
    return OBJECT(line, struct memlift_queue, poppers);
  default: return NULL;
  }
}

static int is_line(const memlift_context *c, struct memlift_line *line, uint32_t kind) {
  size_t size = 0;
  const void *object = line ? object_of(line, kind, &size) : NULL;
  return object && is_object(c, object, size);
}

void memlift_object_repair(memlift_context *c, struct memlift_line *line, uint32_t kind) {
  if (!is_line(c, line, kind))
    return;
  memlift_line_lock(c, line, (enum memlift_line_kind)kind);
  uint32_t waiters = memlift_line_rebuild(c, line);
  if (kind == MEMLIFT_LINE_SEMAPHORE)
    memlift_semaphore_repair(OBJECT(line, struct memlift_semaphore, line), waiters);
  else if (kind == MEMLIFT_LINE_MUTEX)
    memlift_mutex_repair(OBJECT(line, struct memlift_mutex, line));
  else if (kind == MEMLIFT_LINE_BARRIER)
    memlift_barrier_repair(OBJECT(line, struct memlift_barrier, line));
  else if (kind == MEMLIFT_LINE_EVENTS)
    memlift_events_repair(OBJECT(line, struct memlift_events, line), waiters);
  memlift_line_unlock(c, line); /* who waits for a queue looks again: memlift_bury */
}

/* Gives to others what a waiter was given that is lost. With the lock. */
static void give_back(struct memlift_waiter *w) {
  if (w->line_kind == MEMLIFT_LINE_SEMAPHORE)
    memlift_semaphore_give_back(OBJECT(w->line, struct memlift_semaphore, line));
  else if (w->line_kind == MEMLIFT_LINE_EVENTS)
    memlift_events_give_back(OBJECT(w->line, struct memlift_events, line), w->got);
}

void memlift_object_withdraw(memlift_context *c, unsigned waiter, int had_been_woken) {
  struct memlift_waiter *w = &c->waiter[waiter];
  struct memlift_line *line = w->line;
  if (!is_line(c, line, w->line_kind))
    return;
  memlift_line_lock(c, line, (enum memlift_line_kind)w->line_kind);
  int is_linked = w->linked != 0;
  if (is_linked)
    memlift_line_remove(c, line, waiter);
  if (is_linked && w->line_kind == MEMLIFT_LINE_SEMAPHORE)
    __atomic_fetch_sub(&OBJECT(line, struct memlift_semaphore, line)->word, 1, __ATOMIC_RELAXED);
  else if (is_linked && w->line_kind == MEMLIFT_LINE_EVENTS)
    __atomic_fetch_sub(&OBJECT(line, struct memlift_events, line)->word, 1, __ATOMIC_RELAXED);
  else if (had_been_woken == MEMLIFT_WAITS_OBJECT)
    give_back(w);
  w->line = NULL;
  memlift_line_unlock(c, line);
}
#else
typedef int memlift_no_processes; /* a translation unit must not be empty */
#endif
