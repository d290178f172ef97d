/* xor_aarch64.c - exclusive-or of all bytes, and byte-swapping copies, by NEON
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The methods are in vector/xor_impl.h and swap_impl.h.
 */
#include "../kernels.h"

#if defined(__aarch64__) && MEMLIFT_HAVE_MACHINE_KERNELS
#include "../generic/swaps.h"
#include "vec_neon.h"

#include "../vector/swap_impl.h"
#include "../vector/xor_impl.h"
#endif

typedef int memlift_xor_aarch64; /* a translation unit must not be empty */
