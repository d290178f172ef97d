/* repeat.h - long fills of more than a byte: string moves from what they have written already
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * String stores of a byte, and string moves, write whole lines that they have not read first;
 * vectors and string stores of words do not, on a Zen 5. So the beginning is written by vectors,
 * and the rest is moved there from a distance of whole periods, which the second cache holds: 1.25
 * times vectors from 4 to 16 MiB, 1.1 from 2 MiB. On a Zen 4 vectors are 2 to 4 times as fast as
 * that. A move to a higher place that overlaps itself does what is wanted, byte by byte.
 */
#ifndef MEMLIFT_X86_REPEAT_H
#define MEMLIFT_X86_REPEAT_H

#include "../kernels.h"
#include "../limits.h"

/* Found best of 3 to 192 KiB. */
#define REPEAT_MOST ((size_t)96 << 10)

/* Below, the beginning would be too large a part of it. */
MEMLIFT_INLINE int fills_by_repeating(size_t n) {
  const size_t least = __atomic_load_n(&memlift_limits.fill_repeat, __ATOMIC_RELAXED);
  return MEMLIFT_UNLIKELY(n >= 4 * REPEAT_MOST) && n >= least;
}

/* Returns how many bytes to write first: whole periods after the first boundary of a line, and
 * whole lines, so that a line is moved to a line. */
MEMLIFT_INLINE size_t repeat_beginning(const unsigned char *d, unsigned period) {
  const size_t step = (size_t)64 * period;
  return 64 - ((uintptr_t)d & 63) + REPEAT_MOST / step * step;
}

/* The rest of n bytes, of which that many are there. */
MEMLIFT_INLINE void repeat(unsigned char *d, size_t beginning, size_t n) {
  const unsigned char *from = d + (64 - ((uintptr_t)d & 63));
  unsigned char *to = d + beginning;
  n -= beginning;
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

#endif
