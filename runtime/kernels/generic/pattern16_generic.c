/* pattern16_generic.c - fills with a value of 9 to 16 bytes, for any machine
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The value is laid out twice in a row, so that two 8-byte pieces of it, one from its start and one
 * that ends where it ends, cover a whole period: 9 to 16 bytes. Where unaligned stores are one
 * instruction, each period is two of them. Elsewhere the first eight periods go byte by byte; what
 * was written 8 * period bytes before is the same and equally aligned, so we copy that forward.
 */
#include "sums.h"
#include "words.h"

#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__) ||                            \
    defined(__ARM_FEATURE_UNALIGNED) || defined(__riscv_misaligned_fast) || defined(__s390x__)
#define UNALIGNED_FAST 1
#else
#define UNALIGNED_FAST 0
#endif

/* Byte j of a value of two words, lowest first. */
MEMLIFT_INLINE unsigned value_byte(uint64_t low, uint64_t high, unsigned j) {
  return (unsigned)((j < 8 ? low : high) >> (8 * (j & 7))) & 0xff;
}

MEMLIFT_INLINE void put(unsigned char *d, unsigned b) {
  MEMLIFT_HIDE(b);
  *d = (unsigned char)b;
}

/* A word as it lies in memory whose lowest byte is the first. */
MEMLIFT_INLINE void put_lowest_first(unsigned char *d, uint64_t v) {
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
  v = __builtin_bswap64(v);
#endif
  ((struct sum_packed64 *)(void *)d)->v = v;
}

/* Bytes from `from` on, at most 7 beyond the first word's start. */
MEMLIFT_INLINE uint64_t piece(uint64_t low, uint64_t high, unsigned from) {
  return from == 0 ? low : from == 8 ? high : low >> (8 * from) | high << (64 - 8 * from);
}

MEMLIFT_INLINE size_t by_two_words(unsigned char *d, uint64_t low, uint64_t high, unsigned period,
                                   size_t n) {
  uint64_t last = piece(low, high, period - 8);
  size_t i = 0;
  for (; n - i >= period; i += period) {
    put_lowest_first(d + i, low);
    put_lowest_first(d + i + period - 8, last);
  }
  return i;
}

MEMLIFT_INLINE size_t by_aligned_words(unsigned char *d, uint64_t low, uint64_t high,
                                       unsigned period, size_t n) {
  const size_t back = 8 * (size_t)period;
  unsigned phase = 0;
  size_t i = 0;
  for (; i < n && (i < back || (uintptr_t)(d + i) % WORD != 0); i++) {
    put(d + i, value_byte(low, high, phase));
    phase = phase + 1 == period ? 0 : phase + 1;
  }
  for (; n - i >= WORD; i += WORD)
    store_word(d + i, load_word(d + i - back));
  for (; i < n; i++)
    copy_byte(d + i, d + i - back);
  return i;
}

MEMLIFT_KERNEL void memlift_pattern16_generic(void *dst, uint64_t low, uint64_t high,
                                              unsigned period, size_t n) {
  unsigned char *d = (unsigned char *)dst;
  size_t i = UNALIGNED_FAST ? by_two_words(d, low, high, period, n)
                            : by_aligned_words(d, low, high, period, n);
  for (unsigned j = 0; i < n; i++, j++)
    put(d + i, value_byte(low, high, j));
}
