/* find_x86.c - searches and comparisons for x86-64, one variant per vector width
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The methods are in find_impl.h, find_last_impl.h and compare_impl.h. The level AVX512 uses the
 * vectors of 32 bytes: a search ends within few of them, and wider ones need a mask brought from
 * another register file.
 */
#if defined(__x86_64__)
#include "../search.h"
#include "lanes.h"

#include "vec_sse2.h"
#define SPLAT_BYTE(x) _mm_set1_epi8((char)(x))
#define EQUAL8(a, b) _mm_cmpeq_epi8(a, b)
#define AND_NOT(a, b) _mm_andnot_si128(a, b)
#define TOP_BITS(v) ((uint32_t)_mm_movemask_epi8(v))
#define ALL_BITS 0xffffu
#include "search_impl.h"
#undef SPLAT_BYTE
#undef EQUAL8
#undef AND_NOT
#undef TOP_BITS
#undef ALL_BITS

#include "vec_avx2.h"
#define SPLAT_BYTE(x) _mm256_set1_epi8((char)(x))
#define EQUAL8(a, b) _mm256_cmpeq_epi8(a, b)
#define AND_NOT(a, b) _mm256_andnot_si256(a, b)
#define TOP_BITS(v) ((uint32_t)_mm256_movemask_epi8(v))
#define ALL_BITS 0xffffffffu
#include "search_impl.h"
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
