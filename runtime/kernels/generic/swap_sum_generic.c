/* swap_sum_generic.c - sums of swapped words of the rarer kinds: signed ones, and of 64 bits
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A signed word is the unsigned one with its top bit flipped, less the top bit's value: so the sum
 * of n words is that of the flipped ones less n times that. What is left is plain words to add,
 * which any compiler turns into vectors where the machine has them.
 */
#include "../../include/memlift/memlift.h"
#include "sums.h"

MEMLIFT_KERNEL uint64_t memlift_sum_swap_s16(const void *from, size_t n) {
  const unsigned char *p = (const unsigned char *)from;
  uint64_t words = n / 2, sum = 0;
  for (uint64_t i = 0; i < words; i++)
    sum += __builtin_bswap16((uint16_t)load_packed(p + 2 * i, 2)) ^ 0x8000u;
  return sum - (words << 15);
}

MEMLIFT_KERNEL uint64_t memlift_sum_swap_s32(const void *from, size_t n) {
  const unsigned char *p = (const unsigned char *)from;
  uint64_t words = n / 4, sum = 0;
  for (uint64_t i = 0; i < words; i++)
    sum += __builtin_bswap32((uint32_t)load_packed(p + 4 * i, 4)) ^ 0x80000000u;
  return sum - (words << 31);
}

MEMLIFT_KERNEL uint64_t memlift_sum_swap_u64(const void *from, size_t n) {
  const unsigned char *p = (const unsigned char *)from;
  uint64_t words = n / 8, sum = 0;
  for (uint64_t i = 0; i < words; i++)
    sum += __builtin_bswap64(load_packed(p + 8 * i, 8));
  return sum;
}
