/* fill_generic.c - fills for any machine: bytes to the first aligned word, then words
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An 8-byte value keeps its place in every word once it is rotated by the number of bytes that led
 * to the first aligned one. A value of 3, 5, 6 or 7 bytes does not; but what has been written
 * period * 8 bytes before is the same and equally aligned, so we copy that forward.
 */
#include "words.h"

typedef uint64_t __attribute__((may_alias)) fill_word;

MEMLIFT_INLINE void put_byte(unsigned char *d, unsigned b) {
  MEMLIFT_HIDE(b);
  *d = (unsigned char)b;
}

MEMLIFT_INLINE unsigned byte_of(uint64_t pattern, size_t index) {
  return (unsigned)(pattern >> MEMLIFT_BYTE_SHIFT(index & 7, 8)) & 0xff;
}

MEMLIFT_KERNEL void memlift_fill_generic(void *dst, uint64_t pattern, size_t n) {
  unsigned char *d = (unsigned char *)dst;
  size_t head = -(uintptr_t)d % sizeof(fill_word), i = 0;
  if (n < head + sizeof(fill_word))
    head = n;
  for (; i < head; i++)
    put_byte(d + i, byte_of(pattern, i));
  uint64_t rotated = memlift_rotate_pattern(pattern, head);
  for (; n - i >= 4 * sizeof(fill_word); i += 4 * sizeof(fill_word)) {
    fill_word *w = (fill_word *)(void *)(d + i);
    /* A store of a value that cannot be traced through memory order is not taken for memset. */
    __asm__("" : "+r"(w));
    w[0] = rotated, w[1] = rotated, w[2] = rotated, w[3] = rotated;
  }
  for (; n - i >= sizeof(fill_word); i += sizeof(fill_word)) {
    fill_word *w = (fill_word *)(void *)(d + i);
    __asm__("" : "+r"(w));
    *w = rotated;
  }
  for (; i < n; i++)
    put_byte(d + i, byte_of(pattern, i));
}

MEMLIFT_KERNEL void memlift_pattern_generic(void *dst, uint64_t pattern, unsigned period,
                                            size_t n) {
  unsigned char *d = (unsigned char *)dst;
  const size_t back = 8 * (size_t)period;
  unsigned phase = 0;
  size_t i = 0;
  for (; i < n && (i < back || (uintptr_t)(d + i) % WORD != 0); i++) {
    put_byte(d + i, memlift_pattern_byte(pattern, phase));
    phase = phase + 1 == period ? 0 : phase + 1;
  }
  for (; n - i >= WORD; i += WORD)
    store_word(d + i, load_word(d + i - back));
  for (; i < n; i++)
    copy_byte(d + i, d + i - back);
}
