/* vec_avx2.h - 32-byte vectors for the x86 kernels (Haswell and Zen 1 on)
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Included again and again with different widths, hence no include guard. Compilers end each
 * function of this target with vzeroupper, so callers' SSE code does not slow down.
 */
#include "vec_undef.h"

#define V 32
#define NAME(op) op##_x86_avx2
#define TARGET __attribute__((target("avx2")))
#define VECTOR __m256i
#define LOADU(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define ONCE(v) MEMLIFT_ONCE(v)
#define LOADA(p) _mm256_load_si256((const __m256i *)(const void *)(p))
#define STOREU(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define STOREA(p, v) _mm256_store_si256((__m256i *)(void *)(p), v)
#define STREAM(p, v) _mm256_stream_si256((__m256i *)(void *)(p), v)
#define SPLAT64(x) _mm256_set1_epi64x((long long)(x))
#define SPLAT128(x) _mm256_broadcastsi128_si256(x)
#define SHUFFLE8(v, from) _mm256_shuffle_epi8(v, from)
#define SPLAT8(x) _mm256_set1_epi8((char)(x))
#define ADD8(a, b) _mm256_add_epi8(a, b)
#define SUB8(a, b) _mm256_sub_epi8(a, b)
#define MIN8(a, b) _mm256_min_epu8(a, b)
#define ADD32(a, b) _mm256_add_epi32(a, b)
#define ADD64(a, b) _mm256_add_epi64(a, b)
#define SUB64(a, b) _mm256_sub_epi64(a, b)
#define AND(a, b) _mm256_and_si256(a, b)
#define OR(a, b) _mm256_or_si256(a, b)
#define XOR(a, b) _mm256_xor_si256(a, b)
#define SRL16(v, bits) _mm256_srli_epi16(v, bits)
#define SLL16(v, bits) _mm256_slli_epi16(v, bits)
#define SRL32(v, bits) _mm256_srli_epi32(v, bits)
#define SLL32(v, bits) _mm256_slli_epi32(v, bits)
#define SLL64(v, bits) _mm256_slli_epi64(v, bits)
#define SRL64(v, bits) _mm256_srli_epi64(v, bits)
#define SAD8(v) _mm256_sad_epu8(v, _mm256_setzero_si256())
#define MADD16(a, b) _mm256_madd_epi16(a, b)
#define MUL32(a, b) _mm256_mul_epu32(a, b) /* of the low halves of 64-bit lanes */
/* With few.h: n bytes, fewer than V, or fewer than 2 V for two vectors, and zeros; the last n of
 * the V bytes that end at p, after zeros. */
#define FEW(p, n) few_x86_avx2(p, n)
#define FEW_TWO(p, n, second) few_two_x86_avx2(p, n, second)
#define FEW_LAST(p, n) AND(LOADU(memlift_few_kept + V + (n)), LOADU((p) - V))
#define FEW_LAST_TWO(p, n, second)                                                                 \
  (*(second) = FEW_LAST(p, n), AND(LOADU(memlift_few_kept + (n)), LOADU((p) - 2 * V)))
#define SUM64(v) memlift_sum64_256(v)
#define XOR64(v) memlift_xor64_256(v)
