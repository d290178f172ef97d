/* pull.c - taking the most urgent task that is ready, and of those the first one
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A pull goes through the marked priorities, the most urgent first, and through the ring of each
 * from its head to its end. A compare and exchange of the word takes a task; the entry is left as
 * it is. Tasks that others have to run are passed over.
 *
 * While a task stays ready for more than a cycle, as its unit does not come, the head stays there,
 * too. Then the pull compares the tickets of all places, rather than going through all tickets.
 */
#include "../config.h"

#if MEMLIFT_HAVE_TASKS
#include "context.h"

/* Results of looking at a ticket. */
enum found {
  END,     /* it has not been given out */
  NOTHING, /* its task has been taken, or it was skipped */
  OTHERS,  /* its task is for others */
  TAKEN    /* taken by this call */
};

/* The task may be no more, and its place be given to another one meanwhile: then what is found here
 * does not matter, as the word is not the one that was read, either. */
static int may_run(const struct memlift_slot *slot, uint64_t word,
                   const struct memlift_parker *me) {
  unsigned unit = memlift_word_unit(word);
  if (!memlift_is_unit(me))
    return __atomic_load_n(&slot->hosts, __ATOMIC_RELAXED) != 0;
  return unit == MEMLIFT_NO_UNIT ? __atomic_load_n(&slot->may, __ATOMIC_RELAXED) >> me->number & 1
                                 : unit == me->number;
}

/* Looks at a ticket, and tries to take its task. */
static enum found look(memlift_context *c, struct memlift_parker *me, unsigned priority,
                       uint64_t ticket, struct memlift_slot **taken) {
  unsigned place = ticket % MEMLIFT_PLACES;
  uint64_t entry = __atomic_load_n(&c->ring[priority].entry[place], __ATOMIC_SEQ_CST);
  if (memlift_entry_cycle(entry) < memlift_cycle_of_ticket(ticket))
    return END;
  if (memlift_entry_ticket(entry, place) != ticket)
    return NOTHING;
  struct memlift_slot *slot = &c->slot[memlift_entry_slot(entry)];
  uint64_t word = __atomic_load_n(&slot->word, __ATOMIC_RELAXED), next;
  do {
    if (!memlift_word_is_ready(word, priority, ticket))
      return NOTHING;
    if (!may_run(slot, word, me))
      return OTHERS;
    next = memlift_word_with_unit(memlift_word_with_state(word, MEMLIFT_TASK_RUNNING),
                                  memlift_is_unit(me) ? me->number : MEMLIFT_ON_HOST);
    /* Acquire: pairs with the release in make_ready, for the arguments. */
  } while (!__atomic_compare_exchange_n(&slot->word, &word, next, 0, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED));
  *taken = slot;
  return TAKEN;
}

/* The first ticket that was not given out when this was called, or a later one. */
static uint64_t end_of(const memlift_context *c, unsigned priority) {
  uint64_t ticket = MEMLIFT_PLACES + __atomic_load_n(&c->ring[priority].tail, __ATOMIC_RELAXED);
  while (memlift_entry_cycle(__atomic_load_n(&c->ring[priority].entry[ticket % MEMLIFT_PLACES],
                                             __ATOMIC_SEQ_CST)) >= memlift_cycle_of_ticket(ticket))
    ticket++;
  return ticket;
}

/* The lowest ticket, from `from` on and below `end`, whose task is ready; and for this parker,
 * unless that is NULL. `end` if there is none. */
static uint64_t find_first(memlift_context *c, const struct memlift_parker *me, unsigned priority,
                           uint64_t from, uint64_t end) {
  uint64_t first = end;
  for (unsigned place = 0; place < MEMLIFT_PLACES; place++) {
    uint64_t entry = __atomic_load_n(&c->ring[priority].entry[place], __ATOMIC_SEQ_CST);
    uint64_t ticket = memlift_entry_ticket(entry, place);
    const struct memlift_slot *slot = &c->slot[memlift_entry_slot(entry)];
    if (!entry || ticket < from || ticket >= first)
      continue;
    uint64_t word = __atomic_load_n(&slot->word, __ATOMIC_RELAXED);
    if (memlift_word_is_ready(word, priority, ticket) && (!me || may_run(slot, word, me)))
      first = ticket;
  }
  return first;
}

/* Tickets from a limit on are left to what is kept, which there is not on a board. */
#define NO_LIMIT UINT64_MAX
#define IS_BELOW(ticket, limit) (MEMLIFT_BARE || (ticket) < (limit))

