/* store.c - local stores: which thread has which, and what is allocated in each
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Problem: a loop over blocks asks for its thread's store wherever a loop may run: in a signal
 * handler, before constructors, in a library that dlopen has brought, whose thread-local memory
 * glibc allocates at the first access. So no thread-local variable and no pthread key can hold it.
 *
 * Idea: a hash table over pthread_self(), which is a load from the thread's own block, with open
 * addressing. Each thread writes the entry of its own thread only, and finds only that: entries of
 * others need no order. A key goes into a place by compare-and-swap; a place that was in use once
 * never becomes empty, so the ways past it stay. Where no thread has a store, which is nearly
 * everywhere, one load of their number tells.
 *
 * A thread without a store, in a process with some, looks at the places up to the first empty one,
 * and at all of them when MEMLIFT_STORES threads have had a store at once.
 *
 * The allocator. A store has few and large pieces, and all of its bytes may be dear. So nothing is
 * kept in it: the pieces are in a sorted list beside it, and the first gap that is large enough is
 * taken. A handler never allocates here
 * while the thread does: memlift_store_enter keeps its loops out.
 */
#include "../config.h"
#include "store.h"

#include "system.h"

#define UNIT ((size_t)MEMLIFT_STORE_ALIGNMENT)
#define ALL_FREE (~(uint64_t)0)

_Static_assert(sizeof(struct memlift_store) <= sizeof(struct memlift_local_store),
               "struct memlift_local_store has no room");

/* ---- Whose it is ----------------------------------------------------------------------------- */

uint32_t memlift_stores_bound;

#if MEMLIFT_HAVE_ENGINES
/* A thread and its store. No pthread_t and no thread pointer is EMPTY or LEFT. */
static struct place {
  uintptr_t thread; /* EMPTY: never used; LEFT: used before */
  struct memlift_store *store;
#if MEMLIFT_HAVE_ENGINES
  struct memlift_moves moves;
  unsigned row; /* of the thread in memlift_meters */
#endif
} places[MEMLIFT_STORES];

enum { EMPTY, LEFT };

/* The place at which to look for a thread first. Thread blocks are pages apart. */
static unsigned hash(uintptr_t thread) {
  return (unsigned)(((uint64_t)thread >> 6) * 0x9e3779b97f4a7c15u >> 32) % MEMLIFT_STORES;
}

/* Returns the calling thread's place, NULL if it has none. */
static struct place *find(void) {
  uintptr_t thread = memlift_thread_self();
  for (unsigned i = 0, at = hash(thread); i < MEMLIFT_STORES; i++, at++) {
    struct place *p = &places[at % MEMLIFT_STORES];
    uintptr_t there = __atomic_load_n(&p->thread, __ATOMIC_RELAXED);
    if (there == thread)
      return p;
    if (there == EMPTY)
      return NULL;
  }
  return NULL;
}

struct memlift_store *memlift_store_find(void) {
  const struct place *p = find();
  return p ? p->store : NULL;
}

#if MEMLIFT_HAVE_ENGINES
/* Weak: a program that is linked statically and has no tasks has nothing of them. */
extern __typeof__(memlift_task_unit) memlift_task_unit __attribute__((weak));

/* Transfers of stores that were unbound. */
static struct memlift_moves unbound[MEMLIFT_METER_ROWS];

static void begin_to_count(struct place *p, struct memlift_store *store) {
  unsigned unit = memlift_task_unit ? memlift_task_unit() : MEMLIFT_UNITS;
  __atomic_store_n(&p->row, unit < MEMLIFT_UNITS ? unit : MEMLIFT_UNITS, __ATOMIC_RELAXED);
  store->moves = &p->moves;
  store->track = memlift_track_mine();
  store->computes_since = 0;
}

void memlift_store_count_in(struct memlift_moves *moves) {
  struct memlift_store *store = memlift_store_find();
  if (store)
    store->moves = moves;
}

/* Moves the counts of a place to those of its row. */
static void end_counting(struct place *p) {
  uint64_t *from = (uint64_t *)&p->moves, *to = (uint64_t *)&unbound[p->row];
  for (unsigned i = 0; i < sizeof p->moves / sizeof(uint64_t); i++)
    __atomic_fetch_add(&to[i], __atomic_exchange_n(&from[i], 0, __ATOMIC_RELAXED),
                       __ATOMIC_RELAXED);
}

static void add_moves(uint64_t row[MEMLIFT_METERS], const struct memlift_moves *moves) {
  row[MEMLIFT_METER_MOVES] += __atomic_load_n(&moves->transfers, __ATOMIC_RELAXED);
  row[MEMLIFT_METER_BYTES] += __atomic_load_n(&moves->bytes, __ATOMIC_RELAXED);
  row[MEMLIFT_METER_WAITS] += __atomic_load_n(&moves->waits, __ATOMIC_RELAXED);
}

