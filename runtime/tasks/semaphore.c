/* semaphore.c - semaphores that are handed over in the order of those who wait
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The word is {count, waiters}. While nobody waits it changes by compare and exchange alone. With
 * waiters it changes only under the lock of the line, and the count is 0: a release gives to those
 * who wait, and counts what is left.
 */
#include "../config.h"

#if MEMLIFT_HAVE_TASKS
#include "line.h"

#define ONE ((uint64_t)1 << 32)

static uint32_t count_of(uint64_t word) { return (uint32_t)(word >> 32); }
static uint32_t waiters_of(uint64_t word) { return (uint32_t)word; }

memlift_status memlift_semaphore_init(memlift_context *c, struct memlift_semaphore *s,
                                      int32_t count) {
  memlift_status status = memlift_context_known(c);
  if (status != MEMLIFT_OK || count < 0 || !memlift_arena_has(c, s, sizeof *s))
    return status != MEMLIFT_OK ? status : MEMLIFT_INVALID_ARGUMENT;
  s->context = c, s->word = (uint64_t)count * ONE;
  memlift_line_init(&s->line);
  return MEMLIFT_OK;
}

/* Takes one, if there is one that is for nobody. */
static int take(struct memlift_semaphore *s) {
  uint64_t word = __atomic_load_n(&s->word, __ATOMIC_RELAXED);
  while (count_of(word) && !waiters_of(word))
    /* Acquire: pairs with the release. */
    if (__atomic_compare_exchange_n(&s->word, &word, word - ONE, 0, __ATOMIC_ACQUIRE,
                                    __ATOMIC_RELAXED))
      return 1;
  return 0;
}

/* Takes one or counts itself as a waiter: 1 if it has taken one. With the lock. */
static int take_or_wait(struct memlift_line_wish *wish) {
  struct memlift_semaphore *s = (struct memlift_semaphore *)wish->object;
  uint64_t word = __atomic_load_n(&s->word, __ATOMIC_RELAXED), next;
  do
    next = count_of(word) ? word - ONE : word + 1;
  /* Acquire: pairs with the release. */
  while (
      !__atomic_compare_exchange_n(&s->word, &word, next, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
  return count_of(word) != 0;
}

static __attribute__((noinline)) memlift_status acquire_waiting(struct memlift_semaphore *s,
                                                                uint64_t ns) {
  struct memlift_line_wish wish = {.take = take_or_wait, .object = s, .count = &s->word};
  return memlift_line_wait(s->context, &s->line, MEMLIFT_LINE_SEMAPHORE, ns, &wish);
}

memlift_status memlift_semaphore_acquire(struct memlift_semaphore *s, uint64_t ns) {
  if (!s)
    return MEMLIFT_INVALID_ARGUMENT;
  if (take(s))
    return MEMLIFT_OK;
  return ns ? acquire_waiting(s, ns) : MEMLIFT_BUSY;
}

/* Gives to those who wait; returns what is left. With the lock. */
static int32_t give(struct memlift_semaphore *s, int32_t count) {
  while (count && s->line.first != MEMLIFT_NOBODY) {
    unsigned waiter = s->line.first;
    memlift_line_remove(s->context, &s->line, waiter);
    __atomic_fetch_sub(&s->word, 1, __ATOMIC_RELAXED);
    count -= memlift_wake(s->context, waiter, MEMLIFT_WAITS_OBJECT);
  }
  return count;
}

static __attribute__((noinline)) memlift_status release_to_waiters(struct memlift_semaphore *s,
                                                                   int32_t count) {
  uint64_t word = __atomic_load_n(&s->word, __ATOMIC_RELAXED);
  int locked = 0;
  for (;;) {
    if (count_of(word) + (uint32_t)count > INT32_MAX) {
      if (locked)
        memlift_line_unlock(s->context, &s->line);
      return MEMLIFT_LIMIT;
    }
    if (waiters_of(word) && !locked) {
      memlift_line_lock(s->context, &s->line, MEMLIFT_LINE_SEMAPHORE);
      locked = 1;
      count = give(s, count);
      word = __atomic_load_n(&s->word, __ATOMIC_RELAXED);
    }
    /* Release: pairs with the acquire in take. */
    if (!count || __atomic_compare_exchange_n(&s->word, &word, word + (uint64_t)count * ONE, 0,
                                              __ATOMIC_RELEASE, __ATOMIC_RELAXED))
      break;
  }
  if (locked)
    memlift_line_unlock(s->context, &s->line);
  return MEMLIFT_OK;
}

memlift_status memlift_semaphore_release(struct memlift_semaphore *s, int32_t count) {
  if (!s || count < 1)
    return MEMLIFT_INVALID_ARGUMENT;
  uint64_t word = __atomic_load_n(&s->word, __ATOMIC_RELAXED);
  while (!waiters_of(word) && count_of(word) + (uint32_t)count <= INT32_MAX)
    /* Release: pairs with the acquire in take. */
    if (__atomic_compare_exchange_n(&s->word, &word, word + (uint64_t)(uint32_t)count * ONE, 0,
                                    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
      return MEMLIFT_OK;
  return release_to_waiters(s, count);
}

/* ---- Burial ---------------------------------------------------- */

#if MEMLIFT_MAY_LOSE
/* The count that is there beside waiters is that of a release which did not come to its end. */
void memlift_semaphore_repair(struct memlift_semaphore *s, uint32_t waiters) {
  uint64_t word = __atomic_load_n(&s->word, __ATOMIC_RELAXED);
  while (
      !__atomic_compare_exchange_n(&s->word, &word, waiters, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    ;
  uint64_t left = (uint64_t)(uint32_t)give(s, (int32_t)count_of(word));
  /* Release: pairs with the acquire of who takes a unit of it. */
  __atomic_fetch_add(&s->word, left * ONE, __ATOMIC_RELEASE);
}

void memlift_semaphore_give_back(struct memlift_semaphore *s) {
  uint64_t left = (uint64_t)(uint32_t)give(s, 1);
  __atomic_fetch_add(&s->word, left * ONE, __ATOMIC_RELEASE);
}
#endif
#else
typedef int memlift_no_tasks; /* a translation unit must not be empty */
#endif
