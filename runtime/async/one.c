/* one.c - memlift_submit_copy and its like: one operation of a kind as a submission
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Builds with engines and builds without them submit alike; only memlift_submit_one differs.
 */
#include "valid.h"

memlift_status memlift_submit_copy(void *dst, const void *src, size_t n, memlift_token after,
                                   memlift_token *token) {
  struct memlift_submission s = {.operation = MEMLIFT_SUBMIT_COPY,
                                 .destination = dst,
                                 .source = src,
                                 .size = n,
                                 .after = {after}};
  return memlift_submit_one(&s, token);
}

memlift_status memlift_submit_fill(void *dst, uint64_t pattern, size_t period, size_t n,
                                   memlift_token after, memlift_token *token) {
  struct memlift_submission s = {.operation = MEMLIFT_SUBMIT_FILL,
                                 .destination = dst,
                                 .size = n,
                                 .pattern = pattern,
                                 .period = period > 8 ? 0 : (uint32_t)period,
                                 .after = {after}};
  return memlift_submit_one(&s, token);
}

memlift_status memlift_submit_copy_inet_sum(void *dst, const void *src, size_t n, uint32_t init,
                                            uint32_t *sum, memlift_token after,
                                            memlift_token *token) {
  struct memlift_submission s = {.operation = MEMLIFT_SUBMIT_COPY_INET_SUM,
                                 .destination = dst,
                                 .source = src,
                                 .size = n,
                                 .init = init,
                                 .sum = sum,
                                 .after = {after}};
  return memlift_submit_one(&s, token);
}
