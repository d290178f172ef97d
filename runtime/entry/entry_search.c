/* entry_search.c - the public searches, over the kernels in use
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../include/memlift/memlift.h"
#include "../kernels/dispatch.h"
#include "../kernels/search.h"

#define NEEDS(NAME, name) MEMLIFT_NEEDS_LEVELS(name);

/* Apart, so that a call which finds its kernel saves no registers. */
__attribute__((noinline, cold)) static uint64_t
first_search(enum memlift_search_op op, const void *p, size_t n, uint32_t what) {
  MEMLIFT_FIND_OPERATIONS(NEEDS)
  memlift_choose_kernels();
  return __atomic_load_n(&memlift_search_now[op], __ATOMIC_RELAXED)(p, n, what);
}

MEMLIFT_INLINE uint64_t search(enum memlift_search_op op, const void *p, size_t n, uint32_t what) {
  memlift_search_fn *kernel = __atomic_load_n(&memlift_search_now[op], __ATOMIC_RELAXED);
  return MEMLIFT_LIKELY(kernel != NULL) ? kernel(p, n, what) : first_search(op, p, n, what);
}

uint64_t memlift_find_u8(const void *p, size_t n, uint8_t c) {
  return search(MEMLIFT_FIND, p, n, c);
}

uint64_t memlift_find_not_u8(const void *p, size_t n, uint8_t c) {
  return search(MEMLIFT_FIND_NOT, p, n, c);
}

uint64_t memlift_find_any_u8(const void *p, size_t n, uint32_t set) {
  return search(MEMLIFT_FIND_ANY, p, n, set);
}

uint64_t memlift_find_last_u8(const void *p, size_t n, uint8_t c) {
  return search(MEMLIFT_FIND_LAST, p, n, c);
}
