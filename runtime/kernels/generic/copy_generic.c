/* copy_generic.c - copy and move for any machine: words, and shifts where alignments differ
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The naive loop moves a byte an iteration. A word an iteration needs both pointers aligned; bytes
 * up to the first aligned destination word get us there when both pointers are equally far from
 * alignment. When they are not, every destination word is made of two neighbouring source words:
 *
 *     source words     |..abcdef|ghijklmn|opqr....      off = 2
 *     destination            |abcdefgh|ijklmnop|
 *
 * so we carry the rest of the last source word along and merge it with the next. The first carry
 * is read byte by byte and the loop ends before the last partial word: nothing outside the source
 * is read, which keeps this clean at page ends and under sanitizers.
 *
 * Loads are grouped before stores, eight words an iteration, which is the best shape for in-order
 * cores with a load-use delay (sifive-u74, cva6, rocket), and what makes an upward copy right for
 * dst < src, and a downward copy for dst > src.
 */
#include "words.h"

#define GROUP (8 * WORD)

/* Upward, both pointers aligned: bytes done. */
MEMLIFT_INLINE size_t up_aligned(unsigned char *d, const unsigned char *s, size_t n) {
  size_t i = 0;
  for (; n - i >= GROUP; i += GROUP) {
    memlift_word a = load_word(s + i), b = load_word(s + i + WORD);
    memlift_word c = load_word(s + i + 2 * WORD), e = load_word(s + i + 3 * WORD);
    memlift_word f = load_word(s + i + 4 * WORD), g = load_word(s + i + 5 * WORD);
    memlift_word h = load_word(s + i + 6 * WORD), k = load_word(s + i + 7 * WORD);
    store_word(d + i, a), store_word(d + i + WORD, b);
    store_word(d + i + 2 * WORD, c), store_word(d + i + 3 * WORD, e);
    store_word(d + i + 4 * WORD, f), store_word(d + i + 5 * WORD, g);
    store_word(d + i + 6 * WORD, h), store_word(d + i + 7 * WORD, k);
  }
  for (; n - i >= WORD; i += WORD)
    store_word(d + i, load_word(s + i));
  return i;
}

/* Downward from the ends d and s, both aligned: bytes done. */
MEMLIFT_INLINE size_t down_aligned(unsigned char *d, const unsigned char *s, size_t n) {
  size_t left = n;
  for (; left >= GROUP; left -= GROUP) {
    d -= GROUP, s -= GROUP;
    memlift_word a = load_word(s), b = load_word(s + WORD);
    memlift_word c = load_word(s + 2 * WORD), e = load_word(s + 3 * WORD);
    memlift_word f = load_word(s + 4 * WORD), g = load_word(s + 5 * WORD);
    memlift_word h = load_word(s + 6 * WORD), k = load_word(s + 7 * WORD);
    store_word(d, a), store_word(d + WORD, b);
    store_word(d + 2 * WORD, c), store_word(d + 3 * WORD, e);
    store_word(d + 4 * WORD, f), store_word(d + 5 * WORD, g);
    store_word(d + 6 * WORD, h), store_word(d + 7 * WORD, k);
  }
  for (; left >= WORD; left -= WORD) {
    d -= WORD, s -= WORD;
    store_word(d, load_word(s));
  }
  return n - left;
}

