/* touching.c - touches the pages of submitted operations before the lock is taken
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An access to a missing page raises a signal, and its handler may leave by longjmp: so no page may
 * be accessed for the first time under the lock or by an engine. touch.h states the contract.
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../engine/session.h"
#include "../engine/touch.h"
#include "../entry/operations.h"
#include "touching.h"

struct memlift_touching memlift_touching_begin(void) {
  /* Acquire: pairs with the store that made a started engine active. */
  struct memlift_touching t = {__atomic_load_n(&memlift_engine_active, __ATOMIC_ACQUIRE),
                               __atomic_load_n(&memlift_engine_min, __ATOMIC_RELAXED)};
  /* The process need not be compared: the hub is told of forks. An engine of one thread has to be
   * asked. */
  if (t.engine && t.engine->one_thread && !memlift_session_is_mine(t.engine))
    t.engine = NULL;
  return t;
}

/* Fills of period 3, 5, 6 and 7 fit no engine, and a copy onto itself changes nothing. */
int memlift_touching_takes(const struct memlift_touching *t, const struct memlift_submission *s) {
  if (!t->engine || s->size == 0)
    return 0;
  if (s->operation == MEMLIFT_SUBMIT_FILL ? memlift_is_odd_period(s->period)
                                          : s->destination == s->source)
    return 0;
  return (s->flags & MEMLIFT_SUBMITTED_ANY_SIZE) || s->size >= t->min;
}

/* Returns 1 when the operation names a token, or its predecessor in the batch. */
static int comes_after(const struct memlift_submission *s) {
  uint64_t any = s->flags & MEMLIFT_SUBMITTED_AFTER_PREVIOUS;
  for (unsigned i = 0; i < MEMLIFT_AFTERS; i++)
    any |= s->after[i].id;
  return any != 0;
}

void memlift_touching_meet(const struct memlift_touching *t, const struct memlift_submission *s) {
  if (t->engine->cpu) /* memory is the model's */
    return;
  int fill = s->operation == MEMLIFT_SUBMIT_FILL;
  struct memlift_request whole = {fill ? MEMLIFT_OPERATION_FILL : MEMLIFT_OPERATION_COPY,
                                  s->destination, fill ? NULL : s->source,
                                  fill ? memlift_eight_bytes(s->pattern, s->period) : 0, s->size};
  /* An operation that comes first may be written to now; one that comes after others may not change
   * a byte yet. */
  if (comes_after(s))
    memlift_touch_unchanged(&whole);
  else
    memlift_touch(&whole);
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
