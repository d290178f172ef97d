/* marks_levels.h - includes MARKED_IMPL for each vector width, with marks of bytes
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * MARKS says of each byte of a vector whether it is one that is looked for: 0xff in a vector, or a
 * bit of a mask.
 */
/* Vectors of 16 and 32 bytes, whose marks are vectors. */
#define MARKS VECTOR
#define MARKS_OR(a, b) OR(a, b)
#define MARKS_AND(a, b) AND(a, b)
#define UNEQUAL8(a, b, ones) XOR(EQUAL8(a, b), ones)
#define EQUAL8_UNLESS(a, b, end) AND_NOT(EQUAL8(a, end), EQUAL8(a, b))
#define BITS uint32_t
#define FIRST_BIT(bits) ((size_t)__builtin_ctz(bits))
#define BITS_ABOVE(bits) ((size_t)__builtin_clz((uint32_t)(bits) << (32 - V)))

#include "vec_sse2.h"
#define EQUAL8(a, b) _mm_cmpeq_epi8(a, b)
#define AND_NOT(a, b) _mm_andnot_si128(a, b)
#define MARK_BITS(marks) ((uint32_t)_mm_movemask_epi8(marks))
#define ALL_BITS 0xffffu
#include MARKED_IMPL
#undef EQUAL8
#undef AND_NOT
#undef MARK_BITS
#undef ALL_BITS

#include "vec_avx2.h"
#define EQUAL8(a, b) _mm256_cmpeq_epi8(a, b)
#define AND_NOT(a, b) _mm256_andnot_si256(a, b)
#define MARK_BITS(marks) ((uint32_t)_mm256_movemask_epi8(marks))
#define ALL_BITS 0xffffffffu
#include MARKED_IMPL
#undef EQUAL8
#undef MARK_BITS
#undef ALL_BITS

#undef MARKS
#undef MARKS_OR
#undef MARKS_AND
#undef UNEQUAL8
#undef EQUAL8_UNLESS
#undef BITS
#undef FIRST_BIT
#undef BITS_ABOVE

#include "vec_avx512.h"
#define MARKS __mmask64
#define MARKS_OR(a, b) ((a) | (b))
#define MARKS_AND(a, b) ((a) & (b))
#define EQUAL8(a, b) _mm512_cmpeq_epi8_mask(a, b)
#define UNEQUAL8(a, b, ones) ((void)(ones), _mm512_cmpneq_epi8_mask(a, b))
#define EQUAL8_UNLESS(a, b, end) _mm512_mask_cmpeq_epi8_mask(_mm512_cmpneq_epi8_mask(a, end), a, b)
#define BITS uint64_t
#define FIRST_BIT(bits) ((size_t)__builtin_ctzll(bits))
#define BITS_ABOVE(bits) ((size_t)__builtin_clzll(bits))
#define MARK_BITS(marks) ((uint64_t)(marks))
#define EQUAL8_OF_FIRST(n, a, b) _mm512_mask_cmpeq_epi8_mask(FIRST_BYTES(n), a, b)
#define POPCOUNT(marks) ((uint64_t)__builtin_popcountll(marks))
#define ALL_BITS (~(uint64_t)0)
#include MARKED_IMPL
