/* xor_generic.c - exclusive-or of all bytes in 64-bit words, for any machine
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Lanes do not disturb one another, so words of every size are lanes of the same result. Words are
 * those from the start of the region, whatever its alignment.
 */
#include "sums.h"

/* Byte `index` from the start of the region, as it stands in its word. */
MEMLIFT_INLINE uint64_t in_place(unsigned char byte, size_t index) {
  return (uint64_t)byte << MEMLIFT_BYTE_SHIFT(index & 7, 8);
}

MEMLIFT_INLINE uint64_t xor_words(const unsigned char *p, size_t n, int aligned) {
  uint64_t a = 0, b = 0;
  for (; n >= 16; p += 16, n -= 16)
    a ^= load_u64(p, aligned), b ^= load_u64(p + 8, aligned);
  return n >= 8 ? a ^ b ^ load_u64(p, aligned) : a ^ b;
}

MEMLIFT_KERNEL uint64_t memlift_xor_generic(const void *from, size_t n) {
  const unsigned char *p = (const unsigned char *)from;
  size_t whole = n & ~(size_t)7;
  uint64_t x = to_boundary(p) == 0 ? xor_words(p, whole, 1) : xor_words(p, whole, 0);
  for (size_t i = whole; i < n; i++)
    x ^= in_place(p[i], i);
  return x;
}
