/* table.c - the contexts of this process, what a task's number means, and children after fork
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The number of a task is {1, 0, context's generation 30, task's generation 16, context's index 6,
 * slot 10}; mutex.c uses bit 62. So a stale number is refused without a look at memory that may be
 * gone.
 *
 * A child after fork has a copy of the memory but none of the units, and what was running will run
 * no further. So each context notes how many forks it has seen, and is not the child's, unless the
 * child is a unit of it.
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_TASKS
#include "context.h"

#define TAKEN UINT64_MAX

struct memlift_place memlift_contexts[MEMLIFT_CONTEXTS];
static uint32_t generations;

#if MEMLIFT_HAVE_ENGINES
uint32_t memlift_context_forks;
const memlift_context *memlift_context_adopted;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int ready; /* 1: key is there */

static void in_child(void) { memlift_context_forks++, memlift_context_adopted = NULL; }

static void prepare(void) {
  if (pthread_key_create(&key, NULL) == 0 && pthread_atfork(NULL, NULL, in_child) == 0)
    __atomic_store_n(&ready, 1, __ATOMIC_RELEASE); /* pairs with the acquire in self */
}

struct memlift_parker *memlift_parker_self(void) {
  /* Acquire: pairs with the release in prepare, after which the key is there. */
  return __atomic_load_n(&ready, __ATOMIC_ACQUIRE)
             ? (struct memlift_parker *)pthread_getspecific(key)
             : NULL;
}

void memlift_parker_set_self(struct memlift_parker *parker) { pthread_setspecific(key, parker); }

void memlift_context_adopt(const memlift_context *c) { memlift_context_adopted = c; }

/* Notes in which process the context is; 0: the system has no room for that. */
static int enter_process(memlift_context *c) {
  pthread_once(&once, prepare);
  c->forks = memlift_context_forks;
  return ready;
}
#else
static int enter_process(memlift_context *c) {
  (void)c;
  return 1;
}
#endif

/* The upper half of the numbers of its tasks. */
static uint64_t key_of(const memlift_context *c) { return UINT64_C(1) << 31 | c->generation; }

memlift_status memlift_context_enter(memlift_context *c) {
  if (!enter_process(c))
    return MEMLIFT_NO_RESOURCES;
  do
    c->generation = __atomic_add_fetch(&generations, 1, __ATOMIC_RELAXED) & 0x3fffffff;
  while (!c->generation);
  for (unsigned i = 0; i < MEMLIFT_CONTEXTS; i++) {
    uint64_t none = 0;
    /* Acquire: pairs with the release of who removed the context before. */
    if (__atomic_compare_exchange_n(&memlift_contexts[i].key, &none, TAKEN, 0, __ATOMIC_ACQUIRE,
                                    __ATOMIC_RELAXED)) {
      c->index = i;
      __atomic_store_n(&memlift_contexts[i].context, c,
                       __ATOMIC_RELEASE); /* pairs with context_at */
      /* Release: who finds the key finds the context. */
      __atomic_store_n(&memlift_contexts[i].key, key_of(c), __ATOMIC_RELEASE);
      return MEMLIFT_OK;
    }
  }
  return MEMLIFT_LIMIT;
}

/* Release: pairs with the acquire in enter. */
void memlift_context_remove(memlift_context *c) {
  __atomic_store_n(&memlift_contexts[c->index].context, NULL, __ATOMIC_RELAXED);
  __atomic_store_n(&memlift_contexts[c->index].key, 0, __ATOMIC_RELEASE);
}

const memlift_context *memlift_context_at(unsigned index) {
  return __atomic_load_n(&memlift_contexts[index].context, __ATOMIC_ACQUIRE); /* pairs with enter */
}

memlift_status memlift_context_known(const memlift_context *c) {
  if (!c)
    return MEMLIFT_INVALID_ARGUMENT;
  for (unsigned i = 0; i < MEMLIFT_CONTEXTS; i++)
    if (__atomic_load_n(&memlift_contexts[i].context, __ATOMIC_RELAXED) == c)
      return memlift_context_is_forked(c) ? MEMLIFT_NOT_PRESENT : MEMLIFT_OK;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_task memlift_task_of(const memlift_context *c, const struct memlift_slot *slot) {
  uint64_t word = __atomic_load_n(&slot->word, __ATOMIC_RELAXED);
  memlift_task task = {key_of(c) << 32 | (uint64_t)memlift_word_generation(word) << 16 |
                       (uint64_t)c->index << 10 | memlift_slot_number(c, slot)};
  return task;
}

memlift_status memlift_task_find(memlift_task task, memlift_context **c, struct memlift_slot **slot,
                                 uint64_t *word) {
  *slot = memlift_task_look(task, c);
  if (!*slot)
    return MEMLIFT_INVALID_ARGUMENT;
  /* Acquire: what was written before the state that is seen; pairs with make_ready and finish. */
  *word = __atomic_load_n(&(*slot)->word, __ATOMIC_ACQUIRE);
  if (!memlift_word_is_of(*word, task) || memlift_word_state(*word) == MEMLIFT_TASK_FREE)
    return MEMLIFT_INVALID_ARGUMENT;
  return memlift_context_is_forked(*c) ? MEMLIFT_NOT_PRESENT : MEMLIFT_OK;
}
#else
typedef int memlift_no_tasks; /* a translation unit must not be empty */
#endif
