/* fill_x86.c - fills for x86-64, one variant per vector width
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The method is in fill_impl.h; small sizes in small.h; the sizes where it changes in ../limits.h.
 */
#if defined(__x86_64__)
#include "limits.h"
#include "repeat.h"
#include "small.h"

#include <immintrin.h>

MEMLIFT_INLINE int is_one_byte(uint64_t pattern) {
  return pattern == (pattern & 0xff) * 0x0101010101010101u;
}

/* n > MEMLIFT_VECTORS_MOST. */
MEMLIFT_INLINE int fills_otherwise(size_t n) {
  return n >= __atomic_load_n(&memlift_limits.fill_string, __ATOMIC_RELAXED) ||
         n >= __atomic_load_n(&memlift_limits.fill_repeat, __ATOMIC_RELAXED);
}

/* String stores of words are not the best way until much later than those of bytes; a limit of
 * nothing is for both. */
MEMLIFT_INLINE int fills_by_string(uint64_t pattern, size_t n) {
  const size_t least = __atomic_load_n(&memlift_limits.fill_string, __ATOMIC_RELAXED);
  return n >= least && (is_one_byte(pattern) || n >= MEMLIFT_REP_FILL_WORDS_MIN || n / 32 >= least);
}

/* String stores from the first cache line on (the microcode's fast path), the value rotated to
 * match; the bytes around them by vectors. A byte again and again is faster by bytes. n >= 128. */
MEMLIFT_INLINE void rep_fill(unsigned char *d, uint64_t pattern, size_t n) {
  size_t skip = 64 - ((uintptr_t)d & 63), middle = (n - skip) / 8;
  unsigned char *to = d + skip;
  __m128i head = _mm_set1_epi64x((long long)pattern);
  uint64_t rotated = memlift_rotate_pattern(pattern, skip);
  for (unsigned i = 0; i < 64; i += 16)
    _mm_storeu_si128((__m128i *)(void *)(d + i), head);
  *(x86_u64 *)(d + n - 8) = memlift_rotate_pattern(pattern, n);
  if (is_one_byte(rotated)) {
    middle *= 8;
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(middle) : "a"(rotated) : "memory");
  } else {
    __asm__ volatile("rep stosq" : "+D"(to), "+c"(middle) : "a"(rotated) : "memory");
  }
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
