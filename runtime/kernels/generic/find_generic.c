/* find_generic.c - searches for bytes, and counts of them, by aligned words, for any machine
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An aligned word holds a byte that is 0 if ((w & 0x7f..) + 0x7f..) | w has a clear top bit: no
 * carry goes from byte to byte, so the test is exact in both directions. A word lies in one page,
 * so it may be read where one of its bytes is. Bytes at either end are taken one by one.
 */
#include "../search.h"
#include "words.h"

#define EACH(byte) ((memlift_word)(byte) * ((memlift_word) - 1 / 255))

/* Not 0 if a byte of w is 0. */
MEMLIFT_INLINE memlift_word zero_bytes(memlift_word w) {
  return ~(((w & EACH(0x7f)) + EACH(0x7f)) | w) & EACH(0x80);
}

/* How each operation tells a word that holds what it looks for, and a byte. */
enum what { IS, IS_NOT, IS_ANY };

MEMLIFT_INLINE memlift_word stops_word(enum what how, memlift_word w, uint32_t what) {
  switch (how) {
  case IS: return zero_bytes(w ^ EACH(what & 0xff));
  case IS_NOT: return w ^ EACH(what & 0xff);
  case IS_ANY: break;
  }
  return zero_bytes(w ^ EACH(what & 0xff)) | zero_bytes(w ^ EACH(what >> 8 & 0xff)) |
         zero_bytes(w ^ EACH(what >> 16 & 0xff)) | zero_bytes(w ^ EACH(what >> 24));
}

MEMLIFT_INLINE int stops_byte(enum what how, unsigned b, uint32_t what) {
  switch (how) {
  case IS: return b == (what & 0xff);
  case IS_NOT: return b != (what & 0xff);
  case IS_ANY: break;
  }
  return b == (what & 0xff) || b == (what >> 8 & 0xff) || b == (what >> 16 & 0xff) ||
         b == what >> 24;
}

/* The index counts up to n, as p + n may wrap. */
MEMLIFT_READS_BESIDE MEMLIFT_INLINE uint64_t find(enum what how, const unsigned char *p, size_t n,
                                                  uint32_t what) {
  size_t i = 0;
  for (; i < n && ((uintptr_t)(p + i) & (WORD - 1)); i++)
    if (stops_byte(how, p[i], what))
      return i;
  for (; n - i >= WORD; i += WORD)
    if (stops_word(how, load_word(p + i), what))
      break;
  for (; i < n; i++)
    if (stops_byte(how, p[i], what))
      return i;
  return n;
}

MEMLIFT_READS_BESIDE MEMLIFT_KERNEL uint64_t memlift_find_generic(const void *p, size_t n,
                                                                  uint32_t what) {
  return find(IS, (const unsigned char *)p, n, what);
}

MEMLIFT_READS_BESIDE MEMLIFT_KERNEL uint64_t memlift_find_not_generic(const void *p, size_t n,
                                                                      uint32_t what) {
  return find(IS_NOT, (const unsigned char *)p, n, what);
}

MEMLIFT_READS_BESIDE MEMLIFT_KERNEL uint64_t memlift_find_any_generic(const void *p, size_t n,
                                                                      uint32_t what) {
  return find(IS_ANY, (const unsigned char *)p, n, what);
}

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

/* i is the number of bytes at the end that have been looked at. */
MEMLIFT_READS_BESIDE MEMLIFT_KERNEL uint64_t memlift_find_last_generic(const void *from, size_t n,
                                                                       uint32_t what) {
  const unsigned char *end = (const unsigned char *)from + n;
  size_t i = 0;
  for (; i < n && ((uintptr_t)(end - i) & (WORD - 1)); i++)
    if (stops_byte(IS, end[-(ptrdiff_t)i - 1], what))
      return i;
  for (; n - i >= WORD; i += WORD)
    if (stops_word(IS, load_word(end - i - WORD), what))
      break;
  for (; i < n; i++)
    if (stops_byte(IS, end[-(ptrdiff_t)i - 1], what))
      return i;
  return n;
}
