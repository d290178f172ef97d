/* words.h - the machine word of the generic kernels, and how to get at memory with it
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_GENERIC_WORDS_H
#define MEMLIFT_GENERIC_WORDS_H

#include "../kernels.h"

/* As wide as a register on LP64 and ILP32; may_alias, since callers have objects of any type. */
typedef unsigned long __attribute__((may_alias)) memlift_word;

#define WORD sizeof(memlift_word)

/* Only ever used on aligned addresses: strict-alignment machines are the ones that run this. */
MEMLIFT_INLINE memlift_word load_word(const unsigned char *p) {
  memlift_word w = *(const memlift_word *)(const void *)p;
  MEMLIFT_HIDE(w);
  return w;
}

MEMLIFT_INLINE void store_word(unsigned char *p, memlift_word w) { *(memlift_word *)(void *)p = w; }

MEMLIFT_INLINE void copy_byte(unsigned char *d, const unsigned char *s) {
  unsigned b = *s;
  MEMLIFT_HIDE(b);
  *d = (unsigned char)b;
}

/* The byte that stands at `index` in memory order of a word. */
MEMLIFT_INLINE memlift_word word_of_byte(unsigned char b, size_t index) {
  return (memlift_word)b << MEMLIFT_BYTE_SHIFT(index, WORD);
}

#define EACH(byte) ((memlift_word)(byte) * ((memlift_word) - 1 / 255))

/* Not 0 if a byte of w is 0: the top bit of each such byte. (w & 0x7f..) + 0x7f.. | w has a clear
 * top bit there; no carry goes from byte to byte, so the test is exact in both directions. */
MEMLIFT_INLINE memlift_word zero_bytes(memlift_word w) {
  return ~(((w & EACH(0x7f)) + EACH(0x7f)) | w) & EACH(0x80);
}

#endif
