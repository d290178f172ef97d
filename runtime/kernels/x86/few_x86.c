/* few_x86.c - the masks of few.h, once for all kernels
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#if defined(__x86_64__)
#include "few.h"

#define ONES_16 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255

const unsigned char memlift_few_kept[128]
    __attribute__((aligned(64))) = {[64] = ONES_16, ONES_16, ONES_16, ONES_16};

const int32_t memlift_few_words[32]
    __attribute__((aligned(64))) = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

const int32_t memlift_few_word[31] __attribute__((aligned(64))) = {[15] = -1};
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
