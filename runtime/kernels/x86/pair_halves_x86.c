/* pair_halves_x86.c - sum and weighted sum of 16-bit words (Fletcher-32) in one pass, for x86-64
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The method is in halves_impl.h.
 */
#if defined(__x86_64__)
#include "lanes.h"

#define EVEN16 0x0000ffff0000ffffu /* the low half of each 32-bit lane */
#define LOW32 0x00000000ffffffffu  /* the low half of each 64-bit lane */

/* 4 i in lane i. */
static const uint64_t halves_places[8] __attribute__((aligned(64))) = {0, 4, 8, 12, 16, 20, 24, 28};

#include "vec_sse2.h"
#include "halves_impl.h"

#include "vec_avx2.h"
#include "halves_impl.h"

#include "vec_avx512.h"
#include "halves_impl.h"
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
