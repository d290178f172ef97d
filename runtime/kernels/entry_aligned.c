/* entry_aligned.c - the public copy and fill for addresses that are multiples of 8
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a compiler has proved need not be tested, nor bytes be done until it holds. Where unaligned
 * words are slow or trap that decides how long a short copy takes, so these do short ones in place:
 * words two by two, the loads first, then what is left of a word. Elsewhere, and for long ones, the
 * kernels are as good.
 */
#include "../include/memlift/memlift.h"
#include "generic/words.h"
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

void memlift_copy_a8(void *restrict dst, const void *restrict src, size_t n) {
  if (IS_FEW(n))
    copy_few((unsigned char *)dst, (const unsigned char *)src, n);
  else
    memlift_do_copy(dst, src, n);
}

void memlift_fill64_a8(void *dst, uint64_t v, size_t n) {
  if (!IS_FEW(n)) {
    memlift_do_fill(dst, v, n);
    return;
  }
  union {
    uint64_t whole;
    memlift_word words[8 / WORD];
    unsigned char bytes[8];
  } value = {v};
  unsigned char *d = (unsigned char *)dst;
  for (; n >= 8; n -= 8, d += 8)
    for (size_t i = 0; i < 8; i += WORD)
      store_word(d + i, value.words[i / WORD]);
  if (WORD == 4 && n & 4)
    store_word(d, value.words[0]);
  copy_rest(d + (WORD == 4 ? n & 4 : 0), value.bytes + (WORD == 4 ? n & 4 : 0), n);
}
