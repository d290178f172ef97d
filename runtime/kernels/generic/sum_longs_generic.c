/* sum_longs_generic.c - sums of 64-bit words for any machine
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "sum_generic.h"

SUM(u64, 8, 0, 0)
