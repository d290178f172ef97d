/* wait.c - memlift_wait and the others: a thread that waits makes progress and does the CPU's part
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * No thread of the library works on an operation, so a wait is also a pump: collect what the engine
 * has completed, submit more, do a chunk of the CPU's part, and sleep only when none of these is
 * possible. The work need not be for the operation that is waited for: it may be for one that it
 * comes after.
 *
 * A call for a token that is DONE takes no lock: it collects by compare-and-swap (hub.c). All
 * others hold back signals for as long as they hold the lock or do a chunk.
 *
 * Cancelling waits as well, until engine and CPU have let the operation go: only then may the
 * caller use the memory again. A caller that leaves meanwhile leaves an operation that ends by
 * itself.
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "hub.h"

#include <errno.h>

/* Arguments and state of a call that waits. */
struct waiting {
  const memlift_token *tokens;
  unsigned count;
  uint64_t nanoseconds, start; /* limit, UINT64_MAX for none; begin of the wait if there is one */
  uint64_t signals;            /* the caller's mask, restored while the call sleeps */
};

/* Bytes of a chunk, after which the clock is read again. With a limit: 25 us at 10 GB/s. Without:
 * as many as copies need to use their method for large sizes. */
#define LIMITED_CHUNK ((size_t)256 << 10)
#define CHUNK ((size_t)16 << 20)

static int is_limited(const struct waiting *w) { return w->nanoseconds != UINT64_MAX; }

/* Returns the nanoseconds that are left; 0: the time is up. */
static uint64_t time_left(const struct waiting *w) {
  if (!is_limited(w) || w->nanoseconds == 0)
    return w->nanoseconds;
  uint64_t waited = memlift_now() - w->start;
  return waited < w->nanoseconds ? w->nanoseconds - waited : 0;
}

/* ---- Collecting ---------------------------------------------------------------------------- */

/* Collects the first token whose operation is over. PENDING: none is; COLLECTED: none will be.
 * Without the lock, cancelled ones are passed over: their collection needs it. */
static memlift_status collect(const struct waiting *w, int locked, unsigned *which) {
  memlift_status status = MEMLIFT_COLLECTED;
  struct memlift_op *op;
  for (unsigned i = 0; i < w->count; i++) {
    uint64_t id = w->tokens[i].id;
    memlift_status found = id ? memlift_op_find(id, &op) : MEMLIFT_COLLECTED;
    if (found == MEMLIFT_INVALID_ARGUMENT)
      return found;
    if (found == MEMLIFT_COLLECTED)
      continue;
    if (memlift_op_collect_done(op, id)) {
      *which = i;
      return MEMLIFT_OK;
    }
    if (locked && memlift_op_stage(op) == MEMLIFT_DROPPED) {
      *which = i;
      return memlift_op_collect(op, id);
    }
    if (memlift_op_id(op) == id && memlift_op_stage(op) != MEMLIFT_FREE)
      status = MEMLIFT_PENDING;
  }
  return status;
}

/* ---- Waiting ------------------------------------------------------------------------------- */

/* Does a chunk for one of the tokens; 0: there is nothing to do, and *op is an operation to sleep
 * for. */
static int work(const struct waiting *w, struct memlift_op **op) {
  size_t most = is_limited(w) ? LIMITED_CHUNK : CHUNK;
  struct memlift_op *first = NULL;
  for (unsigned i = 0; i < w->count; i++) {
    uint64_t id = w->tokens[i].id;
    if (!id || memlift_op_find(id, op) != MEMLIFT_OK)
      continue;
    if (memlift_op_work(*op, most, w->nanoseconds != 0, &w->signals))
      return 1;
    first = first ? first : *op;
  }
  *op = first;
  return 0;
}

