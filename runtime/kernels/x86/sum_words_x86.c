/* sum_words_x86.c - sums of 32-bit words for x86-64
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#if defined(__x86_64__)
#define SUMS(X) X(SUM_U32, sum_u32) X(SUM_S32, sum_s32) X(SUM_SWAP32, sum_swap_u32)
#include "sum_x86.h"
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
