/* inet_rest.h - the words of fewer than 32 bytes, and of what is left after the last whole vector
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For vectors without masks. Each load is of bytes that the region has: those before the rest are
 * masked off.
 */
#ifndef MEMLIFT_X86_INET_REST_H
#define MEMLIFT_X86_INET_REST_H

#include "../inet_few.h"
#include "few.h"
#include "lanes.h"

#define LOW32 0x00000000ffffffffu /* the low half of each 64-bit lane */

MEMLIFT_INLINE __m128i inet_words16(__m128i v) {
  __m128i low = _mm_and_si128(v, _mm_set1_epi64x(LOW32));
  return _mm_add_epi64(low, _mm_srli_epi64(v, 32));
}

/* Returns the words of the last n bytes, an odd byte left out; at least 16 bytes lie before them.
 * */
MEMLIFT_INLINE __m128i rest16(const unsigned char *p, size_t n) {
  n &= ~(size_t)1;
  return few_last_16(p + n, n);
}

/* Returns the words of fewer than 32 bytes. */
MEMLIFT_INLINE uint64_t inet_below_32(const unsigned char *p, size_t n) {
  if (n < 16)
    return inet_below_16(p, n);
  __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
  __m128i words = _mm_add_epi64(inet_words16(v), inet_words16(rest16(p + 16, n - 16)));
  return odd_byte(p + n, n) + memlift_sum64_128(words);
}

#endif
