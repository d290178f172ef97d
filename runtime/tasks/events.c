/* events.c - 32 flags that are set and cleared, and waits for any or all of some
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The word is {bits, waiters}. While nobody waits, set and clear are one compare and exchange. With
 * waiters they take the lock of the line, and set goes through them in order; a wait joins under
 * the lock, after a last look at the bits.
 */
#include "../config.h"

#if MEMLIFT_HAVE_TASKS
#include "line.h"

static uint32_t bits_of(uint64_t word) { return (uint32_t)(word >> 32); }
static uint32_t waiters_of(uint64_t word) { return (uint32_t)word; }

memlift_status memlift_events_init(memlift_context *c, struct memlift_events *e, uint32_t how) {
  memlift_status status = memlift_context_known(c);
  if (status != MEMLIFT_OK || how > MEMLIFT_EVENTS_AUTO || !memlift_arena_has(c, e, sizeof *e))
    return status != MEMLIFT_OK ? status : MEMLIFT_INVALID_ARGUMENT;
  e->context = c, e->word = 0, e->how = how;
  memlift_line_init(&e->line);
  return MEMLIFT_OK;
}

/* Bits that end a wait; 0: none does. */
static uint32_t reasons(uint32_t bits, uint32_t mask, uint32_t how) {
  uint32_t set = bits & mask;
  return how == MEMLIFT_EVENTS_ALL && set != mask ? 0 : set;
}

