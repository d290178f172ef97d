/* park.c - sleeping while nothing is ready, and waking one sleeper for each task
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A parker that finds no task sets its idle bit, looks once more, and sleeps on its own bell. Who
 * makes a task ready looks at the idle bits after that, takes the bit of one sleeper that may run
 * the task, and rings its bell. So each task wakes one sleeper, and that one may run it.
 *
 * A parker may find a task in its last look, after somebody has taken its bit: the task for which
 * it was chosen may be another. Then it passes the wake-up on, to all sleepers, as it does not know
 * who may run it.
 */
#include "../config.h"

#if MEMLIFT_HAVE_TASKS
#include "context.h"

/* Longest sleep without a look, should a notification ever get lost. */
#define MOST_NS 1000000000u

void memlift_ring_bell(memlift_context *c, unsigned parker) {
  __atomic_fetch_add(&c->parker[parker].wakes, 1, __ATOMIC_RELAXED);
#if !MEMLIFT_BARE
  if (memlift_has_processes(c)) {
    memlift_event_notify_shared(&c->parker[parker].bell);
    return;
  }
#endif
  memlift_event_notify(&c->parker[parker].bell);
}

/* Waits for the next notification of the caller. */
static void wait_for_bell(const memlift_context *c, struct memlift_parker *me, uint32_t seen,
                          uint64_t ns) {
#if !MEMLIFT_BARE
  if (memlift_has_processes(c)) {
    memlift_event_wait_shared(&me->bell, seen, ns);
    return;
  }
#endif
  (void)c;
  memlift_event_wait(&me->bell, seen, ns);
}

/* Takes the idle bit of one of `may`, and wakes that parker. */
static int wake_one(memlift_context *c, unsigned word, uint64_t may) {
  for (;;) {
    uint64_t idle = __atomic_load_n(&c->idle[word], __ATOMIC_SEQ_CST) & may;
    if (!idle)
      return 0;
    uint64_t bit = idle & (~idle + 1);
    if (__atomic_fetch_and(&c->idle[word], ~bit, __ATOMIC_SEQ_CST) & bit) {
      memlift_ring_bell(c, 64 * word + memlift_lowest_bit(bit));
      return 1;
    }
  }
}

void memlift_wake_for(memlift_context *c, const struct memlift_slot *slot, unsigned unit) {
  if (wake_one(c, 0, unit < MEMLIFT_UNITS ? (uint64_t)1 << unit : slot->may))
    return;
  for (unsigned word = 1; slot->hosts && word < MEMLIFT_PARKER_WORDS; word++)
    if (wake_one(c, word, UINT64_MAX))
      return;
}

static void wake_from(memlift_context *c, unsigned word) {
  for (; word < MEMLIFT_PARKER_WORDS; word++)
    while (wake_one(c, word, UINT64_MAX))
      ;
}

void memlift_wake_all(memlift_context *c) { wake_from(c, 0); }
void memlift_wake_hosts(memlift_context *c) { wake_from(c, 1); }

/* Nanoseconds to sleep. */
static uint64_t time_left(const memlift_context *c, uint64_t deadline) {
  uint64_t next = __atomic_load_n(&c->next_deadline, __ATOMIC_RELAXED);
  uint64_t now = 0;
  deadline = next < deadline ? next : deadline;
  if (deadline == UINT64_MAX)
    return MOST_NS;
  now = memlift_now();
  if (deadline <= now)
    return 0;
  return deadline - now < MOST_NS ? deadline - now : MOST_NS;
}

struct memlift_slot *memlift_park(memlift_context *c, struct memlift_parker *me, uint64_t deadline,
                                  int (*last_look)(memlift_context *, struct memlift_parker *)) {
  uint64_t *idle = &c->idle[me->number / 64], bit = (uint64_t)1 << me->number % 64;
  uint32_t seen = memlift_event_read(&me->bell);
  __atomic_fetch_or(idle, bit, __ATOMIC_SEQ_CST);
  struct memlift_slot *slot = memlift_pull(c, me, 0);
  int stays = slot || last_look(c, me);
  if (!stays) {
    uint64_t left = time_left(c, deadline);
    uint64_t since = me->track ? memlift_now() : 0;
    memlift_tally(&me->sleeps);
    if (left)
      wait_for_bell(c, me, seen, left);
    if (me->track)
      memlift_trace(me->track, MEMLIFT_SPAN_SLEEP, since, memlift_now(), 0, NULL);
  }
  if (!(__atomic_fetch_and(idle, ~bit, __ATOMIC_SEQ_CST) & bit) && stays)
    memlift_wake_all(c);
  return slot;
}
#else
typedef int memlift_no_tasks; /* a translation unit must not be empty */
#endif