void memlift_moves_add(uint64_t row[MEMLIFT_METER_ROWS][MEMLIFT_METERS]) {
  for (unsigned i = 0; i < MEMLIFT_METER_ROWS; i++)
    add_moves(row[i], &unbound[i]);
  for (unsigned i = 0; i < MEMLIFT_STORES; i++)
    add_moves(row[__atomic_load_n(&places[i].row, __ATOMIC_RELAXED)], &places[i].moves);
}
#else
static void begin_to_count(struct place *p, struct memlift_store *store) { (void)p, (void)store; }
static void end_counting(struct place *p) { (void)p; }
#endif

/* Enters the calling thread's store; 0: there is no place. The store is written before the key, in
 * the view of a handler of this thread, the only other reader. */
static int enter(struct memlift_store *store) {
  uintptr_t thread = memlift_thread_self();
  for (unsigned i = 0, at = hash(thread); i < MEMLIFT_STORES; i++, at++) {
    struct place *p = &places[at % MEMLIFT_STORES];
    uintptr_t there = __atomic_load_n(&p->thread, __ATOMIC_RELAXED);
    /* Acquire: pairs with the release in leave(), after which its thread reads nothing there. */
    if (there > LEFT || !__atomic_compare_exchange_n(&p->thread, &there, thread, 0,
                                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      continue;
    begin_to_count(p, store);
    __atomic_store_n(&p->store, store, __ATOMIC_RELAXED);
    __atomic_fetch_add(&memlift_stores_bound, 1, __ATOMIC_RELAXED);
    return 1;
  }
  return 0;
}

static void leave(void) {
  struct place *p = find();
  end_counting(p);
  __atomic_store_n(&p->store, NULL, __ATOMIC_RELAXED);
  __atomic_fetch_sub(&memlift_stores_bound, 1, __ATOMIC_RELAXED);
  /* Release: pairs with the acquire in enter(), of the next thread in this place. */
  __atomic_store_n(&p->thread, LEFT, __ATOMIC_RELEASE);
}
#elif MEMLIFT_HAVE_TASKS
/* Each hart knows its own. */
static int enter(struct memlift_store *store) {
  memlift_hart_self()->store = store;
  __atomic_fetch_add(&memlift_stores_bound, 1, __ATOMIC_RELAXED);
  return 1;
}

static void leave(void) {
  memlift_hart_self()->store = NULL;
  __atomic_fetch_sub(&memlift_stores_bound, 1, __ATOMIC_RELAXED);
}
#else
/* Such targets may have neither threads nor atomics: one store is all there is. */
static struct memlift_store *only;

struct memlift_store *memlift_store_find(void) { return only; }

static int enter(struct memlift_store *store) {
  only = store;
  memlift_stores_bound = 1;
  return 1;
}

static void leave(void) {
  only = NULL;
  memlift_stores_bound = 0;
}
#endif

void (*memlift_store_user_end)(struct memlift_store_user *user);
static void end_user(struct memlift_store_user *user);

memlift_status memlift_store_bind(struct memlift_local_store *store, void *memory, size_t size,
                                  uint32_t flags) {
  struct memlift_store *s = (struct memlift_store *)(void *)store;
  uintptr_t first = ((uintptr_t)memory + UNIT - 1) & ~(uintptr_t)(UNIT - 1);
  uintptr_t last = ((uintptr_t)memory + size) & ~(uintptr_t)(UNIT - 1);
  if (!store || !memory || (flags & ~MEMLIFT_STORE_CHECKED) || first >= last ||
      (last - first) / UNIT > UINT32_MAX)
    return MEMLIFT_INVALID_ARGUMENT;
  if (memlift_store_mine())
    return MEMLIFT_BUSY;
  if ((flags & MEMLIFT_STORE_CHECKED) && !memlift_mover_checked_works())
    return MEMLIFT_NOT_PRESENT;
  s->memory = (unsigned char *)first;
  s->units = (uint32_t)((last - first) / UNIT);
  s->entered = s->pieces = 0;
  /* Faults are read where `faulty` says so. Not the whole record: that would call memset. */
  s->own.number = s->own.left = s->own.loops = s->own.fenced = s->own.faulty = 0;
  s->user = &s->own;
  s->free = ALL_FREE;
  memlift_mover_engine_init(&s->engine);
  s->mover = &s->engine.mover;
  s->cpu = flags & MEMLIFT_STORE_CHECKED ? &memlift_mover_checked : &memlift_mover_cpu;
  __atomic_store_n(&memlift_store_user_end, end_user, __ATOMIC_RELAXED);
  return enter(s) ? MEMLIFT_OK : MEMLIFT_NO_RESOURCES;
}

memlift_status memlift_store_move_by(struct memlift_mover *mover) {
  struct memlift_store *s = memlift_store_mine();
  if (!s || s->free != ALL_FREE)
    return s ? MEMLIFT_BUSY : MEMLIFT_NOT_PRESENT;
  s->mover = mover;
  return MEMLIFT_OK;
}

static void remove_piece(struct memlift_store *s, uint32_t i) {
  for (s->pieces--; i < s->pieces; i++)
    s->piece[i] = s->piece[i + 1], s->owner[i] = s->owner[i + 1];
}

/* Frees the pieces of a user that has no transfer under way, and leaves the store, but for a loop
 * of another user that has blocked in it. */
static void forget(struct memlift_store *s, struct memlift_store_user *user, uint32_t entered) {
  for (uint32_t i = s->pieces; i-- > 0;)
    if (s->owner[i] == user->number)
      remove_piece(s, i);
  if (!entered || user->loops || user == &s->own)
    memlift_store_exit(s);
  user->left = user->loops = user->fenced = user->faulty = 0;
}

memlift_status memlift_store_unbind(void) {
  const struct memlift_store *s = memlift_store_mine();
  if (s && s->user != &s->own)
    return MEMLIFT_WRONG_SIDE; /* a task: the store is its unit's */
  memlift_status status = memlift_store_release();
  if (status == MEMLIFT_OK)
    leave();
  return status;
}

memlift_status memlift_store_release(void) {
  struct memlift_store *s = memlift_store_mine();
  if (!s)
    return MEMLIFT_NOT_PRESENT;
  uint32_t entered = s->entered; /* by a loop that was left, or that another task has blocked in */
  memlift_store_enter(s);
  memlift_slots_abort(s);
  forget(s, s->user, entered);
  return MEMLIFT_OK;
}

/* ---- Users ----------------------------------------------------------------------------------- */

struct memlift_store_user **memlift_store_users(void) {
  struct memlift_store *s = memlift_store_mine();
  return s ? &s->user : NULL;
}

static void end_user(struct memlift_store_user *user) {
  struct memlift_store *s = memlift_store_mine();
  if (!s)
    return;
  uint32_t entered = s->entered;
  memlift_store_enter(s);
  memlift_slots_drain(s, user);
  forget(s, user, entered);
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

/* Returns the first unit after piece number i - 1, which is where gap number i begins. */
static uint32_t gap_start(const struct memlift_store *s, uint32_t i) {
  return i ? s->piece[i - 1].end : 0;
}

static uint32_t gap_end(const struct memlift_store *s, uint32_t i) {
  return i < s->pieces ? s->piece[i].start : s->units;
}

/* Inserts a piece before number i. */
static void insert(struct memlift_store *s, uint32_t i, uint32_t start, uint32_t end) {
  for (uint32_t j = s->pieces++; j > i; j--)
    s->piece[j] = s->piece[j - 1], s->owner[j] = s->owner[j - 1];
  s->piece[i] = (struct memlift_store_piece){start, end};
  s->owner[i] = (uint16_t)s->user->number;
  s->user->left = 1;
}

void *memlift_store_take(struct memlift_store *s, size_t size, size_t alignment) {
  size_t units = size / UNIT + (size % UNIT != 0);
  uintptr_t align = alignment < UNIT ? UNIT : alignment, memory = (uintptr_t)s->memory;
  if (!size || (alignment & (alignment - 1)) || units > s->units ||
      s->pieces == MEMLIFT_STORE_PIECES)
    return NULL;
  for (uint32_t i = 0; i <= s->pieces; i++) {
    uintptr_t from = memory + gap_start(s, i) * UNIT, to = memory + gap_end(s, i) * UNIT;
    uintptr_t at = (from + align - 1) & ~(align - 1);
    if (at < from || at > to || (to - at) / UNIT < units)
      continue;
    uint32_t start = (uint32_t)((at - memory) / UNIT);
    insert(s, i, start, start + (uint32_t)units);
    return (void *)at;
  }
  return NULL;
}

void memlift_store_give(struct memlift_store *s, void *p) {
  for (uint32_t i = 0; i < s->pieces; i++) {
    if ((unsigned char *)p != s->memory + s->piece[i].start * UNIT)
      continue;
    remove_piece(s, i);
    return;
  }
}

size_t memlift_store_largest(const struct memlift_store *s) {
  uint32_t most = 0;
  if (s->pieces == MEMLIFT_STORE_PIECES)
    return 0;
  for (uint32_t i = 0; i <= s->pieces; i++) {
    uint32_t gap = gap_end(s, i) - gap_start(s, i);
    most = gap > most ? gap : most;
  }
  return most * UNIT;
}

void *memlift_store_alloc(size_t size, size_t alignment) {
  struct memlift_store *s = memlift_store_mine();
  if (!s || !memlift_store_enter(s))
    return NULL;
  void *p = memlift_store_take(s, size, alignment);
  memlift_store_exit(s);
  return p;
}

void memlift_store_free(void *p) {
  struct memlift_store *s = memlift_store_mine();
  if (!s || !memlift_store_enter(s))
    return;
  memlift_store_give(s, p);
  memlift_store_exit(s);
}

size_t memlift_store_left(void) {
  const struct memlift_store *s = memlift_store_mine();
  return s ? memlift_store_largest(s) : 0;
}
