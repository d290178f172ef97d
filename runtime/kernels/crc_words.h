/* crc_words.h - common part of the kernels that fold CRCs: rows of constants, short inputs
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For machines whose lowest byte comes first. `up` is 1 where the first byte holds the highest
 * powers of x (not reflected): words of the machine then have their bytes swapped.
 */
#ifndef MEMLIFT_CRC_WORDS_H
#define MEMLIFT_CRC_WORDS_H

#include "../include/memlift/memlift.h"
#include "kernels.h"

/* Rows of memlift_crc_poly.fold, by the distance in bits; the last one is for Barrett's method. */
enum fold_by { BY_2048, BY_1536, BY_1024, BY_512, BY_384, BY_256, BY_128, BARRETT };

MEMLIFT_INLINE uint64_t load8(const unsigned char *p, int up) {
  uint64_t v;
  __builtin_memcpy(&v, p, 8);
  return up ? __builtin_bswap64(v) : v;
}

/* 1 to 7 bytes, at the end of the lowest powers of x; neither end is overread. */
MEMLIFT_INLINE uint64_t load_few(const unsigned char *p, size_t n, int up) {
  uint64_t v;
  if (n >= 4) {
    uint32_t a, b;
    __builtin_memcpy(&a, p, 4);
    __builtin_memcpy(&b, p + n - 4, 4);
    v = a | (uint64_t)b << (8 * (n - 4));
  } else {
    v = p[0] | (uint64_t)p[n / 2] << (8 * (n / 2)) | (uint64_t)p[n - 1] << (8 * (n - 1));
  }
  v <<= 64 - 8 * n;
  return up ? __builtin_bswap64(v) : v;
}

#endif