/* Waits with the lock held and signals held back. A wait without time does one chunk at most. */
static memlift_status wait_for(const struct waiting *w, unsigned *which) {
  for (int worked = 0;; worked = 1) {
    struct memlift_op *op;
    memlift_hub_progress();
    memlift_status status = collect(w, 1, which);
    if (status != MEMLIFT_PENDING || (worked && !time_left(w)))
      return status;
    if (work(w, &op))
      continue;
    uint64_t left = time_left(w);
    if (left == 0)
      return MEMLIFT_PENDING;
    memlift_hub_sleep(op, left, &w->signals);
  }
}

/* Returns the status of a token that another call has collected meanwhile. COLLECTED implies that
 * the bytes are right, so a cancelled operation is reported as such. */
static memlift_status collected_meanwhile(uint64_t id) {
  return memlift_op_was_dropped(id) ? MEMLIFT_CANCELLED : MEMLIFT_COLLECTED;
}

memlift_status memlift_wait_any(const memlift_token *tokens, unsigned count, uint64_t nanoseconds,
                                unsigned *which) {
  if (!tokens || !which || count == 0)
    return MEMLIFT_INVALID_ARGUMENT;
  struct waiting w = {tokens, count, nanoseconds, 0, 0};
  memlift_status status = collect(&w, 0, which);
  if (status != MEMLIFT_PENDING)
    return status;
  int saved_errno = errno;
  if (nanoseconds && is_limited(&w))
    w.start = memlift_now();
  memlift_signals_hold(&w.signals);
  memlift_hub_lock();
  status = wait_for(&w, which);
  if (status == MEMLIFT_COLLECTED && count == 1)
    status = collected_meanwhile(tokens[0].id);
  memlift_hub_unlock();
  memlift_signals_let(&w.signals);
  errno = saved_errno;
  return status;
}

memlift_status memlift_wait(memlift_token token, uint64_t nanoseconds) {
  unsigned which;
  return token.id ? memlift_wait_any(&token, 1, nanoseconds, &which) : MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_try_wait(memlift_token token) { return memlift_wait(token, 0); }

/* ---- Giving up ----------------------------------------------------------------------------- */

/* Returns 1 while the slot has the operation of that token. */
static int is_there(const struct memlift_op *op, uint64_t id) {
  return memlift_op_id(op) == id && memlift_op_stage(op) != MEMLIFT_FREE;
}

/* Marks an operation for dropping. It is dropped when the engine and the CPU have let it go,
 * whether the caller is still there or not. */
static void begin_to_cancel(struct memlift_op *op) {
  op->cancelling = op->job.gave_up = 1;
  if (memlift_op_stage(op) == MEMLIFT_HELD) {
    memlift_op_unlink(op);
    memlift_op_over(op, MEMLIFT_DROPPED);
  } else if (memlift_op_stage(op) == MEMLIFT_READY) {
    memlift_op_withdraw(op);
  } else if (memlift_op_stage(op) == MEMLIFT_ENGINE_DONE) {
    memlift_op_engine_done(op);
  }
}

/* Cancels with the lock held. An operation that is complete by then is collected as OK. */
static memlift_status cancel(uint64_t id, const uint64_t *signals) {
  struct memlift_op *op;
  memlift_hub_progress();
  memlift_status status = memlift_op_find(id, &op);
  if (status != MEMLIFT_OK)
    return status;
  if (!memlift_op_is_over(op))
    begin_to_cancel(op);
  while (is_there(op, id) && !memlift_op_is_over(op)) {
    memlift_hub_sleep(op, UINT64_MAX, signals);
    memlift_hub_progress();
  }
  if (!is_there(op, id))
    return collected_meanwhile(id);
  status = memlift_op_collect(op, id);
  memlift_hub_progress();
  return status;
}

memlift_status memlift_cancel(memlift_token token) {
  int saved_errno = errno;
  uint64_t signals;
  memlift_signals_hold(&signals);
  memlift_hub_lock();
  memlift_status status = cancel(token.id, &signals);
  memlift_hub_unlock();
  memlift_signals_let(&signals);
  errno = saved_errno;
  return status;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
