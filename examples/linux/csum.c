/* csum.c - csum_partial, and a copy with it, in place of the generic C of lib/checksum.c
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sums are of 16-bit words in the machine's order, an odd last byte counted as a word, folded to 32
 * bits as the kernel's __wsum.
 */
#include "user.h"

size_t __asm_copy_from_user(void *to, const void *from, size_t n);

SHAPE uint32_t csum_partial(const void *buffer, int length, uint32_t sum) {
  const unsigned char *p = buffer;
  uint64_t all = sum;
  for (size_t n = (size_t)length; n > 1; n -= 2, p += 2)
    all += (uint32_t)p[0] | (uint32_t)p[1] << 8;
  if (length & 1)
    all += *p;
  all = (all & 0xffffffff) + (all >> 32);
  return (uint32_t)((all & 0xffffffff) + (all >> 32));
}

/* Returns 0 where a page is missing, as csum_and_copy_from_user. */
uint32_t csum_and_copy(const void *from, void *to, int length) {
  if (__asm_copy_from_user(to, from, (size_t)length))
    return 0;
  return csum_partial(to, length, ~0U);
}