/* Takes the first as take_first does, where the head is more than a cycle behind. Tickets from the
 * end on do not count: their entries may come after this has passed the place of an earlier one. */
static enum found take_first_by_ticket(memlift_context *c, struct memlift_parker *me,
                                       unsigned priority, uint64_t limit,
                                       struct memlift_slot **taken) {
  uint64_t end = end_of(c, priority);
  end = IS_BELOW(end, limit) ? end : limit;
  for (uint64_t ticket = 0; (ticket = find_first(c, me, priority, ticket, end)) != end; ticket++)
    if (look(c, me, priority, ticket, taken) == TAKEN)
      return TAKEN;
  /* No task of a lower ticket is ready, now or later. */
  uint64_t first = find_first(c, NULL, priority, 0, end);
  __atomic_store_n(&c->ring[priority].head, first - MEMLIFT_PLACES, __ATOMIC_RELAXED);
  return OTHERS;
}

/* Takes the first task of a ring with a ticket below the limit. END: there is none, for nobody. */
static enum found take_first(memlift_context *c, struct memlift_parker *me, unsigned priority,
                             uint64_t limit, struct memlift_slot **taken) {
  struct memlift_ring *ring = &c->ring[priority];
  uint64_t head = MEMLIFT_PLACES + __atomic_load_n(&ring->head, __ATOMIC_RELAXED), first = head;
  uint64_t tail = MEMLIFT_PLACES + __atomic_load_n(&ring->tail, __ATOMIC_RELAXED);
  enum found found = NOTHING;
  if (tail > head + MEMLIFT_PLACES)
    return take_first_by_ticket(c, me, priority, limit, taken);
  int complete = 1; /* nothing is left below `first` */
  for (uint64_t ticket = head; found != TAKEN && IS_BELOW(ticket, limit); ticket++) {
    found = look(c, me, priority, ticket, taken);
    if (found == END)
      break;
    complete = complete && found != OTHERS;
    if (complete)
      first = ticket + 1;
  }
  /* Relaxed: it only tells what is true for ever, so any order of stores is right. */
  if (first != head)
    __atomic_store_n(&ring->head, first - MEMLIFT_PLACES, __ATOMIC_RELAXED);
  return found == END && !complete ? OTHERS : found;
}

/* Takes the mark of a ring away that was found empty, and looks again: an entry may have come
 * before that, by somebody who saw the mark. */
static enum found unmark(memlift_context *c, struct memlift_parker *me, unsigned priority,
                         struct memlift_slot **taken) {
  __atomic_fetch_and(&c->map[priority / 64], ~memlift_mark_of(priority), __ATOMIC_SEQ_CST);
  enum found found = take_first(c, me, priority, NO_LIMIT, taken);
  if (found != END) {
    memlift_mark_priority(c, priority);
    memlift_wake_all(c); /* who looked at the marks meanwhile may sleep now */
  }
  return found;
}

static struct memlift_slot *try_priority(memlift_context *c, struct memlift_parker *me,
                                         unsigned priority) {
  struct memlift_slot *taken = NULL;
  if (take_first(c, me, priority, NO_LIMIT, &taken) == END)
    unmark(c, me, priority, &taken);
  return taken;
}

/* ---- Ageing ---------------------------------------------------- */

/* Small units take strict priorities for an ageing in which no pull is counted. */
#define AGES(c) (!MEMLIFT_SMALL || ((c)->flags & MEMLIFT_CONTEXT_AGEING))

/* The marked priority of the highest rank, at least `least`, and it is unmarked in the copy; -1:
 * none. */
static int highest_rank(const memlift_context *c, uint64_t map[MEMLIFT_PRIORITIES / 64],
                        uint64_t now, unsigned least) {
  int best = -1;
  uint64_t rank = 0;
  for (int word = MEMLIFT_PRIORITIES / 64 - 1; word >= 0 && (best < 0 || AGES(c)); word--)
    for (uint64_t bits = map[word]; bits && (best < 0 || AGES(c)); bits &= bits - 1) {
      int priority = (int)memlift_marked((unsigned)word, bits);
      uint64_t since = __atomic_load_n(&c->ring[priority].since, __ATOMIC_RELAXED);
      uint64_t its = (uint64_t)priority + (now > since ? now - since : 0) / MEMLIFT_AGEING;
      if (best < 0 || its > rank)
        best = priority, rank = its;
    }
  if (rank < least)
    return -1;
  if (best >= 0)
    map[best / 64] &= ~memlift_mark_of((unsigned)best);
  return best;
}

