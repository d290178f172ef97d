/* ones_x86.c - ones' complement sum of 64-bit words for x86-64, one variant per vector width
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The method is in ones_impl.h.
 */
#if defined(__x86_64__)
#include "few.h"
#include "lanes.h"

#include "vec_sse2.h"
#include "ones_impl.h"

#include "vec_avx2.h"
#include "ones_impl.h"

#include "vec_avx512.h"
#include "ones_impl.h"
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
