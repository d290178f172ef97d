/* sum_bytes_generic.c - sums of bytes for any machine
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "sum_generic.h"

SUM(u8, 1, 0, 0)
SUM(s8, 1, 1, 0)
