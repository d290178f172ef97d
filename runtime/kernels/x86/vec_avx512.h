/* vec_avx512.h - 64-byte vectors for the x86 kernels (Zen 4 on, Ice Lake on)
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Included again and again with different widths, hence no include guard. A vector is a cache
 * line: aligned stores of it are whole lines.
 */
#include "vec_undef.h"

#define V 64
#define NAME(op) op##_x86_avx512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,bmi2")))
#define VECTOR __m512i
#define LOADU(p) _mm512_loadu_si512((const void *)(p))
#define ONCE(v) MEMLIFT_ONCE(v)
/* LOADN loads at most V bytes, followed by zeros; STOREN stores them. No other byte is touched. */
#define LOADN(p, n) _mm512_maskz_loadu_epi8(FIRST_BYTES(n), p)
/* LOADLAST loads the n bytes, fewer than V, that end at p, after zeros. */
#define LOADLAST(p, n) _mm512_maskz_loadu_epi8(~FIRST_BYTES(V - (n)), (p) - V)
#define FIRST_BYTES(n) ((__mmask64)_bzhi_u64(~(uint64_t)0, (unsigned)(n)))
#define STOREN(p, n, v) _mm512_mask_storeu_epi8((void *)(p), FIRST_BYTES(n), v)
#define LOADA(p) _mm512_load_si512((const void *)(p))
#define STOREU(p, v) _mm512_storeu_si512((void *)(p), v)
#define STOREA(p, v) _mm512_store_si512((void *)(p), v)
#define STREAM(p, v) _mm512_stream_si512((__m512i *)(void *)(p), v)
#define SPLAT64(x) _mm512_set1_epi64((long long)(x))
#define SPLAT128(x) _mm512_broadcast_i32x4(x)
#define SHUFFLE8(v, from) _mm512_shuffle_epi8(v, from)
#define SPLAT8(x) _mm512_set1_epi8((char)(x))
#define ADD8(a, b) _mm512_add_epi8(a, b)
#define SUB8(a, b) _mm512_sub_epi8(a, b)
#define MIN8(a, b) _mm512_min_epu8(a, b)
#define ADD32(a, b) _mm512_add_epi32(a, b)
#define ADD64(a, b) _mm512_add_epi64(a, b)
#define SUB64(a, b) _mm512_sub_epi64(a, b)
#define AND(a, b) _mm512_and_si512(a, b)
#define OR(a, b) _mm512_or_si512(a, b)
#define XOR(a, b) _mm512_xor_si512(a, b)
#define SRL16(v, bits) _mm512_srli_epi16(v, bits)
#define SLL16(v, bits) _mm512_slli_epi16(v, bits)
#define SRL32(v, bits) _mm512_srli_epi32(v, bits)
#define SLL32(v, bits) _mm512_slli_epi32(v, bits)
#define SLL64(v, bits) _mm512_slli_epi64(v, bits)
#define SRL64(v, bits) _mm512_srli_epi64(v, bits)
#define ROTL64(v, bits) _mm512_rolv_epi64(v, bits) /* counts modulo 64 */
#define ROTR64(v, bits) _mm512_rorv_epi64(v, bits)
#define SAD8(v) _mm512_sad_epu8(v, _mm512_setzero_si512())
#define MADD16(a, b) _mm512_madd_epi16(a, b)
#define MUL32(a, b) _mm512_mul_epu32(a, b) /* of the low halves of 64-bit lanes */
#define SUM64(v) memlift_sum64_512(v)
#define XOR64(v) memlift_xor64_512(v)
