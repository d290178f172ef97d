/* fill_riscv64.c - zeros by whole blocks (Zicboz), the rest by what the level has
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cbo.zero clears a block without reading it. The block's size is the system's answer, never a
 * guess: a wrong one would clear too much. Only blocks that lie in the region as a whole are used.
 */
#include "../kernels.h"

#if defined(__riscv) && MEMLIFT_HAVE_MACHINE_KERNELS
#include "bits_riscv64.h"
#include "features_riscv64.h"
#include "vector_riscv64.h"

/* From here on blocks pay: head and tail are one block together on average. */
#define BLOCKS_FROM(block) (4 * (size_t)(block))

/* 1 if it was done. */
MEMLIFT_INLINE int zero_by_blocks(unsigned char *d, size_t n, memlift_fill_fn *fill) {
  const size_t block = memlift_riscv64_features().zero_block;
  if (!block || n < BLOCKS_FROM(block))
    return 0;
  size_t head = (0 - (uintptr_t)d) & (block - 1);
  fill(d, 0, head);
  for (d += head, n -= head; n >= block; d += block, n -= block)
    cbo_zero(d);
  fill(d, 0, n);
  return 1;
}

MEMLIFT_KERNEL void memlift_fill_riscv64_zicboz(void *dst, uint64_t pattern, size_t n) {
  if (pattern != 0 || !zero_by_blocks((unsigned char *)dst, n, memlift_fill_riscv64_base))
    memlift_fill_riscv64_base(dst, pattern, n);
}

/* Registers are a whole number of patterns long, and hold it from the first byte on. */
MEMLIFT_KERNEL static void fill_vectors(void *dst, uint64_t pattern, size_t n) {
  size_t all;
  if (n == 0)
    return;
  __asm__ volatile(VECTORS "vsetvli %[all], zero, e64, m8, ta, ma\n"
                           "vmv.v.x v0, %[pattern]\n"
                           "vsetvli %[all], zero, e8, m8, ta, ma\n"
                           "bltu %[n], %[all], 2f\n"
                           "1: vse8.v v0, (%[d])\n"
                           "sub %[n], %[n], %[all]\n"
                           "add %[d], %[d], %[all]\n"
                           "bgeu %[n], %[all], 1b\n"
                           "2: vsetvli zero, %[n], e8, m8, ta, ma\n"
                           "vse8.v v0, (%[d])\n" VECTORS_END
                   : [d] "+r"(dst), [n] "+r"(n), [all] "=&r"(all)
                   : [pattern] "r"(pattern)
                   : "memory" VECTORS_CLOBBERED);
}

MEMLIFT_KERNEL void memlift_fill_riscv64_v(void *dst, uint64_t pattern, size_t n) {
  if (pattern != 0 || !zero_by_blocks((unsigned char *)dst, n, fill_vectors))
    fill_vectors(dst, pattern, n);
}
#endif

typedef int memlift_fill_riscv64; /* a translation unit must not be empty */
