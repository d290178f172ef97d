/* sum_halves_generic.c - sums of 16-bit words for any machine
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "sum_generic.h"

SUM(u16, 2, 0, 0)
SUM(s16, 2, 1, 0)
SUM(swap_u16, 2, 0, 1)
