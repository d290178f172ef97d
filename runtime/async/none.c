/* none.c - memlift/async.h in builds without engines: operations are done when submitted
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Such targets may have neither threads nor atomics. So all tokens are equal, and it is not known
 * which of them have been collected: waiting for a token twice succeeds twice.
 */
#include "../config.h"

#if !MEMLIFT_HAVE_ENGINES
#include "valid.h"

#define DONE 1u /* the only token */

/* Checks a submission. All operations are done, so any real token that it comes after is, too. */
static int is_valid(const struct memlift_submission *s) {
  for (unsigned i = 0; i < MEMLIFT_AFTERS; i++)
    if (s->after[i].id > DONE)
      return 0;
  return memlift_submission_is_valid(s);
}

/* Does the operation. */
static void carry_out(const struct memlift_submission *s) {
  if (s->operation == MEMLIFT_SUBMIT_COPY)
    memlift_copy(s->destination, s->source, s->size);
  else if (s->operation == MEMLIFT_SUBMIT_FILL)
    memlift_fill_pattern(s->destination, s->pattern, s->period, s->size);
  else
    *s->sum = memlift_copy_inet_sum(s->destination, s->source, s->size, s->init);
}

/* Returns element i of a list whose elements have the size that the caller was compiled with.
 * Members beyond that size are 0. */
static struct memlift_submission element(const void *list, size_t size, unsigned i) {
  struct memlift_submission s = {0};
  const unsigned char *from = (const unsigned char *)list + i * size;
  memlift_copy(&s, from, size < sizeof s ? size : sizeof s);
  return s;
}

/* Checks all before it does one: an invalid list does nothing. */
memlift_status memlift_submit(const struct memlift_submission *list, size_t size, unsigned count,
                              memlift_token *tokens) {
  if (!list || !tokens || size == 0 || count == 0 || count > MEMLIFT_TOKENS)
    return MEMLIFT_INVALID_ARGUMENT;
  for (unsigned i = 0; i < count; i++) {
    struct memlift_submission s = element(list, size, i);
    if (!is_valid(&s))
      return MEMLIFT_INVALID_ARGUMENT;
  }
  for (unsigned i = 0; i < count; i++) {
    struct memlift_submission s = element(list, size, i);
    carry_out(&s);
    tokens[i].id = DONE;
  }
  return MEMLIFT_OK;
}

memlift_status memlift_submit_one(const struct memlift_submission *s, memlift_token *token) {
  return memlift_submit(s, sizeof *s, 1, token);
}

memlift_status memlift_wait(memlift_token token, uint64_t nanoseconds) {
  (void)nanoseconds;
  return token.id == DONE ? MEMLIFT_OK : MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_try_wait(memlift_token token) { return memlift_wait(token, 0); }

memlift_status memlift_wait_any(const memlift_token *tokens, unsigned count, uint64_t nanoseconds,
                                unsigned *which) {
  if (!tokens || !which || count == 0)
    return MEMLIFT_INVALID_ARGUMENT;
  for (*which = 0; *which < count; ++*which)
    if (tokens[*which].id)
      return memlift_wait(tokens[*which], nanoseconds);
  return MEMLIFT_COLLECTED;
}

memlift_status memlift_cancel(memlift_token token) { return memlift_wait(token, 0); }
#else
typedef int memlift_engines; /* a translation unit must not be empty */
#endif