static MEMLIFT_SELDOM struct memlift_slot *pull_aged(memlift_context *c, struct memlift_parker *me,
                                                     unsigned least) {
  uint64_t map[MEMLIFT_PRIORITIES / 64], now = __atomic_load_n(&c->aged, __ATOMIC_RELAXED);
  for (unsigned i = 0; i < MEMLIFT_PRIORITIES / 64; i++)
    map[i] = __atomic_load_n(&c->map[i], __ATOMIC_SEQ_CST);
  for (int priority; (priority = highest_rank(c, map, now, least)) >= 0;) {
    struct memlift_slot *taken = try_priority(c, me, (unsigned)priority);
    if (taken) {
      if (AGES(c)) {
        now = __atomic_add_fetch(&c->aged, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&c->ring[priority].since, now, __ATOMIC_RELAXED);
      }
      return taken;
    }
  }
  return NULL;
}

#if MEMLIFT_SMALL
struct memlift_slot *memlift_pull(memlift_context *c, struct memlift_parker *me, unsigned least) {
  struct memlift_slot *taken = pull_aged(c, me, least);
  if (!taken)
    memlift_tally(&me->empty);
  return taken;
}
#else
/* ---- Strict priorities ---------------------------------------------------- */

/* Goes through the marked priorities from those of word `i` of the map on. */
static MEMLIFT_SELDOM struct memlift_slot *pull_from(memlift_context *c, struct memlift_parker *me,
                                                     unsigned least, int i) {
  struct memlift_slot *taken = NULL;
  for (; i >= 0 && !taken; i--)
    for (uint64_t marks = __atomic_load_n(&c->map[i], __ATOMIC_SEQ_CST); marks && !taken;
         marks &= marks - 1) {
      unsigned priority = memlift_marked((unsigned)i, marks);
      if (priority < least)
        return NULL;
      taken = try_priority(c, me, priority);
    }
  return taken;
}

/* Takes the task of the head's ticket, where nothing is in the way: it has an entry of its own, its
 * task is ready, and the parker may run it. NULL: it has to be looked at closely. */
