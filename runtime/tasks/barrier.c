/* barrier.c - barriers in two steps: arrive, and wait for the others later
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The word is {complete rounds, arrivals}. Rounds have numbers, so that whoever is late for the
 * wait of a round does not hold up the next one.
 */
#include "../config.h"

#if MEMLIFT_HAVE_TASKS
#include "line.h"

static uint32_t rounds_of(uint64_t word) { return (uint32_t)(word >> 32); }
static uint32_t arrivals_of(uint64_t word) { return (uint32_t)word; }

memlift_status memlift_barrier_init(memlift_context *c, struct memlift_barrier *b, uint32_t total) {
  memlift_status status = memlift_context_known(c);
  if (status != MEMLIFT_OK || !total || !memlift_arena_has(c, b, sizeof *b))
    return status != MEMLIFT_OK ? status : MEMLIFT_INVALID_ARGUMENT;
  b->context = c, b->word = 0, b->total = total;
  memlift_line_init(&b->line);
  return MEMLIFT_OK;
}

/* Acquire: pairs with the release in notify, for all that was done before it. */
static int is_complete(const struct memlift_barrier *b, uint32_t round) {
  uint32_t complete = rounds_of(__atomic_load_n(&b->word, __ATOMIC_ACQUIRE));
  return (int32_t)(complete - round) >= 0;
}

/* Wakes those whose round is complete. With the lock. */
static void wake_round(struct memlift_barrier *b) {
  for (unsigned waiter = b->line.first, next; waiter != MEMLIFT_NOBODY; waiter = next) {
    struct memlift_waiter *w = &b->context->waiter[waiter];
    next = w->next;
    if (is_complete(b, w->want)) {
      memlift_line_remove(b->context, &b->line, waiter);
      memlift_wake(b->context, waiter, MEMLIFT_WAITS_OBJECT);
    }
  }
}

memlift_status memlift_barrier_notify(struct memlift_barrier *b, uint32_t *round) {
  if (!b || !round)
    return MEMLIFT_INVALID_ARGUMENT;
  uint64_t word = __atomic_load_n(&b->word, __ATOMIC_RELAXED), next;
  memlift_line_note(b->context, &b->line, MEMLIFT_LINE_BARRIER);
  do
    next = arrivals_of(word) + 1 == b->total ? (uint64_t)(rounds_of(word) + 1) << 32 : word + 1;
  /* Release: what this one has done is seen by all after the round; acquire: the last one passes
   * on what the others have done. */
  while (
      !__atomic_compare_exchange_n(&b->word, &word, next, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  *round = rounds_of(word) + 1;
  if (rounds_of(next) != rounds_of(word)) {
    memlift_line_lock(b->context, &b->line, MEMLIFT_LINE_BARRIER);
    wake_round(b);
    memlift_line_unlock(b->context, &b->line);
  } else
    memlift_line_note(b->context, NULL, MEMLIFT_LINE_NONE);
  return MEMLIFT_OK;
}

/* Whoever completes the round later takes the lock after this. */
static int is_over(struct memlift_line_wish *wish) {
  return is_complete((const struct memlift_barrier *)wish->object, wish->want);
}

memlift_status memlift_barrier_wait(struct memlift_barrier *b, uint32_t round, uint64_t ns) {
  if (!b)
    return MEMLIFT_INVALID_ARGUMENT;
  if (is_complete(b, round))
    return MEMLIFT_OK;
  if (ns == 0)
    return MEMLIFT_BUSY;
  struct memlift_line_wish wish = {.take = is_over, .object = b, .want = round};
  return memlift_line_wait(b->context, &b->line, MEMLIFT_LINE_BARRIER, ns, &wish);
}

/* ---- Burial ---------------------------------------------------- */

#if MEMLIFT_MAY_LOSE
void memlift_barrier_repair(struct memlift_barrier *b) { wake_round(b); }
#endif
#else
typedef int memlift_no_tasks; /* a translation unit must not be empty */
#endif
