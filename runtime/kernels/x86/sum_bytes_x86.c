/* sum_bytes_x86.c - sums of bytes for x86-64
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#if defined(__x86_64__)
#define SUMS(X) X(SUM_U8, sum_u8) X(SUM_S8, sum_s8)
#include "sum_x86.h"
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
