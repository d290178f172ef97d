/* inet_upper.h - the words of up to 256 bytes in the registers from zmm16 on, with AVX-512
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * These need no vzeroupper, which takes one cycle of the nine or twelve that such a sum does.
 * Compilers take the lower registers first, so this is written out. A vector's words of 32 bits
 * are added in lanes of 64, as in inet_impl.h. AT&T syntax.
 */
#ifndef MEMLIFT_X86_INET_UPPER_H
#define MEMLIFT_X86_INET_UPPER_H

#include "../kernels.h"

#define UPPER_CLOBBERS "k1", "xmm16", "xmm17", "xmm18", "xmm19", "memory", "cc"

static const uint64_t upper_low32 = 0xffffffffu;

/* The two halves of each lane of zmmA, added, by way of zmmB. */
#define UPPER_WORDS(a, b)                                                                          \
  "vpsrlq $32, %%zmm" a ", %%zmm" b "\n\t"                                                         \
  "vpandq %[low]%{1to8%}, %%zmm" a ", %%zmm" a "\n\t"                                              \
  "vpaddq %%zmm" b ", %%zmm" a ", %%zmm" a "\n\t"

/* All lanes of zmm16, added. */
#define UPPER_SUM                                                                                  \
  "vextracti64x4 $1, %%zmm16, %%ymm17\n\t"                                                         \
  "vpaddq %%ymm17, %%ymm16, %%ymm16\n\t"                                                           \
  "vextracti32x4 $1, %%ymm16, %%xmm17\n\t"                                                         \
  "vpaddq %%xmm17, %%xmm16, %%xmm16\n\t"                                                           \
  "vpunpckhqdq %%xmm16, %%xmm16, %%xmm17\n\t"                                                      \
  "vpaddq %%xmm17, %%xmm16, %%xmm16\n\t"                                                           \
  "vmovq %%xmm16, %[sum]"

/* n <= 64 */
TARGET MEMLIFT_INLINE uint64_t upper_words(const unsigned char *p, size_t n) {
  uint64_t sum;
  __asm__("kmovq %[mask], %%k1\n\t"
          "vmovdqu8 (%[p]), %%zmm16%{%%k1%}%{z%}\n\t" UPPER_WORDS("16", "17") UPPER_SUM
          : [sum] "=r"(sum)
          : [p] "r"(p), [mask] "r"(_bzhi_u64(~(uint64_t)0, (unsigned)n)), [low] "m"(upper_low32)
          : UPPER_CLOBBERS);
  return sum;
}

/* More than 64 and at most 256: the first vector, the last one, and those between them. */
TARGET MEMLIFT_INLINE uint64_t upper_few(const unsigned char *p, size_t n) {
  const size_t whole = (n - 1) & ~(size_t)63;
  uint64_t sum;
  __asm__("kmovq %[mask], %%k1\n\t"
          "vmovdqu64 (%[p]), %%zmm16\n\t"
          "vmovdqu8 (%[p],%[whole]), %%zmm17%{%%k1%}%{z%}\n\t" UPPER_WORDS("16", "18") UPPER_WORDS(
              "17", "19") "cmp $128, %[whole]\n\t"
                          "jb 0f\n\t"
                          "vmovdqu64 64(%[p]), %%zmm18\n\t" UPPER_WORDS(
                              "18", "19") "vpaddq %%zmm18, %%zmm16, %%zmm16\n\t"
                                          "cmp $128, %[whole]\n\t"
                                          "je 0f\n\t"
                                          "vmovdqu64 128(%[p]), %%zmm18\n\t" UPPER_WORDS(
                                              "18",
                                              "19") "vpaddq %%zmm18, %%zmm17, %%zmm17\n"
                                                    "0:\n\t"
                                                    "vpaddq %%zmm17, %%zmm16, %%zmm16\n\t" UPPER_SUM
          : [sum] "=r"(sum)
          : [p] "r"(p), [whole] "r"(whole),
            [mask] "r"(_bzhi_u64(~(uint64_t)0, (unsigned)(n - whole))), [low] "m"(upper_low32)
          : UPPER_CLOBBERS);
  return sum;
}

#endif