MEMLIFT_OFTEN struct memlift_slot *take_head(memlift_context *c, const struct memlift_parker *me,
                                             unsigned priority) {
  struct memlift_ring *ring = &c->ring[priority];
  uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_RELAXED), ticket = head + MEMLIFT_PLACES;
  /* Acquire: pairs with who has written it, for what the task is. */
  uint64_t entry = __atomic_load_n(&ring->entry[ticket % MEMLIFT_PLACES], __ATOMIC_ACQUIRE);
  struct memlift_slot *slot = &c->slot[memlift_entry_slot(entry)];
  uint64_t word = __atomic_load_n(&slot->word, __ATOMIC_RELAXED);
  unsigned unit = memlift_word_unit(word);
  /* The host of a board is the exception, and takes the long way. */
  unsigned mine = MEMLIFT_BARE || memlift_is_unit(me) ? me->number : MEMLIFT_ON_HOST;
  if (entry >> 12 != memlift_entry(ticket, 0) >> 12 || (MEMLIFT_BARE && !memlift_is_unit(me)) ||
      !memlift_word_is_ready(word, priority, ticket) || !may_run(slot, word, me))
    return NULL;
  uint64_t next = word + (MEMLIFT_TASK_RUNNING - MEMLIFT_TASK_READY) +
                  ((uint64_t)mine - unit) * ((uint64_t)1 << 8);
  /* Acquire: as in look. */
  if (!__atomic_compare_exchange_n(&slot->word, &word, next, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    return NULL;
  __atomic_store_n(&ring->head, head + 1, __ATOMIC_RELAXED); /* as in take_first */
  return slot;
}

/* Pulls a task where the head of the most urgent ring has none for this parker. */
static MEMLIFT_SELDOM struct memlift_slot *
pull_closely(memlift_context *c, struct memlift_parker *me, unsigned least, int i) {
  struct memlift_slot *taken =
      c->flags & MEMLIFT_CONTEXT_AGEING ? pull_aged(c, me, least) : pull_from(c, me, least, i);
  if (!taken)
    memlift_tally(&me->empty);
  memlift_tell_of_last_end(c, me);
  return taken;
}

/* Wakes those who wait for the end of `before`, and passes `taken` on. */
static MEMLIFT_SELDOM struct memlift_slot *
tell_of(memlift_context *c, const struct memlift_slot *before, struct memlift_slot *taken) {
  memlift_wake_awaiting(c, memlift_slot_number(c, before));
  return taken;
}

_Static_assert(MEMLIFT_PRIORITIES == 4 * 64, "most_urgent has a line for each word of the map");

/* The first word of the map with marks, in *marks: they are loaded with no order among each other.
 * What they lead to is looked at closely where it is not as expected. */
MEMLIFT_OFTEN unsigned most_urgent(const memlift_context *c, uint64_t *marks) {
  memlift_before_loads();
  if ((*marks = MEMLIFT_LOAD_LATER(&c->map[3])) != 0)
    return 3;
  if ((*marks = MEMLIFT_LOAD_LATER(&c->map[2])) != 0)
    return 2;
  if ((*marks = MEMLIFT_LOAD_LATER(&c->map[1])) != 0)
    return 1;
  *marks = MEMLIFT_LOAD_LATER(&c->map[0]);
  return 0;
}

/* ---- Tasks that are kept ---------------------------------------------------- */

#if !MEMLIFT_BARE
int memlift_keep(const memlift_context *c, struct memlift_parker *me, struct memlift_slot *slot) {
  struct memlift_kept *kept = &me->kept;
  uint64_t word = __atomic_load_n(&slot->word, __ATOMIC_RELAXED);
  unsigned priority = memlift_word_priority(word);
  uint32_t count = kept->end - kept->first;
  if (memlift_word_unit(word) != me->number || me->context != c || memlift_may_lose(c) ||
      (c->flags & MEMLIFT_CONTEXT_AGEING) || count == MEMLIFT_KEPT ||
      (count && kept->priority != priority))
    return 0;
  kept->priority = priority;
  kept->task[kept->end++ % MEMLIFT_KEPT] = (struct memlift_kept_task){slot, end_of(c, priority)};
  /* Relaxed: to others it is a task under way, before and after. */
  __atomic_store_n(&slot->word, memlift_word_with_state(word, MEMLIFT_TASK_RUNNING),
                   __ATOMIC_RELAXED);
  return 1;
}

/* Pulls where tasks are kept: of their priority all with lower tickets come before them. */
static __attribute__((noinline)) struct memlift_slot *
pull_kept(memlift_context *c, struct memlift_parker *me, unsigned least) {
  struct memlift_kept *kept = &me->kept;
  struct memlift_kept_task first = kept->task[kept->first % MEMLIFT_KEPT];
  const struct memlift_ring *ring = &c->ring[kept->priority];
  struct memlift_slot *taken = NULL;
  uint64_t marks;
  unsigned word = most_urgent(c, &marks);
  if (marks && memlift_marked(word, marks) > kept->priority)
    taken = pull_from(c, me, kept->priority < least ? least : kept->priority + 1, (int)word);
  if (!taken && kept->priority >= least) {
    /* Relaxed: as in take_first. */
    if (__atomic_load_n(&ring->head, __ATOMIC_RELAXED) + MEMLIFT_PLACES < first.before)
      take_first(c, me, kept->priority, first.before, &taken);
    if (!taken)
      taken = first.slot, kept->first++;
  }
  if (!taken)
    memlift_tally(&me->empty);
  memlift_tell_of_last_end(c, me);
  return taken;
}
#endif

struct memlift_slot *memlift_pull(memlift_context *c, struct memlift_parker *me, unsigned least) {
  uint64_t marks;
#if !MEMLIFT_BARE
  if (me->kept.first != me->kept.end)
    return pull_kept(c, me, least);
#endif
  if (c->flags & MEMLIFT_CONTEXT_AGEING)
    return pull_closely(c, me, least, 0);
  unsigned word = most_urgent(c, &marks), priority = marks ? memlift_marked(word, marks) : 0;
  if (!marks || priority < least) {
    memlift_tally(&me->empty);
    memlift_tell_of_last_end(c, me);
    return NULL;
  }
  struct memlift_slot *taken = take_head(c, me, priority);
  const struct memlift_slot *before = me->ended_last;
  if (!taken)
    return pull_closely(c, me, least, (int)word);
  if (!MEMLIFT_EXCHANGE_ORDERS || !before)
    return taken;
  /* As memlift_tell_of_end, with the exchange of the word for the barrier. */
  me->ended_last = NULL;
  return __atomic_load_n(&before->awaited, __ATOMIC_RELAXED) ? tell_of(c, before, taken) : taken;
}
#endif
#else
typedef int memlift_no_tasks; /* a translation unit must not be empty */
#endif
