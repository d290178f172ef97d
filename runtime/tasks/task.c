/* task.c - creating, taking back and destroying tasks
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_TASKS
#include "processes.h"
#include "switch.h"

/* ---- Stacks ---------------------------------------------------- */

#if MEMLIFT_HAVE_ENGINES
#include <sys/mman.h>
#include <unistd.h>

static size_t page(void) { return (size_t)sysconf(_SC_PAGESIZE); }

/* Gives the slot a stack of `size` bytes, above a page that may not be accessed. */
static memlift_status give_stack(memlift_context *c, struct memlift_slot *slot, size_t size) {
  size_t guard = page();
  if (!memlift_switch_works())
    return MEMLIFT_NOT_PRESENT;
  size = size < MEMLIFT_TASK_STACK ? MEMLIFT_TASK_STACK : size;
  if (size > UINT32_MAX - 3 * guard)
    return MEMLIFT_INVALID_ARGUMENT;
  if (memlift_has_processes(c)) {
    if (size > MEMLIFT_PROCESS_STACK - MEMLIFT_STACK_END - guard)
      return MEMLIFT_NO_RESOURCES;
    memlift_arena_give_stack(c, slot);
    return MEMLIFT_OK;
  }
  size = (size + MEMLIFT_STACK_END + guard - 1) & ~(guard - 1);
  char *memory = (char *)mmap(NULL, size + guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return MEMLIFT_NO_RESOURCES;
  if (mprotect(memory + guard, size, PROT_READ | PROT_WRITE) != 0) {
    munmap(memory, size + guard);
    return MEMLIFT_NO_RESOURCES;
  }
  slot->stack = memory + guard, slot->stack_size = (uint32_t)size;
  memlift_fiber_create(memlift_fiber_of(slot), slot->stack, size - MEMLIFT_STACK_END);
  return MEMLIFT_OK;
}

void memlift_slot_free_stack(memlift_context *c, struct memlift_slot *slot) {
  if (!slot->stack || memlift_has_processes(c)) /* that is in the arena, and stays for the next */
    return;
  memlift_fiber_destroy(memlift_fiber_of(slot));
  memlift_fiber_renew(slot->stack, slot->stack_size);
  munmap((char *)slot->stack - page(), slot->stack_size + page());
  slot->stack = NULL;
}
#else
static memlift_status give_stack(const memlift_context *c, struct memlift_slot *slot, size_t size) {
  (void)c;
  if (!memlift_switch_works())
    return MEMLIFT_NOT_PRESENT;
  size = size < MEMLIFT_TASK_STACK_BARE ? MEMLIFT_TASK_STACK_BARE : size;
  if (size > UINT32_MAX / 2)
    return MEMLIFT_INVALID_ARGUMENT;
  size = (size + MEMLIFT_STACK_END + 63) & ~(size_t)63;
  slot->stack = memlift_hart_memory(size), slot->stack_size = (uint32_t)size;
  if (!slot->stack)
    return MEMLIFT_NO_RESOURCES;
  memlift_fill8(memlift_user_of(slot), 0, sizeof(struct memlift_store_user));
  return MEMLIFT_OK;
}

void memlift_slot_free_stack(memlift_context *c, struct memlift_slot *slot) {
  (void)c;
  if (slot->stack)
    memlift_hart_memory_free(slot->stack);
  slot->stack = NULL;
}
#endif

/* ---- Creating and destroying ---------------------------------------------------- */

/* Reasons to claim a task, in its sequence, where units may be lost: what is to become of it if the
 * claimer stops. Its unit is the claimer. */
static uint64_t claimed_word(const memlift_context *c, uint64_t word, unsigned reason) {
  word = memlift_word_with_state(word, MEMLIFT_TASK_CLAIMED);
  if (!memlift_may_lose(c))
    return word;
  return memlift_word_with_unit(memlift_word_with_sequence(word, reason), memlift_claimer_now());
}

/* Takes a slot that no task has, where a bit map could lose one with its claimer. */
static struct memlift_slot *take_slot_by_word(memlift_context *c) {
  for (unsigned i = 0; i < MEMLIFT_TASKS; i++) {
    uint64_t word = __atomic_load_n(&c->slot[i].word, __ATOMIC_RELAXED);
    /* Acquire: pairs with the release of who freed it. */
    if (memlift_word_state(word) == MEMLIFT_TASK_FREE &&
        __atomic_compare_exchange_n(&c->slot[i].word, &word,
                                    claimed_word(c, word, MEMLIFT_CLAIMED_TO_CREATE), 0,
                                    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return &c->slot[i];
  }
  return NULL;
}

/* Takes a slot that no task has. */
static struct memlift_slot *take_slot(memlift_context *c) {
  if (memlift_may_lose(c))
    return take_slot_by_word(c);
  for (unsigned i = 0; i < MEMLIFT_TASKS / 64; i++) {
    uint64_t free;
    while ((free = ~__atomic_load_n(&c->used[i], __ATOMIC_RELAXED)) != 0) {
      uint64_t bit = free & (~free + 1);
      /* Acquire: pairs with the release of who gave it back. */
      if (!(__atomic_fetch_or(&c->used[i], bit, __ATOMIC_ACQUIRE) & bit))
        return &c->slot[64 * i + memlift_lowest_bit(bit)];
    }
  }
  return NULL;
}

static void give_slot_back(memlift_context *c, struct memlift_slot *slot) {
  unsigned number = memlift_slot_number(c, slot);
  if (memlift_may_lose(c)) {
    uint64_t word = __atomic_load_n(&slot->word, __ATOMIC_RELAXED);
    /* Release: pairs with the acquire of who takes the free slot. */
    __atomic_store_n(&slot->word, memlift_word_free(memlift_word_generation(word)),
                     __ATOMIC_RELEASE);
    return;
  }
  /* Release: pairs with the acquire in take_slot. */
  __atomic_fetch_and(&c->used[number / 64], ~((uint64_t)1 << number % 64), __ATOMIC_RELEASE);
}

static void name_slot(struct memlift_slot *slot, const char *name) {
  unsigned i = 0;
  for (; name && name[i] && i + 1 < MEMLIFT_TASK_NAME; i++)
    slot->name[i] = name[i];
  slot->name[i] = '\0';
}

/* Copies the caller's options as far as they go. */
static struct memlift_task_options options_of(const struct memlift_task_options *options,
                                              size_t size) {
  struct memlift_task_options full = {0};
  for (size_t i = 0; options && i < size && i < sizeof full; i++)
    ((char *)&full)[i] = ((const char *)options)[i];
  return full;
}

memlift_status memlift_task_create(memlift_context *c, memlift_task *task,
                                   memlift_task_function function,
                                   const struct memlift_task_options *options, size_t size) {
  struct memlift_task_options o = options_of(options, size);
  memlift_status status = memlift_context_known(c);
  if (status != MEMLIFT_OK)
    return status;
  uint64_t all = c->units == 64 ? UINT64_MAX : ((uint64_t)1 << c->units) - 1;
  if (!task || !function || (options && !size) || (o.units & ~all) ||
      o.on_loss > MEMLIFT_LOSS_RESTART)
    return MEMLIFT_INVALID_ARGUMENT;
  struct memlift_slot *slot = take_slot(c);
  if (!slot)
    return MEMLIFT_LIMIT;
  slot->stack = NULL, slot->sp = NULL, slot->held = NULL, slot->open = 0, slot->lost = 0;
  slot->function = function;
  status = o.stack ? give_stack(c, slot, o.stack) : MEMLIFT_OK;
  if (status != MEMLIFT_OK) {
    give_slot_back(c, slot);
    return status;
  }
  /* Relaxed: may_run of pull.c. */
  __atomic_store_n(&slot->may, o.units ? o.units : all, __ATOMIC_RELAXED);
  __atomic_store_n(&slot->hosts,
                   !o.units && (c->units == 0 || (!o.stack && !memlift_has_processes(c))),
                   __ATOMIC_RELAXED);
  if (memlift_may_lose(c))
    memlift_more_of(c, slot)->on_loss = o.on_loss, memlift_more_of(c, slot)->locking = NULL;
  if (slot->stack)
    memlift_user_of(slot)->number = 1 + memlift_slot_number(c, slot);
  name_slot(slot, o.name);
  uint64_t word = __atomic_load_n(&slot->word, __ATOMIC_RELAXED);
  /* Release: who finds the task by its number sees what it is. */
  __atomic_store_n(&slot->word, memlift_word_at_rest(word, MEMLIFT_TASK_CREATED), __ATOMIC_RELEASE);
  *task = memlift_task_of(c, slot);
  return MEMLIFT_OK;
}

/* Claims a task that is not scheduled. */
static int claim(const memlift_context *c, struct memlift_slot *slot, uint64_t word,
                 unsigned reason) {
  /* Acquire: pairs with its end, so that its memory may be written. */
  return memlift_word_is_idle(word) &&
         __atomic_compare_exchange_n(&slot->word, &word, claimed_word(c, word, reason), 0,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

memlift_status memlift_task_destroy(memlift_task task) {
  memlift_context *c;
  struct memlift_slot *slot;
  uint64_t word;
  memlift_status status = memlift_task_find(task, &c, &slot, &word);
  if (status != MEMLIFT_OK)
    return status;
  if (!claim(c, slot, word, MEMLIFT_CLAIMED_TO_DESTROY))
    return MEMLIFT_WRONG_STATE;
  memlift_slot_free_stack(c, slot);
  /* Release: pairs with take_slot, by way of the bit map. */
  __atomic_store_n(&slot->word, memlift_word_free(memlift_word_generation(word) + 1),
                   __ATOMIC_RELEASE);
  if (!memlift_may_lose(c))
    give_slot_back(c, slot);
  return MEMLIFT_OK;
}

/* ---- Taking back ---------------------------------------------------- */

memlift_status memlift_task_unschedule(memlift_task task, int32_t code) {
  memlift_context *c;
  struct memlift_slot *slot;
  uint64_t word;
  memlift_status status = memlift_task_find(task, &c, &slot, &word);
  if (status != MEMLIFT_OK)
    return status;
  /* Claimed first, as the code is written before the end is seen. Acquire: pairs with who scheduled
   * it, whose arguments the next schedule overwrites. */
  do
    if (memlift_word_state(word) != MEMLIFT_TASK_READY ||
        memlift_word_unit(word) != MEMLIFT_NO_UNIT)
      return MEMLIFT_WRONG_STATE;
  while (!__atomic_compare_exchange_n(&slot->word, &word,
                                      claimed_word(c, word, MEMLIFT_CLAIMED_TO_RUN), 0,
                                      __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
  __atomic_fetch_add(&c->unscheduled, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&slot->code, code, __ATOMIC_RELAXED);
  /* Sequential: the end is written and `awaited` read; a waiter does the reverse. */
  __atomic_store_n(&slot->word, memlift_word_at_rest(word, MEMLIFT_TASK_ENDED), __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&slot->awaited, __ATOMIC_SEQ_CST))
    memlift_wake_awaiting(c, memlift_slot_number(c, slot));
  return MEMLIFT_OK;
}
#else
typedef int memlift_no_tasks; /* a translation unit must not be empty */
#endif
