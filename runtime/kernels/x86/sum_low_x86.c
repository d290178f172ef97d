/* sum_low_x86.c - sums of 32-bit words modulo 2^32 for x86-64
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#if defined(__x86_64__)
#define SUMS(X) X(SUM_LOW32, sum_low_u32)
#include "sum_x86.h"
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