/* Upward, d aligned, s not: bytes done. */
MEMLIFT_INLINE size_t up_shifted(unsigned char *d, const unsigned char *s, size_t n) {
  const size_t off = (uintptr_t)s % WORD, ahead = WORD - off;
  const unsigned first = 8 * (unsigned)off, last = 8 * (unsigned)ahead;
  memlift_word carry = 0;
  size_t i = 0;
  if (n < ahead + WORD)
    return 0;
  for (size_t k = 0; k < ahead; k++)
    carry |= word_of_byte(s[k], k);
  for (; n - i >= ahead + 4 * WORD; i += 4 * WORD) {
    const unsigned char *from = s + ahead + i;
    memlift_word a = load_word(from), b = load_word(from + WORD);
    memlift_word c = load_word(from + 2 * WORD), e = load_word(from + 3 * WORD);
    store_word(d + i, carry | MEMLIFT_TOWARD_LAST(a, last));
    store_word(d + i + WORD, MEMLIFT_TOWARD_FIRST(a, first) | MEMLIFT_TOWARD_LAST(b, last));
    store_word(d + i + 2 * WORD, MEMLIFT_TOWARD_FIRST(b, first) | MEMLIFT_TOWARD_LAST(c, last));
    store_word(d + i + 3 * WORD, MEMLIFT_TOWARD_FIRST(c, first) | MEMLIFT_TOWARD_LAST(e, last));
    carry = MEMLIFT_TOWARD_FIRST(e, first);
  }
  for (; n - i >= ahead + WORD; i += WORD) {
    memlift_word next = load_word(s + ahead + i);
    store_word(d + i, carry | MEMLIFT_TOWARD_LAST(next, last));
    carry = MEMLIFT_TOWARD_FIRST(next, first);
  }
  return i;
}

/* Downward from the ends d (aligned) and s (not): bytes done. */
MEMLIFT_INLINE size_t down_shifted(unsigned char *d, const unsigned char *s, size_t n) {
  const size_t off = (uintptr_t)s % WORD;
  const unsigned first = 8 * (unsigned)off, last = 8 * (unsigned)(WORD - off);
  memlift_word carry = 0;
  size_t left = n;
  if (n < off + WORD)
    return 0;
  s -= off;
  for (size_t k = 0; k < off; k++)
    carry |= word_of_byte(s[k], WORD - off + k);
  for (; left >= off + 4 * WORD; left -= 4 * WORD) {
    s -= 4 * WORD, d -= 4 * WORD;
    memlift_word a = load_word(s), b = load_word(s + WORD);
    memlift_word c = load_word(s + 2 * WORD), e = load_word(s + 3 * WORD);
    store_word(d + 3 * WORD, carry | MEMLIFT_TOWARD_FIRST(e, first));
    store_word(d + 2 * WORD, MEMLIFT_TOWARD_LAST(e, last) | MEMLIFT_TOWARD_FIRST(c, first));
    store_word(d + WORD, MEMLIFT_TOWARD_LAST(c, last) | MEMLIFT_TOWARD_FIRST(b, first));
    store_word(d, MEMLIFT_TOWARD_LAST(b, last) | MEMLIFT_TOWARD_FIRST(a, first));
    carry = MEMLIFT_TOWARD_LAST(a, last);
  }
  for (; left >= off + WORD; left -= WORD) {
    s -= WORD, d -= WORD;
    memlift_word next = load_word(s);
    store_word(d, carry | MEMLIFT_TOWARD_FIRST(next, first));
    carry = MEMLIFT_TOWARD_LAST(next, last);
  }
  return n - left;
}

MEMLIFT_INLINE void copy_up(unsigned char *d, const unsigned char *s, size_t n) {
  for (; n != 0 && (uintptr_t)d % WORD != 0; n--)
    copy_byte(d++, s++);
  size_t done = (uintptr_t)s % WORD == 0 ? up_aligned(d, s, n) : up_shifted(d, s, n);
  for (; done < n; done++)
    copy_byte(d + done, s + done);
}

MEMLIFT_INLINE void copy_down(unsigned char *d, const unsigned char *s, size_t n) {
  d += n, s += n;
  for (; n != 0 && (uintptr_t)d % WORD != 0; n--)
    copy_byte(--d, --s);
  size_t done = (uintptr_t)s % WORD == 0 ? down_aligned(d, s, n) : down_shifted(d, s, n);
  for (; done < n; done++)
    copy_byte(d - done - 1, s - done - 1);
}

MEMLIFT_KERNEL void memlift_copy_generic(void *dst, const void *src, size_t n) {
  copy_up((unsigned char *)dst, (const unsigned char *)src, n);
}

/* One comparison: the difference wraps to a huge number when dst lies below src. */
MEMLIFT_KERNEL void memlift_move_generic(void *dst, const void *src, size_t n) {
  if ((uintptr_t)dst - (uintptr_t)src >= n)
    copy_up((unsigned char *)dst, (const unsigned char *)src, n);
  else
    copy_down((unsigned char *)dst, (const unsigned char *)src, n);
}
