/* masked.h - copies and fills of up to 256 bytes in the public routines themselves, with AVX-512
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Short operations take about eight cycles, of which the jump to a kernel is one and vzeroupper
 * another. Written out, because the public routines are compiled for the baseline: only the limit,
 * which follows the level in use, lets them come here. Registers from 16 on need no vzeroupper.
 * Up to a vector nothing depends on the size but a mask, so there is nothing to predict.
 */
#ifndef MEMLIFT_X86_MASKED_H
#define MEMLIFT_X86_MASKED_H

#include "../kernels.h"
#include "small.h"

/* Compilers that may use these registers have to know. */
#if defined(__AVX512BW__)
#define MASKED_CLOBBERS "k1", "xmm16", "xmm17", "xmm18", "xmm19", "memory", "cc"
#else
#define MASKED_CLOBBERS "memory", "cc"
#endif

#define MASKED_MOST 256

/* n <= 256, any overlap: loads come before stores. */
MEMLIFT_INLINE void masked_copy(void *d, const void *s, size_t n) {
  uint64_t mask = ~(uint64_t)0;
  if (MEMLIFT_LIKELY(n <= 64))
    __asm__ volatile("bzhi %[n], %[mask], %[mask]\n\t"
                     "kmovq %[mask], %%k1\n\t"
                     "vmovdqu8 (%[s]), %%zmm16%{%%k1%}%{z%}\n\t"
                     "vmovdqu8 %%zmm16, (%[d])%{%%k1%}"
                     : [mask] "+r"(mask)
                     : [n] "r"(n), [d] "r"(d), [s] "r"(s)
                     : MASKED_CLOBBERS);
  else if (n <= 128)
    __asm__ volatile("vmovdqu64 (%[s]), %%zmm16\n\t"
                     "vmovdqu64 -64(%[s],%[n]), %%zmm17\n\t"
                     "vmovdqu64 %%zmm16, (%[d])\n\t"
                     "vmovdqu64 %%zmm17, -64(%[d],%[n])"
                     :
                     : [n] "r"(n), [d] "r"(d), [s] "r"(s)
                     : MASKED_CLOBBERS);
  else
    __asm__ volatile("vmovdqu64 (%[s]), %%zmm16\n\t"
                     "vmovdqu64 64(%[s]), %%zmm17\n\t"
                     "vmovdqu64 -128(%[s],%[n]), %%zmm18\n\t"
                     "vmovdqu64 -64(%[s],%[n]), %%zmm19\n\t"
                     "vmovdqu64 %%zmm16, (%[d])\n\t"
                     "vmovdqu64 %%zmm17, 64(%[d])\n\t"
                     "vmovdqu64 %%zmm18, -128(%[d],%[n])\n\t"
                     "vmovdqu64 %%zmm19, -64(%[d],%[n])"
                     :
                     : [n] "r"(n), [d] "r"(d), [s] "r"(s)
                     : MASKED_CLOBBERS);
}

/* n <= 256, any overlap. A masked store is not forwarded to a load that follows at once, and what
 * moves within one array was often written just before, or is read next. So these are plain. */
MEMLIFT_INLINE void masked_move(void *d, const void *s, size_t n) {
  if (n > 64)
    masked_copy(d, s, n);
  else if (n <= 32)
    move_up_to_32((unsigned char *)d, (const unsigned char *)s, n);
  else
    __asm__ volatile("vmovdqu64 (%[s]), %%ymm16\n\t"
                     "vmovdqu64 -32(%[s],%[n]), %%ymm17\n\t"
                     "vmovdqu64 %%ymm16, (%[d])\n\t"
                     "vmovdqu64 %%ymm17, -32(%[d],%[n])"
                     :
                     : [n] "r"(n), [d] "r"(d), [s] "r"(s)
                     : MASKED_CLOBBERS);
}

/* n <= 64; zmm16 becomes all value by the instruction `splat`. */
#define MASKED_FILL_FEW(splat, value)                                                              \
  do {                                                                                             \
    uint64_t mask = ~(uint64_t)0;                                                                  \
    __asm__ volatile(splat ", %%zmm16\n\t"                                                         \
                           "bzhi %[n], %[mask], %[mask]\n\t"                                       \
                           "kmovq %[mask], %%k1\n\t"                                               \
                           "vmovdqu8 %%zmm16, (%[d])%{%%k1%}"                                      \
                     : [mask] "+r"(mask)                                                           \
                     : [n] "r"(n), [d] "r"(d), [v] "r"(value)                                      \
                     : MASKED_CLOBBERS);                                                           \
  } while (0)

/* 64 <= n <= 128; `splat` as above, `back` makes the vector at the end, `last`. */
#define MASKED_FILL_TWO(splat, back, last, value, rotated)                                         \
  __asm__ volatile(splat ", %%zmm16\n\t" back "vmovdqu64 %%zmm16, (%[d])\n\t"                      \
                         "vmovdqu64 " last ", -64(%[d],%[n])"                                      \
                   :                                                                               \
                   : [n] "r"(n), [d] "r"(d), [v] "r"(value), [r] "r"(rotated)                      \
                   : MASKED_CLOBBERS)

/* 128 <= n <= 256 */
#define MASKED_FILL_FOUR(splat, back, last, value, rotated)                                        \
  __asm__ volatile(splat ", %%zmm16\n\t" back "vmovdqu64 %%zmm16, (%[d])\n\t"                      \
                         "vmovdqu64 %%zmm16, 64(%[d])\n\t"                                         \
                         "vmovdqu64 " last ", -128(%[d],%[n])\n\t"                                 \
                         "vmovdqu64 " last ", -64(%[d],%[n])"                                      \
                   :                                                                               \
                   : [n] "r"(n), [d] "r"(d), [v] "r"(value), [r] "r"(rotated)                      \
                   : MASKED_CLOBBERS)

