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

#if defined(__riscv) && !defined(__riscv_zbb)
#define MEMLIFT_BITS_BY_TABLE 1
/* bits.c. Where the compiler sees what is in it, it makes a table of its own for each function. */
extern __attribute__((visibility("hidden"))) const unsigned char memlift_bit_places[64];

/* bits.c: what is below, as one function for all. */
__attribute__((visibility("hidden"))) unsigned memlift_lowest_bit_once(uint64_t bits);

/* By a de Bruijn sequence of 64 bits: the six at the top differ for each place of the bit. */
static inline unsigned memlift_lowest_bit_by_table(uint64_t bits) {
  unsigned place = memlift_bit_places[((bits & (0 - bits)) * UINT64_C(0x03f79d71b4ca8b09)) >> 58];
  if (place > 63)
    __builtin_unreachable();
  return place;
}
#endif

/* Returns the number of the lowest bit that is set; some is. RV64 without Zbb has no instruction
 * for that, and the compiler's routine takes 54. */
static inline unsigned memlift_lowest_bit(uint64_t bits) {
#if defined(MEMLIFT_BITS_BY_TABLE) && defined(__OPTIMIZE_SIZE__)
  return memlift_lowest_bit_once(bits);
#elif defined(MEMLIFT_BITS_BY_TABLE)
  return memlift_lowest_bit_by_table(bits);
#else
  return (unsigned)__builtin_ctzll(bits);
#endif
}

#endif
