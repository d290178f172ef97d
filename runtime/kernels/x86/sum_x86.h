/* sum_x86.h - some of the sums for x86-64, one variant per vector width
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * SUMS(X) lists the operations of the file that includes this; each file becomes an object, so that
 * a static program brings the sums that it needs. The method is in sum_impl.h.
 */
#include "few.h"
#include "lanes.h"

#define LOW16 0x0000ffff0000ffffu /* the low half of each 32-bit lane */
#define LOW32 0x00000000ffffffffu /* the low half of each 64-bit lane */
#define TOP8 0x8080808080808080u
#define TOP16 0x8000800080008000u
#define TOP32 0x8000000080000000u

#include "vec_sse2.h"
#include "sum_impl.h"

#include "vec_avx2.h"
#include "sum_impl.h"

#include "vec_avx512.h"
#include "sum_impl.h"
