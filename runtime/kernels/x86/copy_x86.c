/* copy_x86.c - copy and move for x86-64, one variant per vector width
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The method is in copy_impl.h; small sizes in small.h; the sizes where it changes in ../limits.h.
 */
#if defined(__x86_64__)
#include "../../queue/barriers.h"
#include "../limits.h"
#include "direction.h"
#include "limits.h"
#include "small.h"

#include <immintrin.h>

/* String moves from the destination's first cache line on: microcode then moves whole lines and
 * does not read the destination. n >= 128, disjoint. */
MEMLIFT_INLINE void rep_copy(unsigned char *d, const unsigned char *s, size_t n) {
  size_t skip = 64 - ((uintptr_t)d & 63);
  move_16_to_32(d, s, 32), move_16_to_32(d + 32, s + 32, 32);
  d += skip, s += skip, n -= skip;
  __asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(n) : : "memory");
}

/* Returns 1 where string moves go byte by byte: on a Zen 3 they take 16 times as long where the
 * destination lies 1 to 31 bytes above the source, whole pages aside, and twice as long up to 63.
 * glibc knows of the same for other cores (its bug 30994, and Avoid_Short_Distance_REP_MOVSB), so
 * no core uses them there. */
MEMLIFT_INLINE int strings_crawl(const unsigned char *d, const unsigned char *s) {
  return lies_above(d, s, 63);
}

/* n > MEMLIFT_VECTORS_MOST. At all these sizes vectors of 16 bytes take 1.4 to 1.6 times as long as
 * string instructions, where there are any. */
MEMLIFT_INLINE int copies_by_vectors(const unsigned char *d, const unsigned char *s, size_t n,
                                     size_t vector) {
  const size_t string = __atomic_load_n(&memlift_limits.copy_string, __ATOMIC_RELAXED);
  const size_t stream = __atomic_load_n(&memlift_limits.copy_stream, __ATOMIC_RELAXED);
  const int strings = vector > 16 ? n >= string : string != SIZE_MAX;
  return n < stream && (!strings || strings_crawl(d, s));
}

#include "vec_sse2.h"
#include "copy_impl.h"

#include "vec_avx2.h"
#define FOUR_AN_ITERATION
/* As many vectors as there are registers. */
#define FEW_MOST (15 * V)
#include "copy_impl.h"
#undef FEW_MOST

/* For cores with AVX-512 that move 64 bytes as two halves. */
#undef NAME
#define NAME(op) op##_x86_halves
#undef FOUR_AN_ITERATION
#include "copy_impl.h"

#include "vec_avx512.h"
#define FOUR_AN_ITERATION
#include "copy_impl.h"
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
