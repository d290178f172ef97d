/* entry_aligned.c - the public copies and fills for addresses that are multiples of 8, or of 64
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a compiler has proved need not be tested, nor bytes be done until it holds. Where unaligned
 * words are slow or trap that decides how long a short copy takes, so these do short ones in place:
 * words two by two, at multiples of 64 by whole lines, the loads first, then what is left of a
 * word. Elsewhere, and for long ones, the kernels are as good.
 */
#include "../include/memlift/memlift.h"
#include "../kernels/generic/words.h"
#include "operations.h"

#if defined(__x86_64__) || defined(__aarch64__)
#define IS_FEW(n) 0
#else
#define IS_FEW(n) ((n) < 128)
#endif

typedef uint32_t __attribute__((may_alias)) aligned_u32;
typedef uint16_t __attribute__((may_alias)) aligned_u16;

MEMLIFT_INLINE void copy_rest(unsigned char *d, const unsigned char *s, size_t n) {
  if (WORD > 4 && n & 4) {
    *(aligned_u32 *)(void *)d = *(const aligned_u32 *)(const void *)s;
    d += 4, s += 4;
  }
  if (n & 2) {
    *(aligned_u16 *)(void *)d = *(const aligned_u16 *)(const void *)s;
    d += 2, s += 2;
  }
  if (n & 1)
    *d = *s;
}

MEMLIFT_INLINE void copy_few(unsigned char *d, const unsigned char *s, size_t n) {
  for (; n >= 2 * WORD; n -= 2 * WORD, d += 2 * WORD, s += 2 * WORD) {
    memlift_word a = load_word(s), b = load_word(s + WORD);
    store_word(d, a), store_word(d + WORD, b);
  }
  if (n & WORD) {
    store_word(d, load_word(s));
    d += WORD, s += WORD;
  }
  copy_rest(d, s, n);
}

/* Loads and stores of one line, in two halves where a word is 4 bytes: that many registers there
 * are. */
MEMLIFT_INLINE void copy_lines(unsigned char *d, const unsigned char *s, size_t lines) {
  for (unsigned char *end = d + 64 * lines; d != end; d += 8 * WORD, s += 8 * WORD) {
    memlift_word a = load_word(s), b = load_word(s + WORD), c = load_word(s + 2 * WORD);
    memlift_word e = load_word(s + 3 * WORD), f = load_word(s + 4 * WORD);
    memlift_word g = load_word(s + 5 * WORD), h = load_word(s + 6 * WORD),
                 i = load_word(s + 7 * WORD);
    store_word(d, a), store_word(d + WORD, b), store_word(d + 2 * WORD, c);
    store_word(d + 3 * WORD, e), store_word(d + 4 * WORD, f), store_word(d + 5 * WORD, g);
    store_word(d + 6 * WORD, h), store_word(d + 7 * WORD, i);
  }
}

/* A value of 8 bytes as the words that it is stored by, and as what is left of it at the end. */
union value {
  uint64_t whole;
  memlift_word words[8 / WORD];
  unsigned char bytes[8];
};

MEMLIFT_INLINE void fill_value(unsigned char *d, const union value *v) {
  for (size_t i = 0; i < 8; i += WORD)
    store_word(d + i, v->words[i / WORD]);
}

MEMLIFT_INLINE void fill_few(unsigned char *d, union value v, size_t n) {
  for (; n >= 8; n -= 8, d += 8)
    fill_value(d, &v);
  if (WORD == 4 && n & 4)
    store_word(d, v.words[0]);
  copy_rest(d + (WORD == 4 ? n & 4 : 0), v.bytes + (WORD == 4 ? n & 4 : 0), n);
}

void memlift_copy_a8(void *restrict dst, const void *restrict src, size_t n) {
  if (IS_FEW(n))
    copy_few((unsigned char *)dst, (const unsigned char *)src, n);
  else
    memlift_do_copy(dst, src, n);
}

void memlift_copy_a64(void *restrict dst, const void *restrict src, size_t n) {
  if (!IS_FEW(n)) {
    memlift_do_copy(dst, src, n);
    return;
  }
  unsigned char *d = (unsigned char *)dst;
  const unsigned char *s = (const unsigned char *)src;
  size_t whole = n & ~(size_t)63;
  copy_lines(d, s, n / 64);
  copy_few(d + whole, s + whole, n - whole);
}

void memlift_fill64_a8(void *dst, uint64_t v, size_t n) {
  union value value = {v};
  if (IS_FEW(n))
    fill_few((unsigned char *)dst, value, n);
  else
    memlift_do_fill(dst, v, n);
}

void memlift_fill64_a64(void *dst, uint64_t v, size_t n) {
  union value value = {v};
  if (!IS_FEW(n)) {
    memlift_do_fill(dst, v, n);
    return;
  }
  unsigned char *d = (unsigned char *)dst;
  for (unsigned char *end = d + (n & ~(size_t)63); d != end; d += 64)
    for (size_t i = 0; i < 64; i += 8)
      fill_value(d + i, &value);
  fill_few(d, value, n % 64);
}
