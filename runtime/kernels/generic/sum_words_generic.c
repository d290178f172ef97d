/* sum_words_generic.c - sums of 32-bit words for any machine
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "sum_generic.h"

SUM(u32, 4, 0, 0)
SUM(s32, 4, 1, 0)
SUM(swap_u32, 4, 0, 1)
