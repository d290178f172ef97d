/* entry_crc_words.c - the public CRC of words that are taken from their other end
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../include/memlift/memlift.h"
#include "../kernels/dispatch.h"

/* Words are turned in blocks of this size, which stay in the first-level cache. */
#define TURNED 1024

static void turn(unsigned char *to, const void *from, size_t n, uint32_t word) {
  if (word == 8)
    memlift_copy_swap64(to, from, n);
  else if (word == 4)
    memlift_copy_swap32(to, from, n);
  else
    memlift_copy_swap16(to, from, n);
}

static uint64_t downwards(uint64_t state, const unsigned char *p, size_t n,
                          const struct memlift_crc_poly *poly) {
  unsigned char turned[TURNED];
  while (n) {
    size_t now = n < TURNED ? n : TURNED;
    n -= now;
    memlift_copy_reverse8(turned, p + n, now);
    state = memlift_cpu_crc(state, turned, now, poly);
  }
  return state;
}

uint64_t memlift_crc_words(uint64_t state, const void *p, size_t n, uint32_t word,
                           const struct memlift_crc_poly *poly) {
  unsigned char turned[TURNED];
  const unsigned char *from = p;
  if (!word)
    return downwards(state, from, n, poly);
  n -= n % word;
  for (size_t done = 0; done < n;) {
    size_t now = n - done < TURNED ? n - done : TURNED;
    turn(turned, from + done, now, word);
    state = memlift_cpu_crc(state, turned, now, poly);
    done += now;
  }
  return state;
}