/* Ends a wait by the bits that are set, or counts it as a waiter if `joins`; returns the bits. */
static uint32_t take(struct memlift_events *e, uint32_t mask, uint32_t how, int joins) {
  uint64_t word = __atomic_load_n(&e->word, __ATOMIC_RELAXED), next;
  uint32_t got;
  do {
    got = reasons(bits_of(word), mask, how);
    next = got ? word & ~(e->how == MEMLIFT_EVENTS_AUTO ? (uint64_t)got << 32 : 0) : word + joins;
    /* Acquire: pairs with the release in set. */
  } while (
      !__atomic_compare_exchange_n(&e->word, &word, next, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
  return got;
}

/* Takes bits for a waiter of the line, which are noted before: if this unit is lost in between,
 * they are put back (memlift_events_repair). Returns what is to be put back if the waiter is not
 * woken. */
static uint64_t take_for(struct memlift_events *e, struct memlift_waiter *w) {
  uint64_t word = __atomic_load_n(&e->word, __ATOMIC_RELAXED), taken;
  do {
    w->got = reasons(bits_of(word), w->want, w->how);
    taken = e->how == MEMLIFT_EVENTS_AUTO ? (uint64_t)w->got << 32 : 0;
  } while (taken && !__atomic_compare_exchange_n(&e->word, &word, word & ~taken, 0,
                                                 __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return taken;
}

/* Ends the waits that the bits end, in order. With the lock. */
static void serve(struct memlift_events *e) {
  memlift_context *c = e->context;
  for (unsigned waiter = e->line.first, next; waiter != MEMLIFT_NOBODY; waiter = next) {
    struct memlift_waiter *w = &c->waiter[waiter];
    next = w->next;
    uint64_t taken = take_for(e, w);
    if (!w->got)
      continue;
    memlift_line_remove(c, &e->line, waiter);
    /* The bits are gone before the waiter is, who may look again at once. It counts until then, so
     * that bits are set and cleared with the lock, and what was taken for one whose time is over
     * can be put back. */
    uint64_t back = memlift_wake(c, waiter, MEMLIFT_WAITS_OBJECT) ? 0 : taken;
    __atomic_fetch_add(&e->word, back - 1, __ATOMIC_RELAXED);
  }
}

memlift_status memlift_events_set(struct memlift_events *e, uint32_t bits) {
  if (!e)
    return MEMLIFT_INVALID_ARGUMENT;
  uint64_t word = __atomic_load_n(&e->word, __ATOMIC_RELAXED);
  while (!waiters_of(word))
    /* Release: pairs with the acquire of who waits. */
    if (__atomic_compare_exchange_n(&e->word, &word, word | (uint64_t)bits << 32, 0,
                                    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
      return MEMLIFT_OK;
  memlift_line_lock(e->context, &e->line, MEMLIFT_LINE_EVENTS);
  /* Release: as above. */
  __atomic_fetch_or(&e->word, (uint64_t)bits << 32, __ATOMIC_RELEASE);
  serve(e);
  memlift_line_unlock(e->context, &e->line);
  return MEMLIFT_OK;
}

memlift_status memlift_events_clear(struct memlift_events *e, uint32_t bits) {
  if (!e)
    return MEMLIFT_INVALID_ARGUMENT;
  uint64_t word = __atomic_load_n(&e->word, __ATOMIC_RELAXED), mask = ~((uint64_t)bits << 32);
  while (!waiters_of(word))
    if (__atomic_compare_exchange_n(&e->word, &word, word & mask, 0, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
      return MEMLIFT_OK;
  memlift_line_lock(e->context, &e->line, MEMLIFT_LINE_EVENTS);
  __atomic_fetch_and(&e->word, mask, __ATOMIC_RELAXED);
  memlift_line_unlock(e->context, &e->line);
  return MEMLIFT_OK;
}

static int take_wish(struct memlift_line_wish *wish) {
  wish->got = take((struct memlift_events *)wish->object, wish->want, wish->how, 1);
  return wish->got != 0;
}

/* Waits in earnest; the bits go to *got. */
static memlift_status sleep_for(struct memlift_events *e, uint32_t mask, uint32_t how, uint64_t ns,
                                uint32_t *got) {
  struct memlift_line_wish wish = {
      .take = take_wish, .object = e, .count = &e->word, .want = mask, .how = how};
  memlift_status status = memlift_line_wait(e->context, &e->line, MEMLIFT_LINE_EVENTS, ns, &wish);
  *got = wish.got;
  return status;
}

memlift_status memlift_events_wait(struct memlift_events *e, uint32_t mask, uint32_t how,
                                   uint64_t ns, uint32_t *bits) {
  if (!e || !mask || how > MEMLIFT_EVENTS_ALL)
    return MEMLIFT_INVALID_ARGUMENT;
  memlift_status status = MEMLIFT_OK;
  uint32_t got = take(e, mask, how, 0);
  if (!got)
    status = ns == 0 ? MEMLIFT_BUSY : sleep_for(e, mask, how, ns, &got);
  if (status == MEMLIFT_OK && bits)
    *bits = got;
  return status;
}

/* ---- Burial ---------------------------------------------------- */

#if MEMLIFT_MAY_LOSE
/* Bits that were taken for waiters that still wait. They may be set already, as whoever noted them
 * may not have taken them. */
static uint64_t taken_in_vain(struct memlift_events *e) {
  const memlift_context *c = e->context;
  uint32_t bits = 0;
  for (unsigned i = e->line.first; i != MEMLIFT_NOBODY; i = c->waiter[i].next)
    bits |= c->waiter[i].got;
  return e->how == MEMLIFT_EVENTS_AUTO ? (uint64_t)bits << 32 : 0;
}

void memlift_events_repair(struct memlift_events *e, uint32_t waiters) {
  uint64_t word = __atomic_load_n(&e->word, __ATOMIC_RELAXED), taken = taken_in_vain(e);
  /* Acquire and release: pairs with those who set bits and those who take them. */
  while (!__atomic_compare_exchange_n(&e->word, &word,
                                      ((word | taken) & ~(uint64_t)UINT32_MAX) | waiters, 0,
                                      __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    ;
  serve(e);
}

void memlift_events_give_back(struct memlift_events *e, uint32_t bits) {
  if (e->how == MEMLIFT_EVENTS_AUTO) /* release: pairs with the acquire of who takes them */
    __atomic_fetch_or(&e->word, (uint64_t)bits << 32, __ATOMIC_RELEASE);
  serve(e);
}
#endif
#else
typedef int memlift_no_tasks; /* a translation unit must not be empty */
#endif
