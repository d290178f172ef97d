/* medium.h - copies and fills of 64 to 256 bytes in the public routines themselves, with AVX2
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * As in masked.h, for machines without AVX-512: the way to a kernel takes three cycles of the eight
 * to ten. Written out, because the public routines are compiled for the baseline: only the limit,
 * which follows the level in use, lets them come here. vzeroupper ends each, for the caller's SSE.
 */
#ifndef MEMLIFT_X86_MEDIUM_H
#define MEMLIFT_X86_MEDIUM_H

#include "../kernels.h"

#define MEDIUM_MOST 256

/* 64 <= n <= 256, any overlap: loads come before stores. */
MEMLIFT_INLINE void medium_move(void *d, const void *s, size_t n) {
  if (n <= 128)
    __asm__ volatile("vmovdqu (%[s]), %%ymm0\n\t"
                     "vmovdqu 32(%[s]), %%ymm1\n\t"
                     "vmovdqu -64(%[s],%[n]), %%ymm2\n\t"
                     "vmovdqu -32(%[s],%[n]), %%ymm3\n\t"
                     "vmovdqu %%ymm0, (%[d])\n\t"
                     "vmovdqu %%ymm1, 32(%[d])\n\t"
                     "vmovdqu %%ymm2, -64(%[d],%[n])\n\t"
                     "vmovdqu %%ymm3, -32(%[d],%[n])\n\t"
                     "vzeroupper"
                     :
                     : [n] "r"(n), [d] "r"(d), [s] "r"(s)
                     : "xmm0", "xmm1", "xmm2", "xmm3", "memory");
  else
    __asm__ volatile("vmovdqu (%[s]), %%ymm0\n\t"
                     "vmovdqu 32(%[s]), %%ymm1\n\t"
                     "vmovdqu 64(%[s]), %%ymm2\n\t"
                     "vmovdqu 96(%[s]), %%ymm3\n\t"
                     "vmovdqu -128(%[s],%[n]), %%ymm4\n\t"
                     "vmovdqu -96(%[s],%[n]), %%ymm5\n\t"
                     "vmovdqu -64(%[s],%[n]), %%ymm6\n\t"
                     "vmovdqu -32(%[s],%[n]), %%ymm7\n\t"
                     "vmovdqu %%ymm0, (%[d])\n\t"
                     "vmovdqu %%ymm1, 32(%[d])\n\t"
                     "vmovdqu %%ymm2, 64(%[d])\n\t"
                     "vmovdqu %%ymm3, 96(%[d])\n\t"
                     "vmovdqu %%ymm4, -128(%[d],%[n])\n\t"
                     "vmovdqu %%ymm5, -96(%[d],%[n])\n\t"
                     "vmovdqu %%ymm6, -64(%[d],%[n])\n\t"
                     "vmovdqu %%ymm7, -32(%[d],%[n])\n\t"
                     "vzeroupper"
                     :
                     : [n] "r"(n), [d] "r"(d), [s] "r"(s)
                     : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "memory");
}

/* 64 <= n <= 256; `splat` makes ymm0 all value, and `last`, the vector at the end. */
#define MEDIUM_FILL(splat, last, value, rotated)                                                   \
  do {                                                                                             \
    if (n <= 128)                                                                                  \
      __asm__ volatile(splat "vmovdqu %%ymm0, (%[d])\n\t"                                          \
                             "vmovdqu %%ymm0, 32(%[d])\n\t"                                        \
                             "vmovdqu " last ", -64(%[d],%[n])\n\t"                                \
                             "vmovdqu " last ", -32(%[d],%[n])\n\t"                                \
                             "vzeroupper"                                                          \
                       :                                                                           \
                       : [n] "r"(n), [d] "r"(d), [v] "r"(value), [r] "r"(rotated)                  \
                       : "xmm0", "xmm1", "memory");                                                \
    else                                                                                           \
      __asm__ volatile(splat "vmovdqu %%ymm0, (%[d])\n\t"                                          \
                             "vmovdqu %%ymm0, 32(%[d])\n\t"                                        \
                             "vmovdqu %%ymm0, 64(%[d])\n\t"                                        \
                             "vmovdqu %%ymm0, 96(%[d])\n\t"                                        \
                             "vmovdqu " last ", -128(%[d],%[n])\n\t"                               \
                             "vmovdqu " last ", -96(%[d],%[n])\n\t"                                \
                             "vmovdqu " last ", -64(%[d],%[n])\n\t"                                \
                             "vmovdqu " last ", -32(%[d],%[n])\n\t"                                \
                             "vzeroupper"                                                          \
                       :                                                                           \
                       : [n] "r"(n), [d] "r"(d), [v] "r"(value), [r] "r"(rotated)                  \
                       : "xmm0", "xmm1", "memory");                                                \
  } while (0)

/* 64 <= n <= 256; rotated: the value as it is n bytes on. */
MEMLIFT_INLINE void medium_fill(void *d, uint64_t pattern, uint64_t rotated, size_t n) {
  MEDIUM_FILL("vmovq %[v], %%xmm0\n\t"
              "vmovq %[r], %%xmm1\n\t"
              "vpbroadcastq %%xmm0, %%ymm0\n\t"
              "vpbroadcastq %%xmm1, %%ymm1\n\t",
              "%%ymm1", pattern, rotated);
}

/* 64 <= n <= 256. A byte need not be multiplied or rotated. */
MEMLIFT_INLINE void medium_fill_bytes(void *d, uint8_t value, size_t n) {
  MEDIUM_FILL("vmovd %[v], %%xmm0\n\t"
              "vpbroadcastb %%xmm0, %%ymm0\n\t",
              "%%ymm0", (uint32_t)value, 0);
}

#endif