/* n <= 256; rotated: the value as it is n bytes on. */
MEMLIFT_INLINE void masked_fill(void *d, uint64_t pattern, size_t n) {
  const uint64_t rotated = memlift_rotate_pattern(pattern, n);
  if (MEMLIFT_LIKELY(n <= 64))
    MASKED_FILL_FEW("vpbroadcastq %[v]", pattern);
  else if (MEMLIFT_LIKELY(n <= 128))
    MASKED_FILL_TWO("vpbroadcastq %[v]", "vpbroadcastq %[r], %%zmm17\n\t", "%%zmm17", pattern,
                    rotated);
  else
    MASKED_FILL_FOUR("vpbroadcastq %[v]", "vpbroadcastq %[r], %%zmm17\n\t", "%%zmm17", pattern,
                     rotated);
}

/* n <= 256. A byte need not be multiplied or rotated. */
MEMLIFT_INLINE void masked_fill_bytes(void *d, uint8_t value, size_t n) {
  if (MEMLIFT_LIKELY(n <= 64))
    MASKED_FILL_FEW("vpbroadcastb %k[v]", (uint32_t)value);
  else if (MEMLIFT_LIKELY(n <= 128))
    MASKED_FILL_TWO("vpbroadcastb %k[v]", "", "%%zmm16", (uint32_t)value, 0);
  else
    MASKED_FILL_FOUR("vpbroadcastb %k[v]", "", "%%zmm16", (uint32_t)value, 0);
}

/* The beginning and the end of a loop over rows; the register r counts them. */
#define MASKED_ROWS "1:\n\t"
#define MASKED_NEXT_ROW "dec %[r]\n\tjnz 1b"

/* 1 <= n <= 256, rows >= 1. The size is looked at once. */
MEMLIFT_INLINE void masked_fill_rows(unsigned char *d, ptrdiff_t pitch, uint64_t pattern, size_t n,
                                     size_t rows) {
  const uint64_t rotated = memlift_rotate_pattern(pattern, n);
  uint64_t mask = ~(uint64_t)0;
  if (n <= 64)
    __asm__ volatile("vpbroadcastq %[v], %%zmm16\n\t"
                     "bzhi %[n], %[mask], %[mask]\n\t"
                     "kmovq %[mask], %%k1\n" MASKED_ROWS "vmovdqu8 %%zmm16, (%[d])%{%%k1%}\n\t"
                     "add %[pitch], %[d]\n\t" MASKED_NEXT_ROW
                     : [mask] "+r"(mask), [d] "+r"(d), [r] "+r"(rows)
                     : [n] "r"(n), [pitch] "r"(pitch), [v] "r"(pattern)
                     : MASKED_CLOBBERS);
  else if (n <= 128)
    __asm__ volatile("vpbroadcastq %[v], %%zmm16\n\t"
                     "vpbroadcastq %[last], %%zmm17\n" MASKED_ROWS "vmovdqu64 %%zmm16, (%[d])\n\t"
                     "vmovdqu64 %%zmm17, -64(%[d],%[n])\n\t"
                     "add %[pitch], %[d]\n\t" MASKED_NEXT_ROW
                     : [d] "+r"(d), [r] "+r"(rows)
                     : [n] "r"(n), [pitch] "r"(pitch), [v] "r"(pattern), [last] "r"(rotated)
                     : MASKED_CLOBBERS);
  else
    __asm__ volatile("vpbroadcastq %[v], %%zmm16\n\t"
                     "vpbroadcastq %[last], %%zmm17\n" MASKED_ROWS "vmovdqu64 %%zmm16, (%[d])\n\t"
                     "vmovdqu64 %%zmm16, 64(%[d])\n\t"
                     "vmovdqu64 %%zmm17, -128(%[d],%[n])\n\t"
                     "vmovdqu64 %%zmm17, -64(%[d],%[n])\n\t"
                     "add %[pitch], %[d]\n\t" MASKED_NEXT_ROW
                     : [d] "+r"(d), [r] "+r"(rows)
                     : [n] "r"(n), [pitch] "r"(pitch), [v] "r"(pattern), [last] "r"(rotated)
                     : MASKED_CLOBBERS);
}

/* 1 <= n <= 64, rows >= 1, each row a copy. */
MEMLIFT_INLINE void masked_copy_rows(unsigned char *d, ptrdiff_t to, const unsigned char *s,
                                     ptrdiff_t from, size_t n, size_t rows) {
  uint64_t mask = ~(uint64_t)0;
  __asm__ volatile("bzhi %[n], %[mask], %[mask]\n\t"
                   "kmovq %[mask], %%k1\n" MASKED_ROWS "vmovdqu8 (%[s]), %%zmm16%{%%k1%}%{z%}\n\t"
                   "vmovdqu8 %%zmm16, (%[d])%{%%k1%}\n\t"
                   "add %[from], %[s]\n\t"
                   "add %[to], %[d]\n\t" MASKED_NEXT_ROW
                   : [mask] "+r"(mask), [d] "+r"(d), [s] "+r"(s), [r] "+r"(rows)
                   : [n] "r"(n), [to] "r"(to), [from] "r"(from)
                   : MASKED_CLOBBERS);
}

#endif
