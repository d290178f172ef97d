/* wait.c - memlift_wait and its kin: the thread that waits moves things on, and does the CPU's part
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "hub.h"

#include <errno.h>

/* A call that waits. */
struct waiting {
  const memlift_token *tokens;
  unsigned count;
  uint64_t nanoseconds, start; /* to wait at most, and since when; start only if that is a limit */
  uint64_t signals;            /* that are held back while the call has the lock or works */
};

/* Bytes that the CPU does between two looks at the clock: by who waits for a limited time, 25 us at
 * 10 GB/s; by who waits for ever, as many as copies of that size have a method of their own for. */
#define LIMITED_CHUNK ((size_t)256 << 10)
#define CHUNK ((size_t)16 << 20)

static int is_limited(const struct waiting *w) { return w->nanoseconds != UINT64_MAX; }

/* 0: the time is up. */
static uint64_t time_left(const struct waiting *w) {
  if (!is_limited(w) || w->nanoseconds == 0)
    return w->nanoseconds;
  uint64_t waited = memlift_now() - w->start;
  return waited < w->nanoseconds ? w->nanoseconds - waited : 0;
}

/* ---- Collecting ---------------------------------------------------------------------------- */

/* Collects the first of the tokens that is over. PENDING: none is; COLLECTED: none will be. Without
 * the lock it passes over what was cancelled. */
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

/* Does something for one of them; 0: there is nothing to do. *op: one that can be waited for. */
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

/* With the lock, and signals held back. */
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

/* Status for a call whose token another call has collected while it waited: whether the bytes are
 * right is all that is left to tell. */
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

static int is_there(const struct memlift_op *op, uint64_t id) {
  return memlift_op_id(op) == id && memlift_op_stage(op) != MEMLIFT_FREE;
}

/* From here on it is dropped when the engine and the CPU have let it go, whether the caller is
 * still there or not. */
static void begin_to_cancel(struct memlift_op *op) {
  op->cancelling = op->gave_up = 1;
  if (memlift_op_stage(op) == MEMLIFT_HELD) {
    memlift_op_unlink(op);
    memlift_op_over(op, MEMLIFT_DROPPED);
  } else if (memlift_op_stage(op) == MEMLIFT_READY) {
    memlift_op_withdraw(op);
  } else if (memlift_op_stage(op) == MEMLIFT_ENGINE_DONE) {
    memlift_op_engine_done(op);
  }
}

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
