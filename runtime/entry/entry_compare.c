/* entry_compare.c - the public comparisons, over the kernels in use
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../include/memlift/memlift.h"
#include "../kernels/dispatch.h"
#include "../kernels/search.h"

#define NEEDS(NAME, name) MEMLIFT_NEEDS_LEVELS(name);

/* Apart, so that a call which finds its kernel saves no registers. */
__attribute__((noinline, cold)) static uint64_t
first_compare(enum memlift_compare_op op, const void *p, const void *q, size_t n, uint32_t what) {
  MEMLIFT_COMPARE_OPERATIONS(NEEDS)
  memlift_choose_kernels();
  return __atomic_load_n(&memlift_compare_now[op], __ATOMIC_RELAXED)(p, q, n, what);
}

MEMLIFT_INLINE uint64_t compare(enum memlift_compare_op op, const void *p, const void *q, size_t n,
                                uint32_t what) {
  memlift_compare_fn *kernel = __atomic_load_n(&memlift_compare_now[op], __ATOMIC_RELAXED);
  return MEMLIFT_LIKELY(kernel != NULL) ? kernel(p, q, n, what) : first_compare(op, p, q, n, what);
}

uint64_t memlift_mismatch_u8(const void *p, const void *q, size_t n) {
  return compare(MEMLIFT_MISMATCH, p, q, n, 0);
}

uint64_t memlift_mismatch_or_u8(const void *p, const void *q, size_t n, uint8_t c) {
  return compare(MEMLIFT_MISMATCH_OR, p, q, n, c);
}
