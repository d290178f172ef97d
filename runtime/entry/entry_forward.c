/* entry_forward.c - the public copy upwards in steps, which repeats what overlaps
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   while (n--) *d++ = *s++;          step 1: LZ77's own copy
 *
 * Let d lie `above` bytes above s, modulo 2^64. From n on (s + n is no later than the end of
 * memory, so that is also the case of d below s) nothing is read that was written: a move. From one
 * step on, all that a step reads from d on was written by the steps before it, so the first `above`
 * bytes repeat: a fill, or copies of all that is there already, each twice as long as the one
 * before. Within one step it reads bytes that it has not yet written: step by step then.
 */
#include "../include/memlift/memlift.h"
#include "operations.h"

/* The period bytes from p on, 1 to 8 of them, the first one lowest. */
MEMLIFT_INLINE uint64_t first_bytes(const unsigned char *p, size_t period) {
  uint64_t all = 0;
  for (size_t i = period; i-- > 0;)
    all = all << 8 | p[i];
  return all;
}

/* Bytes [0, period) of s are repeated up to s + period + n. */
MEMLIFT_INLINE void repeat(unsigned char *s, size_t period, size_t n) {
  if (period <= 8) {
    memlift_do_pattern(s + period, first_bytes(s, period), period, n);
    return;
  }
  if (period <= 16) {
    memlift_do_pattern16(s + period, first_bytes(s, 8), first_bytes(s + 8, period - 8),
                         (unsigned)period, n);
    return;
  }
  for (size_t known = period, left = n; left;) {
    size_t more = left < known ? left : known;
    memlift_do_copy(s + known, s, more);
    known += more;
    left -= more;
  }
}

MEMLIFT_COLD void copy_overlapping(unsigned char *d, unsigned char *s, size_t step, size_t n) {
  size_t above = (uintptr_t)d - (uintptr_t)s;
  step = step < n ? step : n;
  if (above == 0)
    return;
  if (above >= step) {
    repeat(s, above, n);
    return;
  }
  for (size_t at = 0; at < n; at += step)
    memlift_do_move(d + at, s + at, n - at < step ? n - at : step);
}

void memlift_copy_forward(void *dst, const void *src, size_t step, size_t n) {
  if (MEMLIFT_LIKELY((uintptr_t)dst - (uintptr_t)src >= n))
    memlift_do_move(dst, src, n);
  else
    copy_overlapping((unsigned char *)dst, (unsigned char *)src, step, n);
}
