/* sum_generic.h - some of the sums of bytes and words for any machine, eight bytes at a time
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A file for each size of word includes this, so that a static program brings the sums that it
 * needs.
 *
 * The words of an 8-byte load are added in lanes of twice their width, the odd ones shifted down
 * to the even ones:
 *
 *     bytes      b7 b6 b5 b4 b3 b2 b1 b0        lanes of 16 bits: b7+b6  b5+b4  b3+b2  b1+b0
 *
 * Lanes are emptied into the 64-bit total before one can overflow. A signed word is an unsigned
 * one with its top bit inverted, less 2^(width - 1); the latter is subtracted once for all words.
 */
#include "sums.h"

struct shape {
  unsigned bytes; /* of a word */
  int is_signed, is_swapped;
};

/* The words of x in lanes of twice their width, all added pairwise. */
MEMLIFT_INLINE uint64_t pairs(uint64_t x, struct shape s) {
  switch (s.bytes) {
  case 1: return (x & BYTES_EVEN) + (x >> 8 & BYTES_EVEN);
  case 2: return (x & WORDS_EVEN) + (x >> 16 & WORDS_EVEN);
  case 4: return (x & HALF_LOW) + (x >> 32);
  default: return x;
  }
}

/* All lanes of the sums above in one number. */
MEMLIFT_INLINE uint64_t collect(uint64_t lanes, struct shape s) {
  if (s.bytes == 1)
    lanes = (lanes & WORDS_EVEN) + (lanes >> 16 & WORDS_EVEN);
  if (s.bytes <= 2)
    lanes = (lanes & HALF_LOW) + (lanes >> 32);
  return lanes;
}

/* Loads that lanes take: 128 * 2 * 255 < 2^16; 32768 * 2 * 65535 < 2^32; no limit above. */
MEMLIFT_INLINE size_t loads_at_once(struct shape s) { return s.bytes == 1 ? 128 : 32768; }

MEMLIFT_INLINE uint64_t top_bits(struct shape s) {
  return s.bytes == 1   ? 0x8080808080808080u
         : s.bytes == 2 ? 0x8000800080008000u
                        : 0x8000000080000000u;
}

/* Shifts and masks rather than a byte swap of 64 bits, which is a libgcc call on some machines. */
MEMLIFT_INLINE uint64_t arrange(uint64_t x, struct shape s) {
  if (s.is_swapped)
    x = (x & BYTES_EVEN) << 8 | (x >> 8 & BYTES_EVEN);
  if (s.is_swapped && s.bytes == 4)
    x = (x & WORDS_EVEN) << 16 | (x >> 16 & WORDS_EVEN);
  return s.is_signed ? x ^ top_bits(s) : x;
}

/* n is a multiple of 8. */
MEMLIFT_INLINE uint64_t sum_words(const unsigned char *p, size_t n, int aligned, struct shape s) {
  uint64_t total = 0;
  while (n) {
    size_t most = 8 * loads_at_once(s), now = n < most ? n : most;
    const unsigned char *end = p + now;
    uint64_t lanes = 0;
    for (; p < end; p += 8)
      lanes += pairs(arrange(load_u64(p, aligned), s), s);
    total += collect(lanes, s);
    n -= now;
  }
  return total;
}

/* Fewer than eight bytes, whole words; a lone word is put where `pairs` keeps it. */
MEMLIFT_INLINE uint64_t sum_few(const unsigned char *p, size_t n, struct shape s) {
  const uint64_t one = ~0ull >> (64 - 8 * s.bytes);
  uint64_t total = 0;
  for (size_t i = 0; i + s.bytes <= n; i += s.bytes)
    total += arrange(load_packed(p + i, s.bytes), s) & one;
  return total;
}

MEMLIFT_INLINE uint64_t sum(const void *from, size_t n, struct shape s) {
  const unsigned char *p = (const unsigned char *)from;
  size_t words = n / s.bytes, head = to_boundary(p), middle;
  int aligned = head % s.bytes == 0;
  uint64_t total = 0;
  n = words * s.bytes;
  if (aligned && head <= n) {
    total = sum_few(p, head, s);
    p += head, n -= head;
  } else {
    aligned = 0;
  }
  middle = n & ~(size_t)7;
  total += aligned ? sum_words(p, middle, 1, s) : sum_words(p, middle, 0, s);
  total += sum_few(p + middle, n - middle, s);
  return s.is_signed ? total - ((uint64_t)words << (8 * s.bytes - 1)) : total;
}

#define SUM(name, bytes, is_signed, is_swapped)                                                    \
  MEMLIFT_KERNEL uint64_t memlift_sum_##name##_generic(const void *p, size_t n) {                  \
    return sum(p, n, (struct shape){bytes, is_signed, is_swapped});                                \
  }
