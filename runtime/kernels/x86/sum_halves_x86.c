/* sum_halves_x86.c - sums of 16-bit words for x86-64
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#if defined(__x86_64__)
#define SUMS(X) X(SUM_U16, sum_u16) X(SUM_S16, sum_s16) X(SUM_SWAP16, sum_swap_u16)
#include "sum_x86.h"
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
