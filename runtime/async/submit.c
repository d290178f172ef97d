/* submit.c - memlift_submit and memlift_submit_one: operations are checked, recorded and sent
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A call has three steps. Checks need no lock, except whether a token was ever given out. Then the
 * pages of operations for an engine are touched, while the thread holds nothing. Under the lock,
 * all operations of a list are recorded before one is sent, so that the engine gets them together
 * and a dependency within the list is known.
 *
 * An operation that no engine takes, and that need not wait for another one, is done at once by
 * this thread. So a token may be DONE when the call returns.
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../entry/operations.h"
#include "hub.h"
#include "touching.h"
#include "valid.h"

#include <errno.h>

/* ---- Checks -------------------------------------------------------------------------------- */

/* Returns 1 when all tokens that it comes after were given out once. With the lock. */
static int afters_are_tokens(const struct memlift_submission *s) {
  struct memlift_op *op;
  for (unsigned i = 0; i < MEMLIFT_AFTERS; i++)
    if (s->after[i].id && memlift_op_find(s->after[i].id, &op) == MEMLIFT_INVALID_ARGUMENT)
      return 0;
  return 1;
}

/* ---- One operation --------------------------------------------------------------------------- */

/* Fills in the request of an operation. Fills whose period divides 8 become 8-byte patterns; those
 * of period 3, 5, 6 and 7 stay as they are, for the CPU's kernel. */
static void describe(struct memlift_op *op, const struct memlift_submission *s,
                     const struct memlift_touching *t) {
  int fill = s->operation == MEMLIFT_SUBMIT_FILL;
  int sums = s->operation == MEMLIFT_SUBMIT_COPY_INET_SUM;
  int odd = fill && memlift_is_odd_period(s->period);
  op->job.whole.operation = fill ? MEMLIFT_OPERATION_FILL : MEMLIFT_OPERATION_COPY;
  op->job.whole.destination = s->destination;
  op->job.whole.source = fill ? NULL : s->source;
  op->job.whole.pattern = odd || !fill ? s->pattern : memlift_eight_bytes(s->pattern, s->period);
  op->job.whole.size = s->size;
  op->period = odd ? s->period : 0;
  op->any_size = (s->flags & MEMLIFT_SUBMITTED_ANY_SIZE) != 0;
  op->cpu_only = !memlift_touching_takes(t, s);
  op->sum = sums ? MEMLIFT_SHARE_LEFT : MEMLIFT_SHARE_NONE;
  op->sum_to = sums ? s->sum : NULL;
  op->init = s->init;
}

/* Records an operation in a free slot and gives it its stage. previous: token of its predecessor in
 * the list, or 0. */
static struct memlift_op *record(const struct memlift_submission *s, uint64_t previous,
                                 const struct memlift_touching *t) {
  struct memlift_op *op = memlift_op_new();
  uint64_t ids[MEMLIFT_LINKS];
  for (unsigned i = 0; i < MEMLIFT_AFTERS; i++)
    ids[i] = s->after[i].id;
  ids[MEMLIFT_AFTERS] = s->flags & MEMLIFT_SUBMITTED_AFTER_PREVIOUS ? previous : 0;
  describe(op, s, t);
  if (memlift_op_put_after(op, ids))
    memlift_op_set_stage(op, MEMLIFT_HELD);
  else if (op->doomed)
    memlift_op_over(op, MEMLIFT_DROPPED);
  else
    memlift_op_begin(op);
  return op;
}

/* ---- Many of them -------------------------------------------------------------------------- */

/* Returns element i of a list whose elements have the size that the caller was compiled with, so
 * that the struct may grow. Members beyond that size are 0. */
static struct memlift_submission element(const void *list, size_t size, unsigned i) {
  struct memlift_submission s = {0};
  const unsigned char *from = (const unsigned char *)list + i * size;
  memlift_cpu_copy(&s, from, size < sizeof s ? size : sizeof s);
  return s;
}

/* Checks that need the lock. A list fits as a whole or not at all. */
static memlift_status may_submit(const void *list, size_t size, unsigned count) {
  if (!memlift_hub_watch())
    return MEMLIFT_NO_RESOURCES;
  for (unsigned i = 0; i < count; i++) {
    struct memlift_submission s = element(list, size, i);
    if (!afters_are_tokens(&s))
      return MEMLIFT_INVALID_ARGUMENT;
  }
  return memlift_hub_free_slots() < count ? MEMLIFT_BUSY : MEMLIFT_OK;
}

/* Records all operations, then sends them: so the engine gets them together. Those that no engine
 * takes are done here, in their order. */
static void submit_all(const void *list, size_t size, unsigned count, memlift_token *tokens,
                       const struct memlift_touching *t) {
  for (unsigned i = 0; i < count; i++) {
    struct memlift_submission s = element(list, size, i);
    tokens[i].id = memlift_op_id(record(&s, i ? tokens[i - 1].id : 0, t));
  }
  memlift_hub_send();
  for (unsigned i = 0; i < count; i++) {
    memlift_op_work_now(&memlift_hub.op[tokens[i].id % MEMLIFT_TOKENS]);
  }
}

memlift_status memlift_submit(const struct memlift_submission *list, size_t size, unsigned count,
                              memlift_token *tokens) {
  if (!list || !tokens || size == 0 || count == 0 || count > MEMLIFT_TOKENS)
    return MEMLIFT_INVALID_ARGUMENT;
  for (unsigned i = 0; i < count; i++) {
    struct memlift_submission s = element(list, size, i);
    if (!memlift_submission_is_valid(&s))
      return MEMLIFT_INVALID_ARGUMENT;
  }
  int saved_errno = errno;
  struct memlift_touching touching = memlift_touching_begin();
  for (unsigned i = 0; i < count; i++) {
    struct memlift_submission s = element(list, size, i);
    if (memlift_touching_takes(&touching, &s))
      memlift_touching_meet(&touching, &s);
  }
  memlift_hub_lock();
  memlift_status status = may_submit(list, size, count);
  if (status == MEMLIFT_OK)
    submit_all(list, size, count, tokens, &touching);
  memlift_hub_unlock();
  errno = saved_errno;
  return status;
}

/* ---- One of them --------------------------------------------------------------------------- */

/* Records and sends one operation without a list: for memlift_submit_one and for begin.c. */
uint64_t memlift_hub_submit(const struct memlift_submission *s, const struct memlift_touching *t) {
  struct memlift_op *op = record(s, 0, t);
  uint64_t id = memlift_op_id(op);
  memlift_hub_send();
  memlift_op_work_now(op);
  return id;
}

/* Copies no list, unlike memlift_submit. */
memlift_status memlift_submit_one(const struct memlift_submission *s, memlift_token *token) {
  if (!token || !memlift_submission_is_valid(s))
    return MEMLIFT_INVALID_ARGUMENT;
  int saved_errno = errno;
  memlift_status status = MEMLIFT_OK;
  struct memlift_touching touching = memlift_touching_begin();
  if (memlift_touching_takes(&touching, s))
    memlift_touching_meet(&touching, s);
  memlift_hub_lock();
  if (!memlift_hub_watch())
    status = MEMLIFT_NO_RESOURCES;
  else if (!afters_are_tokens(s))
    status = MEMLIFT_INVALID_ARGUMENT;
  else if (!memlift_hub_free_slots())
    status = MEMLIFT_BUSY;
  if (status == MEMLIFT_OK)
    token->id = memlift_hub_submit(s, &touching);
  memlift_hub_unlock();
  errno = saved_errno;
  return status;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
