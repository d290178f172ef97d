/* arena.c - the memory of a context, and what programs allocate in it
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   the context | its allocator | stacks of tasks | shared bytes
 *
 * One mapping without a name and without a descriptor, so nothing stays behind of it. With units
 * that are processes it is shared: they are forked later, and find it at its address. The stacks
 * are in it only then, each at the place of its slot, as a unit sees what is mapped before it is
 * forked and nothing else.
 *
 * The allocator has few and large pieces, in a sorted list beside them; the first gap that is large
 * enough is taken. Only the host's process allocates: no unit can stop at it.
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "processes.h"

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#define ALIGNMENT ((size_t)64)

/* Bytes from the beginning of the shared ones. */
struct piece {
  size_t start, end;
};

struct memlift_shared {
  uint32_t lock; /* 1: a thread of the host is at it */
  uint32_t count;
  char *memory;
  size_t size;
  struct piece piece[MEMLIFT_SHARED_PIECES];
};

static size_t pages(size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return (size + page - 1) & ~(page - 1);
}

memlift_context *memlift_arena_map(uint32_t kind, size_t shared) {
  size_t head = pages(sizeof(memlift_context)) + pages(sizeof(struct memlift_shared));
  int has_processes = kind == MEMLIFT_UNITS_PROCESSES;
  size_t stacks = has_processes ? MEMLIFT_TASKS * MEMLIFT_PROCESS_STACK : 0;
  if (shared > SIZE_MAX / 2)
    return NULL;
  size_t size = head + stacks + pages(shared);
  /* The system's zeros are a context in which nothing is ready. Most of it is never accessed. */
  char *memory = (char *)mmap(
      NULL, size, PROT_READ | PROT_WRITE,
      (has_processes ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return NULL;
  memlift_context *c = (memlift_context *)(void *)memory;
  c->kind = kind, c->size = size;
  c->shared = (struct memlift_shared *)(void *)(memory + pages(sizeof(memlift_context)));
  c->stacks = memory + head;
  c->shared->memory = memory + head + stacks, c->shared->size = pages(shared);
  return c;
}

void memlift_arena_unmap(memlift_context *c) { munmap(c, c->size); }

static int is_within(const char *at, size_t size, const char *from, const char *to) {
  return at >= from && at <= to && size <= (size_t)(to - at);
}

int memlift_arena_has(const memlift_context *c, const void *p, size_t size) {
  const char *at = (const char *)p;
  return memlift_has_processes(c) ? is_within(at, size, c->stacks, (const char *)c + c->size) ||
                                        (c->given && is_within(at, size, c->given, c->given_end))
                                  : p != NULL;
}

/* ---- Stacks ---------------------------------------------------- */

void memlift_arena_give_stack(memlift_context *c, struct memlift_slot *slot) {
  size_t guard = pages(1);
  slot->stack = c->stacks + memlift_slot_number(c, slot) * MEMLIFT_PROCESS_STACK + guard;
  slot->stack_size = (uint32_t)(MEMLIFT_PROCESS_STACK - guard);
  *memlift_user_of(slot) = (struct memlift_store_user){0};
  *memlift_fiber_of(slot) = (struct memlift_fiber){0};
  memlift_fiber_create(memlift_fiber_of(slot), slot->stack, slot->stack_size - MEMLIFT_STACK_END);
}

/* A page stays closed once it is: the place of a stack never changes. */
void memlift_arena_close_stack(const memlift_context *c, const struct memlift_slot *slot) {
  static const memlift_context *of; /* the one that `closed` is about */
  static uint64_t closed[MEMLIFT_TASKS / 64];
  unsigned number = memlift_slot_number(c, slot);
  int is_mine = __atomic_load_n(&of, __ATOMIC_RELAXED) == c;
  if (is_mine && closed[number / 64] >> number % 64 & 1)
    return;
  mprotect(c->stacks + number * MEMLIFT_PROCESS_STACK, pages(1), PROT_NONE);
  if (memlift_task_unit() == UINT32_MAX)
    return; /* host threads are many, and have more than one context */
  of = c;
  closed[number / 64] |= (uint64_t)1 << number % 64;
}

/* ---- The allocator ---------------------------------------------------- */

/* Takes the allocator, for a thread of the host; NULL: this is none. */
static struct memlift_shared *enter(memlift_context *c) {
  if (memlift_context_known(c) != MEMLIFT_OK ||
      (memlift_has_processes(c) && memlift_task_unit() != UINT32_MAX))
    return NULL;
  /* Acquire: pairs with the release in leave. */
  while (__atomic_exchange_n(&c->shared->lock, 1, __ATOMIC_ACQUIRE))
    sched_yield();
  return c->shared;
}

static void leave(struct memlift_shared *s) { __atomic_store_n(&s->lock, 0, __ATOMIC_RELEASE); }

/* Takes the first gap that is large enough. */
static void *take(struct memlift_shared *s, size_t size, size_t alignment) {
  if (s->count == MEMLIFT_SHARED_PIECES)
    return NULL;
  for (uint32_t i = 0; i <= s->count; i++) {
    size_t from = i ? s->piece[i - 1].end : 0, to = i < s->count ? s->piece[i].start : s->size;
    uintptr_t memory = (uintptr_t)s->memory;
    size_t at = ((memory + from + alignment - 1) & ~(alignment - 1)) - memory;
    if (at < from || at > to || to - at < size)
      continue;
    for (uint32_t j = s->count++; j > i; j--)
      s->piece[j] = s->piece[j - 1];
    s->piece[i] = (struct piece){at, at + size};
    return s->memory + at;
  }
  return NULL;
}

void *memlift_shared_alloc(memlift_context *c, size_t size, size_t alignment) {
  if (!size || (alignment & (alignment - 1)) || size > SIZE_MAX / 2 || alignment > SIZE_MAX / 4)
    return NULL;
  struct memlift_shared *s = enter(c);
  if (!s)
    return NULL;
  void *p = take(s, (size + ALIGNMENT - 1) & ~(ALIGNMENT - 1),
                 alignment < ALIGNMENT ? ALIGNMENT : alignment);
  leave(s);
  return p;
}

void memlift_shared_free(memlift_context *c, void *p) {
  struct memlift_shared *s = p ? enter(c) : NULL;
  if (!s)
    return;
  for (uint32_t i = 0; i < s->count; i++)
    if (s->memory + s->piece[i].start == (char *)p) {
      for (s->count--; i < s->count; i++)
        s->piece[i] = s->piece[i + 1];
      break;
    }
  leave(s);
}
#elif MEMLIFT_HAVE_TASKS
#include "processes.h"

/* All memory of a board is shared by its harts, and the program's own to give out. */
memlift_context *memlift_arena_map(uint32_t kind, size_t shared) {
  (void)shared;
  memlift_context *c = (memlift_context *)memlift_hart_memory(sizeof(memlift_context));
  if (c) {
    memlift_fill64(c, 0, sizeof(memlift_context));
    c->kind = kind;
  }
  return c;
}

void memlift_arena_unmap(memlift_context *c) { memlift_hart_memory_free(c); }

void *memlift_shared_alloc(memlift_context *c, size_t size, size_t alignment) {
  (void)c, (void)size, (void)alignment;
  return NULL;
}

void memlift_shared_free(memlift_context *c, void *p) { (void)c, (void)p; }
#else
typedef int memlift_no_tasks; /* a translation unit must not be empty */
#endif
