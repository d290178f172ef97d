/* mutex.c - mutexes, which stand in a line of memory with what they guard
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * MARS has them for itself: they are held for a few accesses. They belong to no context, so nothing
 * can wake who waits, who looks again and again and lets others run meanwhile.
 */
#include "mars.h"

#include <sched.h>
#include <string.h>
#include <time.h>

#define ATTEMPTS 64u /* before a sleep between two looks */

/* The status as a word, as RV64 has no exchange of a byte: its first byte is `lock`. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LOCKED 1u
#else
#define LOCKED (1u << 24)
#endif

static uint32_t *word_of(struct mars_mutex *m) { return (uint32_t *)(void *)&m->status; }

static int open_mutex(uint64_t ea, struct mars_mutex **mutex) {
  if (!ea)
    return MARS_ERROR_NULL;
  if (ea & MARS_MUTEX_ALIGN_MASK)
    return MARS_ERROR_ALIGN;
  if (memlift_mars_is_remote(ea))
    return MARS_ERROR_PARAMS;
  *mutex = (struct mars_mutex *)mars_ea_to_ptr(ea);
  return MARS_SUCCESS;
}

int mars_mutex_create(uint64_t *ea) {
  if (!ea)
    return MARS_ERROR_NULL;
  uint64_t memory = mars_ea_memalign(MARS_MUTEX_ALIGN, MARS_MUTEX_SIZE);
  if (!memory)
    return MARS_ERROR_MEMORY;
  memset(mars_ea_to_ptr(memory), 0, MARS_MUTEX_SIZE);
  *ea = memory;
  return MARS_SUCCESS;
}

int mars_mutex_destroy(uint64_t ea) {
  struct mars_mutex *m = NULL;
  int error = open_mutex(ea, &m);
  if (error == MARS_SUCCESS)
    mars_ea_free(ea);
  return error;
}

int mars_mutex_reset(uint64_t ea) {
  struct mars_mutex *m = NULL;
  int error = open_mutex(ea, &m);
  if (error == MARS_SUCCESS)
    /* Release: pairs with the acquire of the next lock. */
    __atomic_store_n(word_of(m), 0, __ATOMIC_RELEASE);
  return error;
}

int mars_mutex_lock(uint64_t ea) {
  const struct timespec nap = {0, 50000};
  struct mars_mutex *m = NULL;
  int error = open_mutex(ea, &m);
  if (error != MARS_SUCCESS)
    return error;
  /* Acquire: pairs with the release of who had it. */
  for (unsigned i = 0; __atomic_exchange_n(word_of(m), LOCKED, __ATOMIC_ACQUIRE); i++) {
    if (memlift_task_yield() != MEMLIFT_OK)
      sched_yield();
    if (i >= ATTEMPTS)
      nanosleep(&nap, NULL);
  }
  return MARS_SUCCESS;
}

int mars_mutex_unlock(uint64_t ea) {
  struct mars_mutex *m = NULL;
  int error = open_mutex(ea, &m);
  if (error != MARS_SUCCESS)
    return error;
  if (__atomic_load_n(word_of(m), __ATOMIC_RELAXED) != LOCKED)
    return MARS_ERROR_STATE;
  /* Release: pairs with the acquire of the next lock. */
  __atomic_store_n(word_of(m), 0, __ATOMIC_RELEASE);
  return MARS_SUCCESS;
}

int mars_mutex_lock_get(uint64_t ea, struct mars_mutex *mutex) {
  struct mars_mutex *m = NULL;
  int error = mutex ? open_mutex(ea, &m) : MARS_ERROR_NULL;
  if (error == MARS_SUCCESS)
    error = mars_mutex_lock(ea);
  if (error == MARS_SUCCESS && mutex != m) {
    mutex->status = (struct mars_mutex_status){.lock = MARS_MUTEX_LOCKED};
    memcpy(mutex->pad, m->pad, sizeof m->pad);
  }
  return error;
}

int mars_mutex_unlock_put(uint64_t ea, struct mars_mutex *mutex) {
  struct mars_mutex *m = NULL;
  int error = mutex ? open_mutex(ea, &m) : MARS_ERROR_NULL;
  if (error != MARS_SUCCESS)
    return error;
  if (__atomic_load_n(word_of(m), __ATOMIC_RELAXED) != LOCKED)
    return MARS_ERROR_STATE;
  if (mutex != m)
    memcpy(m->pad, mutex->pad, sizeof m->pad);
  return mars_mutex_unlock(ea);
}
