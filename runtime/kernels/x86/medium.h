/* medium.h - copies and fills of up to 256 bytes in the public routines themselves, with AVX2
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * As in masked.h, for machines without AVX-512: the way to a kernel takes three cycles of the eight
 * to ten. Written out, because the public routines are compiled for the baseline: only the limit,
 * which follows the level in use, lets them come here. vzeroupper ends what used 32 bytes of a
 * register, for the caller's SSE.
 */
#ifndef MEMLIFT_X86_MEDIUM_H
#define MEMLIFT_X86_MEDIUM_H

#include "small.h"

#define MEDIUM_MOST 256

/* n <= 256, any overlap: loads come before stores. From 33 to 64 bytes to and from any place, two
 * vectors of 32 take 2.5 ns on a Zen 3, and four of 16, of which more lie across lines, 3.3. */
MEMLIFT_INLINE void medium_move(void *d, const void *s, size_t n) {
  if (MEMLIFT_UNLIKELY(n <= 32))
    move_up_to_32((unsigned char *)d, (const unsigned char *)s, n);
  else if (MEMLIFT_LIKELY(n <= 64))
    __asm__ volatile("vmovdqu (%[s]), %%ymm0\n\t"
                     "vmovdqu -32(%[s],%[n]), %%ymm1\n\t"
                     "vmovdqu %%ymm0, (%[d])\n\t"
                     "vmovdqu %%ymm1, -32(%[d],%[n])\n\t"
                     "vzeroupper"
                     :
                     : [n] "r"(n), [d] "r"(d), [s] "r"(s)
                     : "xmm0", "xmm1", "memory");
  else if (n <= 128)
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

/* 32 <= n <= 256; `splat` makes ymm0 all value, and `last`, the vector at the end. */
#define MEDIUM_STORES(splat, stores, value, rotated)                                               \
  __asm__ volatile(splat stores "vzeroupper"                                                       \
                   :                                                                               \
                   : [n] "r"(n), [d] "r"(d), [v] "r"(value), [r] "r"(rotated)                      \
                   : "xmm0", "xmm1", "memory")
#define MEDIUM_FILL(splat, last, value, rotated)                                                   \
  do {                                                                                             \
    if (MEMLIFT_LIKELY(n <= 64))                                                                   \
      MEDIUM_STORES(splat,                                                                         \
                    "vmovdqu %%ymm0, (%[d])\n\t"                                                   \
                    "vmovdqu " last ", -32(%[d],%[n])\n\t",                                        \
                    value, rotated);                                                               \
    else if (n <= 128)                                                                             \
      MEDIUM_STORES(splat,                                                                         \
                    "vmovdqu %%ymm0, (%[d])\n\t"                                                   \
                    "vmovdqu %%ymm0, 32(%[d])\n\t"                                                 \
                    "vmovdqu " last ", -64(%[d],%[n])\n\t"                                         \
                    "vmovdqu " last ", -32(%[d],%[n])\n\t",                                        \
                    value, rotated);                                                               \
    else                                                                                           \
      MEDIUM_STORES(splat,                                                                         \
                    "vmovdqu %%ymm0, (%[d])\n\t"                                                   \
                    "vmovdqu %%ymm0, 32(%[d])\n\t"                                                 \
                    "vmovdqu %%ymm0, 64(%[d])\n\t"                                                 \
                    "vmovdqu %%ymm0, 96(%[d])\n\t"                                                 \
                    "vmovdqu " last ", -128(%[d],%[n])\n\t"                                        \
                    "vmovdqu " last ", -96(%[d],%[n])\n\t"                                         \
                    "vmovdqu " last ", -64(%[d],%[n])\n\t"                                         \
                    "vmovdqu " last ", -32(%[d],%[n])\n\t",                                        \
                    value, rotated);                                                               \
  } while (0)

/* n <= 256 */
MEMLIFT_INLINE void medium_fill(void *d, uint64_t pattern, size_t n) {
  if (MEMLIFT_UNLIKELY(n <= 32)) {
    fill_up_to_32((unsigned char *)d, pattern, n);
    return;
  }
  MEDIUM_FILL("vmovq %[v], %%xmm0\n\t"
              "vmovq %[r], %%xmm1\n\t"
              "vpbroadcastq %%xmm0, %%ymm0\n\t"
              "vpbroadcastq %%xmm1, %%ymm1\n\t",
              "%%ymm1", pattern, memlift_rotate_pattern(pattern, n));
}

/* n <= 256. A byte need not be multiplied or rotated. */
MEMLIFT_INLINE void medium_fill_bytes(void *d, uint8_t value, size_t n) {
  if (MEMLIFT_UNLIKELY(n < 16))
    fill_up_to_16((unsigned char *)d, value * 0x0101010101010101u, n, 1);
  else if (MEMLIFT_UNLIKELY(n <= 32))
    __asm__ volatile("vmovd %[v], %%xmm0\n\t"
                     "vpbroadcastb %%xmm0, %%xmm0\n\t"
                     "vmovdqu %%xmm0, (%[d])\n\t"
                     "vmovdqu %%xmm0, -16(%[d],%[n])"
                     :
                     : [n] "r"(n), [d] "r"(d), [v] "r"((uint32_t)value)
                     : "xmm0", "memory");
  else
    MEDIUM_FILL("vmovd %[v], %%xmm0\n\t"
                "vpbroadcastb %%xmm0, %%ymm0\n\t",
                "%%ymm0", (uint32_t)value, 0);
}

#endif
