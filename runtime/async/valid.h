/* valid.h - checks of a submission that need no lock, and the way to submit one
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_VALID_H
#define MEMLIFT_VALID_H

#include "../include/memlift/async.h"

/* Returns 1 for a copy, with or without a sum. */
static inline int memlift_submission_is_copy(const struct memlift_submission *s) {
  return s->operation == MEMLIFT_SUBMIT_COPY || s->operation == MEMLIFT_SUBMIT_COPY_INET_SUM;
}

/* Checks all members but the tokens that the operation comes after. */
static inline int memlift_submission_is_valid(const struct memlift_submission *s) {
  const uint32_t flags = MEMLIFT_SUBMITTED_AFTER_PREVIOUS | MEMLIFT_SUBMITTED_ANY_SIZE;
  if ((s->flags & ~flags) || (s->size && !s->destination))
    return 0;
  if (s->operation == MEMLIFT_SUBMIT_FILL)
    return s->period >= 1 && s->period <= 8;
  return memlift_submission_is_copy(s) && (!s->size || s->source) &&
         (s->operation != MEMLIFT_SUBMIT_COPY_INET_SUM || s->sum);
}

/* Submits one valid or invalid operation, as memlift_submit does a list of one. */
memlift_status memlift_submit_one(const struct memlift_submission *s, memlift_token *token);

#endif
