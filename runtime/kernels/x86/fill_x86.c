/* fill_x86.c - fills for x86-64, one variant per vector width
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The method is in fill_impl.h; small sizes in small.h; the sizes where it changes in limits.h.
 */
#if defined(__x86_64__)
#include "limits.h"
#include "small.h"

#include <immintrin.h>

/* rep stosq from the first 8-byte boundary, the value turned to match; bytes around it by
 * overlapping words. n >= 16. */
MEMLIFT_INLINE void rep_fill(unsigned char *d, uint64_t pattern, size_t n) {
  size_t skip = 8 - ((uintptr_t)d & 7), words = (n - skip) / 8;
  unsigned char *to = d + skip, *last = d + n - 8;
  *(x86_u64 *)d = pattern;
  *(x86_u64 *)last = memlift_rotate_pattern(pattern, n);
  uint64_t turned = memlift_rotate_pattern(pattern, skip);
  __asm__ volatile("rep stosq" : "+D"(to), "+c"(words) : "a"(turned) : "memory");
}

/* The first `enough` bytes (all n when there are fewer) of a pattern of period 3, 5, 6 or 7, by
 * words that each start a whole number of periods after the last: 6, 5, 6 or 7 bytes on.
 * Returns the number of bytes that are now right, at least min(n, enough). */
MEMLIFT_INLINE size_t pattern_words(unsigned char *d, uint64_t pattern, unsigned period, size_t n,
                                    size_t enough) {
  const unsigned bits = 8 * period;
  const size_t step = period == 3 ? 6 : period;
  uint64_t unit = pattern & (~0ull >> (64 - bits)), word = unit | unit << bits;
  size_t i = 0;
  if (period == 3)
    word |= unit << 48;
  for (; i + 8 <= n; i += step) {
    if (i >= enough)
      return i;
    *(x86_u64 *)(d + i) = word;
  }
  for (unsigned k = 0; i < n; k += 8) {
    unsigned b = (unsigned)(word >> k) & 0xff;
    MEMLIFT_HIDE(b);
    d[i++] = (unsigned char)b;
  }
  return n;
}

#include "vec_sse2.h"
#include "fill_impl.h"

#include "vec_avx2.h"
#include "fill_impl.h"

#include "vec_avx512.h"
#include "fill_impl.h"
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
