/* search.h - the kernels of searches and comparisons by name, and how far they may read
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A kernel of the shape "search" returns the index of the first byte that it looks for, or n; one
 * of the shape "compare" that of the first difference. n may be more than the object has, even
 * SIZE_MAX: the loop that a kernel stands for stops at the byte that it finds. So a kernel may read
 * a byte that the loop would not only where that cannot raise a signal, in a page of 4 KiB with one
 * that the loop would read. No machine has smaller pages. COUNT has the shape, and is no search: it
 * returns how many of the n bytes are c, and reads these alone.
 */
#ifndef MEMLIFT_SEARCH_H
#define MEMLIFT_SEARCH_H

#include "kernels.h"

#pragma GCC visibility push(hidden)

#if defined(__cplusplus)
extern "C" {
#endif

#define MEMLIFT_SMALLEST_PAGE 4096

/* Bytes beside an object may be poisoned, or be written by another thread, while a kernel reads
 * them; it looks at none of them. */
#if defined(__has_attribute)
#if __has_attribute(no_sanitize)
#define MEMLIFT_READS_BESIDE __attribute__((no_sanitize("address", "thread")))
#endif
#endif
#ifndef MEMLIFT_READS_BESIDE
#define MEMLIFT_READS_BESIDE
#endif

/* The last parameter is the byte c, a set of four bytes, or nothing (MISMATCH). */
typedef uint64_t memlift_search_fn(const void *p, size_t n, uint32_t what);
typedef uint64_t memlift_compare_fn(const void *p, const void *q, size_t n, uint32_t what);

#define MEMLIFT_FIND_OPERATIONS(X)                                                                 \
  X(FIND, find) X(FIND_NOT, find_not) X(FIND_ANY, find_any) X(FIND_LAST, find_last)
#define MEMLIFT_SEARCH_OPERATIONS(X) MEMLIFT_FIND_OPERATIONS(X) X(COUNT, count)
#define MEMLIFT_COMPARE_OPERATIONS(X) X(MISMATCH, mismatch) X(MISMATCH_OR, mismatch_or)

#define MEMLIFT_SEARCH_ENUMERATOR(NAME, name) MEMLIFT_##NAME,
enum memlift_search_op { MEMLIFT_SEARCH_OPERATIONS(MEMLIFT_SEARCH_ENUMERATOR) MEMLIFT_SEARCH_OPS };
enum memlift_compare_op {
  MEMLIFT_COMPARE_OPERATIONS(MEMLIFT_SEARCH_ENUMERATOR) MEMLIFT_COMPARE_OPS
};
#undef MEMLIFT_SEARCH_ENUMERATOR

#define MEMLIFT_DECLARE_SEARCH(NAME, name) memlift_search_fn memlift_##name##_generic;
#define MEMLIFT_DECLARE_COMPARE(NAME, name) memlift_compare_fn memlift_##name##_generic;
MEMLIFT_SEARCH_OPERATIONS(MEMLIFT_DECLARE_SEARCH)
MEMLIFT_COMPARE_OPERATIONS(MEMLIFT_DECLARE_COMPARE)
#undef MEMLIFT_DECLARE_SEARCH
#undef MEMLIFT_DECLARE_COMPARE

#if defined(__x86_64__)
#define MEMLIFT_DECLARE_SEARCH(NAME, name)                                                         \
  memlift_search_fn memlift_##name##_x86_sse2, memlift_##name##_x86_avx2,                          \
      memlift_##name##_x86_avx512;
#define MEMLIFT_DECLARE_COMPARE(NAME, name)                                                        \
  memlift_compare_fn memlift_##name##_x86_sse2, memlift_##name##_x86_avx2,                         \
      memlift_##name##_x86_avx512;
MEMLIFT_SEARCH_OPERATIONS(MEMLIFT_DECLARE_SEARCH)
MEMLIFT_COMPARE_OPERATIONS(MEMLIFT_DECLARE_COMPARE)
#undef MEMLIFT_DECLARE_SEARCH
#undef MEMLIFT_DECLARE_COMPARE
#endif

/* The kernels in use; NULL until the first call, as those of dispatch.h. */
extern memlift_search_fn *memlift_search_now[MEMLIFT_SEARCH_OPS];
extern memlift_compare_fn *memlift_compare_now[MEMLIFT_COMPARE_OPS];

#define MEMLIFT_USE_SEARCH(NAME, kernel) MEMLIFT_USE_AT(memlift_search_now[MEMLIFT_##NAME], kernel)
#define MEMLIFT_USE_COMPARE(NAME, kernel)                                                          \
  MEMLIFT_USE_AT(memlift_compare_now[MEMLIFT_##NAME], kernel)

#if defined(__cplusplus)
}
#endif

#pragma GCC visibility pop

#endif
