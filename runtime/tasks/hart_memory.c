/* hart_memory.c - memory of a board for contexts and stacks, and stacks in local stores
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The board's memory is a row of blocks, each after its header. Whoever looks for one takes the
 * first that is free and large enough, and joins free neighbours on its way. A lock guards the row:
 * only contexts and tasks that are created or destroyed come here.
 *
 * A task with a stack gets one here when it is created, as nobody knows yet which unit will take
 * it. When it begins, the unit takes room for the stack in its own local store, and the task runs
 * there to its end. So a switch moves no stack, and code that computes in the store has its local
 * variables beside its data. Where the store has no room the task runs on the stack it has.
 */
#include "../config.h"

#if MEMLIFT_BARE
#include "context.h"
#include "store.h"
#include "system.h"

#define GRAIN ((size_t)64)

/* The header of a block; `size` is that of both, in bytes. */
struct block {
  size_t size;
  uint32_t used;
} __attribute__((aligned(64)));

static uint32_t lock;

static struct block *after(struct block *b) {
  return (struct block *)(void *)((unsigned char *)b + b->size);
}

static struct block *first(void) {
  uintptr_t begin = ((uintptr_t)memlift_board->memory + GRAIN - 1) & ~(uintptr_t)(GRAIN - 1);
  return (struct block *)begin;
}

static struct block *end(void) {
  uintptr_t last =
      ((uintptr_t)memlift_board->memory + memlift_board->size) & ~(uintptr_t)(GRAIN - 1);
  return (struct block *)last;
}

/* Acquire: blocks are changed by who has the lock; pairs with the release in leave. */
static void enter(void) {
  uint32_t open = 0;
  while (!__atomic_compare_exchange_n(&lock, &open, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
    memlift_give_way();
    open = 0;
  }
}

/* Release: pairs with the acquire in enter. */
static void leave(void) { __atomic_store_n(&lock, 0, __ATOMIC_RELEASE); }

/* Takes `need` bytes from the front of a free block. */
static void *take(struct block *b, size_t need) {
  if (b->size - need >= 2 * GRAIN) {
    struct block *rest = (struct block *)(void *)((unsigned char *)b + need);
    rest->size = b->size - need, rest->used = 0;
    b->size = need;
  }
  b->used = 1;
  return b + 1;
}

void memlift_hart_memory_begin(void) {
  lock = 0;
  if (first() < end())
    first()->size = (size_t)((unsigned char *)end() - (unsigned char *)first()), first()->used = 0;
}

void *memlift_hart_memory(size_t size) {
  void *found = NULL;
  if (!memlift_board || size > SIZE_MAX / 2)
    return NULL;
  size_t need = sizeof(struct block) + ((size + GRAIN - 1) & ~(GRAIN - 1));
  enter();
  for (struct block *b = first(); !found && b < end(); b = after(b)) {
    while (!b->used && after(b) < end() && !after(b)->used)
      b->size += after(b)->size;
    if (!b->used && b->size >= need)
      found = take(b, need);
  }
  leave();
  return found;
}

void memlift_hart_memory_free(void *memory) {
  struct block *b = (struct block *)memory - 1;
  enter();
  b->used = 0;
  leave();
}

/* ---- Stacks in local stores ------------------------------------------------------------------ */

/* The unit is the only one that looks at its store here, and no handler of a trap does: so nothing
 * has to keep others out, not even where a task has left a loop over blocks for good. */
void memlift_stack_settle(struct memlift_slot *slot) {
  struct memlift_parker *me = memlift_parker_self();
  struct memlift_store *store = memlift_store_mine();
  if (!store)
    return;
  /* The stack is the unit's, whoever has the store now: no task's end frees it. */
  struct memlift_store_user *user = store->user, *own = memlift_user_of(slot);
  store->user = &store->own;
  void *local = memlift_store_take(store, slot->stack_size, 0);
  store->user = user;
  if (local) {
    me->context->reserve[memlift_slot_number(me->context, slot)] = slot->stack;
    slot->stack = local;
    /* Not memlift_copy, for which a unit would bring kernels and engines. */
    struct memlift_store_user *moved = memlift_user_of(slot);
    moved->number = own->number;
    moved->left = moved->loops = moved->fenced = moved->faulty = 0;
  }
}

void memlift_stack_vacate(struct memlift_slot *slot) {
  struct memlift_parker *me = memlift_parker_self();
  void **reserve = &me->context->reserve[memlift_slot_number(me->context, slot)];
  if (!*reserve)
    return;
  memlift_store_give(memlift_store_mine(), slot->stack);
  slot->stack = *reserve, *reserve = NULL;
}
#else
typedef int memlift_is_not_bare; /* a translation unit must not be empty */
#endif
