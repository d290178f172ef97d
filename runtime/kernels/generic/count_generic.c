/* count_generic.c - counts of a byte, by aligned words, for any machine
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../search.h"
#include "words.h"

/* Marks of up to 255 words are added up in bytes, then all bytes of these: no lane overflows. */
MEMLIFT_KERNEL uint64_t memlift_count_generic(const void *from, size_t n, uint32_t what) {
  const unsigned char *p = (const unsigned char *)from;
  uint64_t count = 0;
  for (; n && ((uintptr_t)p & (WORD - 1)); p++, n--)
    count += *p == (what & 0xff);
  while (n >= WORD) {
    size_t words = n / WORD < 255 ? n / WORD : 255;
    memlift_word marks = 0;
    n -= words * WORD;
    for (; words; words--, p += WORD)
      marks += zero_bytes(load_word(p) ^ EACH(what & 0xff)) >> 7;
    const memlift_word ones = (memlift_word)-1 / 0xffff, even = 0xff * ones; /* 16 bits each */
    count += ((marks & even) + (marks >> 8 & even)) * ones >> (8 * WORD - 16);
  }
  for (; n; p++, n--)
    count += *p == (what & 0xff);
  return count;
}
