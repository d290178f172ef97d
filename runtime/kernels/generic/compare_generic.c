/* compare_generic.c - the first difference of two regions by aligned words, for any machine
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where both regions have the same alignment within a word, words are compared, else bytes. A word
 * of q is read only if no byte of the word of p ends the comparison: its first byte is then one
 * that the loop would read, and the others lie in its page.
 */
#include "../search.h"
#include "words.h"

MEMLIFT_INLINE int ends(int with, const unsigned char *p, const unsigned char *q, uint32_t what) {
  return (with && *p == (what & 0xff)) || *p != *q;
}

MEMLIFT_READS_BESIDE MEMLIFT_INLINE uint64_t mismatch(int with, const unsigned char *p,
                                                      const unsigned char *q, size_t n,
                                                      uint32_t what) {
  size_t i = 0;
  if ((((uintptr_t)p ^ (uintptr_t)q) & (WORD - 1)) == 0) {
    for (; i < n && ((uintptr_t)(p + i) & (WORD - 1)); i++)
      if (ends(with, p + i, q + i, what))
        return i;
    for (; n - i >= WORD; i += WORD) {
      memlift_word w = load_word(p + i);
      if ((with && zero_bytes(w ^ EACH(what & 0xff))) || w != load_word(q + i))
        break;
    }
  }
  for (; i < n; i++)
    if (ends(with, p + i, q + i, what))
      return i;
  return n;
}

MEMLIFT_READS_BESIDE MEMLIFT_KERNEL uint64_t memlift_mismatch_generic(const void *p, const void *q,
                                                                      size_t n, uint32_t what) {
  return mismatch(0, (const unsigned char *)p, (const unsigned char *)q, n, what);
}

MEMLIFT_READS_BESIDE MEMLIFT_KERNEL uint64_t memlift_mismatch_or_generic(const void *p,
                                                                         const void *q, size_t n,
                                                                         uint32_t what) {
  return mismatch(1, (const unsigned char *)p, (const unsigned char *)q, n, what);
}
