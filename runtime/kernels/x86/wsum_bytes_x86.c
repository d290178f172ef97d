/* wsum_bytes_x86.c - weighted sums of bytes (Adler-32) for x86-64, one variant per vector width
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The method is in vector/wsum_impl.h.
 */
#if defined(__x86_64__)
#define WORDS_APART
#include "lanes.h"

#include "../vector/wsum_weights.h"

#include "vec_sse2.h"
#include "../vector/wsum_impl.h"

#include "vec_avx2.h"
#include "../vector/wsum_impl.h"

#include "vec_avx512.h"
#include "../vector/wsum_impl.h"
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
