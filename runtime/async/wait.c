/* wait.c - memlift_wait and its kin: the thread that waits moves things on, and does the CPU's part
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "hub.h"

#include <errno.h>

/* Collects the first of the tokens that is done. PENDING: none is; COLLECTED: none will be. */
static memlift_status collect(const memlift_token *tokens, unsigned count, unsigned *which) {
  memlift_status status = MEMLIFT_COLLECTED;
  struct memlift_op *op;
  for (unsigned i = 0; i < count; i++) {
    memlift_status found = tokens[i].id ? memlift_op_find(tokens[i].id, &op) : MEMLIFT_COLLECTED;
    if (found == MEMLIFT_INVALID_ARGUMENT)
      return found;
    if (found == MEMLIFT_COLLECTED)
      continue;
    status = MEMLIFT_PENDING;
    if (op->stage != MEMLIFT_DONE)
      continue;
    *which = i;
    status = op->result;
    memlift_op_free(op);
    return status;
  }
  return status;
}

/* Does something for one of them; 0: there is nothing to do. *op: one that can be waited for. */
static int work(const memlift_token *tokens, unsigned count, struct memlift_op **op) {
  for (unsigned i = 0; i < count; i++)
    if (tokens[i].id && memlift_op_find(tokens[i].id, op) == MEMLIFT_OK && memlift_op_work(*op))
      return 1;
  for (unsigned i = 0; i < count; i++)
    if (tokens[i].id && memlift_op_find(tokens[i].id, op) == MEMLIFT_OK)
      break;
  return 0;
}

static memlift_status wait_for(const memlift_token *tokens, unsigned count, uint64_t nanoseconds,
                               unsigned *which) {
  int limited = nanoseconds != 0 && nanoseconds != UINT64_MAX;
  uint64_t start = limited ? memlift_now() : 0, left = nanoseconds;
  for (;;) {
    struct memlift_op *op;
    memlift_hub_progress();
    memlift_status status = collect(tokens, count, which);
    if (status != MEMLIFT_PENDING)
      return status;
    if (work(tokens, count, &op))
      continue;
    if (limited) {
      uint64_t waited = memlift_now() - start;
      left = waited < nanoseconds ? nanoseconds - waited : 0;
    }
    if (left == 0)
      return MEMLIFT_PENDING;
    memlift_hub_sleep(op, left);
  }
}

memlift_status memlift_wait_any(const memlift_token *tokens, unsigned count, uint64_t nanoseconds,
                                unsigned *which) {
  if (!tokens || !which || count == 0)
    return MEMLIFT_INVALID_ARGUMENT;
  int saved_errno = errno;
  struct memlift_visit visit;
  memlift_hub_enter(&visit);
  memlift_status status = wait_for(tokens, count, nanoseconds, which);
  memlift_hub_leave(&visit);
  errno = saved_errno;
  return status;
}

memlift_status memlift_wait(memlift_token token, uint64_t nanoseconds) {
  unsigned which;
  return token.id ? memlift_wait_any(&token, 1, nanoseconds, &which) : MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_try_wait(memlift_token token) { return memlift_wait(token, 0); }

/* ---- Giving up ----------------------------------------------------------------------------- */

/* Until nobody touches its memory; 0: somebody else has collected it meanwhile. */
static int quiet(struct memlift_op *op, uint64_t id) {
  op->cancelling = 1;
  if (op->stage == MEMLIFT_READY)
    memlift_op_withdraw(op);
  op->gave_up = 1;
  while (op->id == id && op->stage != MEMLIFT_FREE) {
    if (op->stage == MEMLIFT_DONE || (op->stage == MEMLIFT_LANDED && !op->helpers))
      return 1;
    memlift_hub_sleep(op, UINT64_MAX);
    memlift_hub_progress();
  }
  return 0;
}

static memlift_status cancel(uint64_t id) {
  struct memlift_op *op;
  memlift_hub_progress();
  memlift_status status = memlift_op_find(id, &op);
  if (status != MEMLIFT_OK)
    return status;
  if (op->stage == MEMLIFT_HELD) {
    memlift_list_remove(&memlift_hub.held, op);
    memlift_op_done(op, MEMLIFT_CANCELLED);
  } else if (!quiet(op, id)) {
    return MEMLIFT_COLLECTED;
  } else if (op->stage != MEMLIFT_DONE) {
    memlift_op_done(op, MEMLIFT_CANCELLED);
  }
  memlift_hub_settle(); /* before its token goes: what comes after it is cancelled too */
  status = op->result;
  memlift_op_free(op);
  memlift_hub_progress();
  return status;
}

memlift_status memlift_cancel(memlift_token token) {
  int saved_errno = errno;
  struct memlift_visit visit;
  memlift_hub_enter(&visit);
  memlift_status status = cancel(token.id);
  memlift_hub_leave(&visit);
  errno = saved_errno;
  return status;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
