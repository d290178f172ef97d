/* sum_low_generic.c - sums of 32-bit words modulo 2^32 for any machine
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "sum_generic.h"

SUM(low_u32, 4, 0, 0)
