/* vec_sse2.h - 16-byte vectors for the x86 kernels: the baseline of x86-64
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Included again and again with different widths, hence no include guard. There is no SHUFFLE8,
 * which takes bytes by number within each 16: that came with SSSE3.
 */
#include "vec_undef.h"

#define V 16
#define NAME(op) op##_x86_sse2
#define TARGET
#define VECTOR __m128i
#define LOADU(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define ONCE(v) MEMLIFT_ONCE(v)
#define LOADA(p) _mm_load_si128((const __m128i *)(const void *)(p))
#define STOREU(p, v) _mm_storeu_si128((__m128i *)(void *)(p), v)
#define STOREA(p, v) _mm_store_si128((__m128i *)(void *)(p), v)
#define STREAM(p, v) _mm_stream_si128((__m128i *)(void *)(p), v)
#define SPLAT64(x) _mm_set1_epi64x((long long)(x))
#define SPLAT8(x) _mm_set1_epi8((char)(x))
#define ADD8(a, b) _mm_add_epi8(a, b)
#define SUB8(a, b) _mm_sub_epi8(a, b)
#define ADD32(a, b) _mm_add_epi32(a, b)
#define ADD64(a, b) _mm_add_epi64(a, b)
#define SUB64(a, b) _mm_sub_epi64(a, b)
#define AND(a, b) _mm_and_si128(a, b)
#define OR(a, b) _mm_or_si128(a, b)
#define XOR(a, b) _mm_xor_si128(a, b)
#define SRL16(v, bits) _mm_srli_epi16(v, bits)
#define SLL16(v, bits) _mm_slli_epi16(v, bits)
#define SRL32(v, bits) _mm_srli_epi32(v, bits)
#define SLL32(v, bits) _mm_slli_epi32(v, bits)
#define SLL64(v, bits) _mm_slli_epi64(v, bits)
#define SRL64(v, bits) _mm_srli_epi64(v, bits)
#define SAD8(v) _mm_sad_epu8(v, _mm_setzero_si128())
#define MADD16(a, b) _mm_madd_epi16(a, b)
#define MUL32(a, b) _mm_mul_epu32(a, b) /* of the low halves of 64-bit lanes */
#define FEW(p, n) few_up_to_16(p, n)    /* as in vec_avx2.h */
#define FEW_LAST(p, n) few_last_16(p, n)
#define SUM64(v) memlift_sum64_128(v)
#define XOR64(v) memlift_xor64_128(v)
