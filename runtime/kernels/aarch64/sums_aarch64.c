/* sums_aarch64.c - sums, weighted sums, exclusive-or and byte-swapping copies by NEON
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The methods are in vector/sum_impl.h, wsum_impl.h, xor_impl.h and swap_impl.h.
 */
#include "../kernels.h"

#if defined(__aarch64__) && MEMLIFT_HAVE_MACHINE_KERNELS
#include "../generic/swaps.h"
#include "vec_neon.h"

#include "../vector/sum_masks.h"
#include "../vector/sum_impl.h"

#include "../vector/swap_impl.h"
#include "../vector/xor_impl.h"
#endif

typedef int memlift_sums_aarch64; /* a translation unit must not be empty */
