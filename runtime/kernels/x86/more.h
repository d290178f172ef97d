/* more.h - fills of 257 to 2,048 bytes with one byte in the public routine itself
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sizes at random are guessed wrong at the loop's end, and whatever comes before that adds to their
 * time: the way to a kernel was three of the 28 ticks of 288 to 2,048 bytes on a Sapphire Rapids.
 * Written out for the reasons of masked.h. The method is that of fill_impl.h.
 */
#ifndef MEMLIFT_X86_MORE_H
#define MEMLIFT_X86_MORE_H

#include "limits.h"
#include "masked.h"

/* A vector at each of the addresses i * V + at, for all i listed. */
#define MORE_STORES(list, V, store, at)                                                            \
  ".irp i, " list "\n\t" store ", \\i*" #V "+" at "\n\t.endr\n\t"

/* 256 < n <= MEMLIFT_VECTORS_MOST; vectors of V bytes. `splat` makes all bytes of one the value;
 * `anywhere` and `aligned` begin an instruction that stores it; `clear` is the last instruction.
 * Up to 512 bytes there are aligned vectors at the indices `few` after the first one, then one that
 * may be among those that follow it, and as many before the end, the first of them at `back`. */
/* clang-format off */
#define MORE_FILL(V, few, back, splat, anywhere, aligned, clear, ...)                              \
  do {                                                                                             \
    unsigned char *at = (unsigned char *)(((uintptr_t)d | (V - 1)) + 1);                           \
    unsigned char *end = (unsigned char *)(((uintptr_t)d + n - 1) & ~(uintptr_t)(V - 1));          \
    if (MEMLIFT_LIKELY(n > 512)) {                                                                 \
      __asm__ volatile(splat                                                                       \
                       anywhere ", (%[d])\n\t"                                                     \
                       "cmp %[end], %[at]\n\t"                                                     \
                       "jae 2f\n\t"                                                                \
                       ".p2align 4\n"                                                              \
                       "1:\n\t"                                                                    \
                       MORE_STORES("0, 1, 2, 3", V, aligned, "0(%[at])")                           \
                       "add $4*" #V ", %[at]\n\t"                                                  \
                       "cmp %[end], %[at]\n\t"                                                     \
                       "jb 1b\n"                                                                   \
                       "2:\n\t"                                                                    \
                       MORE_STORES("0, 1, 2", V, aligned, "0(%[end])")                             \
                       anywhere ", -" #V "(%[d],%[n])" clear                                       \
                       : [at] "+r"(at)                                                             \
                       : [n] "r"(n), [d] "r"(d), [v] "r"((uint32_t)value), [end] "r"(end - 3 * V)  \
                       : __VA_ARGS__);                                                             \
    } else {                                                                                       \
      unsigned char *between = at + 256 - V;                                                       \
      between = between < end ? between : end - V;                                                 \
      __asm__ volatile(splat                                                                       \
                       anywhere ", (%[d])\n\t"                                                     \
                       MORE_STORES(few, V, aligned, "0(%[at])")                                    \
                       aligned ", (%[between])\n\t"                                                \
                       MORE_STORES(few, V, aligned, back "(%[end])")                               \
                       anywhere ", -" #V "(%[d],%[n])" clear                                       \
                       :                                                                           \
                       : [n] "r"(n), [d] "r"(d), [v] "r"((uint32_t)value), [at] "r"(at),           \
                         [between] "r"(between), [end] "r"(end)                                    \
                       : __VA_ARGS__);                                                             \
    }                                                                                              \
  } while (0)
/* clang-format on */

/* 256 < n <= MEMLIFT_VECTORS_MOST, with AVX-512. */
MEMLIFT_INLINE void masked_fill_more(void *d, uint8_t value, size_t n) {
  MORE_FILL(64, "0, 1, 2", "-192", "vpbroadcastb %k[v], %%zmm16\n\t", "vmovdqu64 %%zmm16",
            "vmovdqa64 %%zmm16", "", MASKED_CLOBBERS);
}

/* 256 < n <= MEMLIFT_VECTORS_MOST, with AVX2. */
MEMLIFT_INLINE void medium_fill_more(void *d, uint8_t value, size_t n) {
  MORE_FILL(32, "0, 1, 2, 3, 4, 5, 6", "-224",
            "vmovd %[v], %%xmm0\n\tvpbroadcastb %%xmm0, %%ymm0\n\t", "vmovdqu %%ymm0",
            "vmovdqa %%ymm0", "\n\tvzeroupper", "xmm0", "memory", "cc");
}

#endif
