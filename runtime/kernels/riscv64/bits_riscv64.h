/* bits_riscv64.h - instructions of Zbb, Zbc and Zicboz, for any assembler
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * GCC 12 has neither target attributes nor built-in functions for them; .insn needs none. The
 * encodings: RISC-V bit manipulation 1.0 and cache management operations 1.0. No call of these
 * without the extension.
 */
#ifndef MEMLIFT_BITS_RISCV64_H
#define MEMLIFT_BITS_RISCV64_H

#include "../kernels.h"

/* Zbb: the bytes of a word in reverse order. */
MEMLIFT_INLINE uint64_t rev8(uint64_t x) {
  uint64_t y;
  __asm__(".insn i 0x13, 5, %0, %1, 0x6b8" : "=r"(y) : "r"(x));
  return y;
}

/* Zbc: the low and the high word of a carry-less product. */
MEMLIFT_INLINE uint64_t clmul(uint64_t a, uint64_t b) {
  uint64_t x;
  __asm__(".insn r 0x33, 1, 5, %0, %1, %2" : "=r"(x) : "r"(a), "r"(b));
  return x;
}

MEMLIFT_INLINE uint64_t clmulh(uint64_t a, uint64_t b) {
  uint64_t x;
  __asm__(".insn r 0x33, 3, 5, %0, %1, %2" : "=r"(x) : "r"(a), "r"(b));
  return x;
}

/* Zicboz: clears the block that p points into. */
MEMLIFT_INLINE void cbo_zero(void *p) {
  __asm__ volatile(".insn i 0x0f, 2, x0, %0, 4" : : "r"(p) : "memory");
}

#endif
