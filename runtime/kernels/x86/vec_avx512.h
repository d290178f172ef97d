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
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl")))
#define VECTOR __m512i
#define LOADU(p) _mm512_loadu_si512((const void *)(p))
#define LOADA(p) _mm512_load_si512((const void *)(p))
#define STOREU(p, v) _mm512_storeu_si512((void *)(p), v)
#define STOREA(p, v) _mm512_store_si512((void *)(p), v)
#define STREAM(p, v) _mm512_stream_si512((__m512i *)(void *)(p), v)
#define SPLAT64(x) _mm512_set1_epi64((long long)(x))
