/* meter.c - counts of all contexts, those that were destroyed included
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../engine/meter.h"
#include "context.h"

/* Counts of contexts that are gone. Any thread may destroy one, so they are added to atomically. */
static struct memlift_meters kept;

static uint64_t get(const uint64_t *counter) { return __atomic_load_n(counter, __ATOMIC_RELAXED); }

static void add_row(uint64_t row[MEMLIFT_METERS], const struct memlift_parker *p) {
  const uint64_t values[MEMLIFT_METERS] = {
      [MEMLIFT_METER_TASKS] = get(&p->ended),
      [MEMLIFT_METER_PULLS] = get(&p->pulls),
      [MEMLIFT_METER_EMPTY] = get(&p->empty),
      [MEMLIFT_METER_SWITCH] = get(&p->blocked) + get(&p->yielded),
      [MEMLIFT_METER_SLEEPS] = get(&p->sleeps),
      [MEMLIFT_METER_WAKES] = get(&p->wakes),
      [MEMLIFT_METER_MOVES] = get(&p->moves.transfers),
      [MEMLIFT_METER_BYTES] = get(&p->moves.bytes),
      [MEMLIFT_METER_WAITS] = get(&p->moves.waits),
  };
  for (unsigned i = 0; i < MEMLIFT_METERS; i++)
    if (values[i])
      __atomic_fetch_add(&row[i], values[i], __ATOMIC_RELAXED);
}

static void add_context(struct memlift_meters *out, const memlift_context *c) {
  struct memlift_task_counters sum;
  memlift_context_sum(c, &sum);
  /* All members are counters of 64 bits. */
  for (unsigned i = 0; i < sizeof sum / sizeof(uint64_t); i++)
    __atomic_fetch_add((uint64_t *)&out->tasks + i, ((const uint64_t *)&sum)[i], __ATOMIC_RELAXED);
  for (unsigned i = 0; i < MEMLIFT_PARKERS; i++)
    add_row(out->row[i < MEMLIFT_UNITS ? i : MEMLIFT_UNITS], &c->parker[i]);
}

void memlift_meter_keep(const memlift_context *c) { add_context(&kept, c); }

void memlift_meter_look(struct memlift_meters *out) {
  const uint64_t *from = (const uint64_t *)&kept;
  for (unsigned i = 0; i < sizeof kept / sizeof(uint64_t); i++)
    ((uint64_t *)out)[i] = get(&from[i]);
  for (unsigned i = 0; i < MEMLIFT_CONTEXTS; i++) {
    const memlift_context *c = memlift_context_at(i);
    if (c)
      add_context(out, c);
  }
  memlift_moves_add(out->row);
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
