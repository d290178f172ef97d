/* find_generic.c - searches for bytes, by aligned words, for any machine
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A word lies in one page, so it may be read where one of its bytes is. Bytes at either end are
 * taken one by one.
 */
#include "../search.h"
#include "words.h"

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
