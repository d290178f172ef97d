/* bits.h - for short paths: the lowest bit of a word, and what is inlined and what is not
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_TASKS_BITS_H
#define MEMLIFT_TASKS_BITS_H

#include <stdint.h>

/* On a board in a model each atomic access of tasks is a step. */
#if defined(MEMLIFT_MODEL_HARTS)
#include "steps.h"
#endif

/* A function for what seldom happens: kept out of the way, and of the registers, of what does. */
#define MEMLIFT_SELDOM __attribute__((noinline, cold))
#if defined(__OPTIMIZE_SIZE__)
#define MEMLIFT_OFTEN static inline
#else
#define MEMLIFT_OFTEN static inline __attribute__((always_inline))
#endif

/* Returns the number of the lowest bit that is set; some is. RV64 without Zbb has no instruction
 * for that, and the compiler's routine takes 54. */
static inline unsigned memlift_lowest_bit(uint64_t bits) {
#if defined(__riscv) && !defined(__riscv_zbb)
  /* A de Bruijn sequence of 64 bits: the six at the top differ for each place of the bit. */
  static const unsigned char place[64] = {
      0,  1,  56, 2,  57, 49, 28, 3,  61, 58, 42, 50, 38, 29, 17, 4,  62, 47, 59, 36, 45, 43,
      51, 22, 53, 39, 33, 30, 24, 18, 12, 5,  63, 55, 48, 27, 60, 41, 37, 16, 46, 35, 44, 21,
      52, 32, 23, 11, 54, 26, 40, 15, 34, 20, 31, 10, 25, 14, 19, 9,  13, 8,  7,  6};
  return place[((bits & (0 - bits)) * UINT64_C(0x03f79d71b4ca8b09)) >> 58];
#else
  return (unsigned)__builtin_ctzll(bits);
#endif
}

#endif
