/* entry_count.c - the public count of a byte, over the kernel in use
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../include/memlift/memlift.h"
#include "../kernels/dispatch.h"
#include "../kernels/search.h"

/* Apart, so that a call which finds its kernel saves no registers. */
__attribute__((noinline, cold)) static uint64_t first_count(const void *p, size_t n, uint8_t c) {
  MEMLIFT_NEEDS_LEVELS(count);
  memlift_choose_kernels();
  return __atomic_load_n(&memlift_search_now[MEMLIFT_COUNT], __ATOMIC_RELAXED)(p, n, c);
}

uint64_t memlift_count_u8(const void *p, size_t n, uint8_t c) {
  memlift_search_fn *kernel = __atomic_load_n(&memlift_search_now[MEMLIFT_COUNT], __ATOMIC_RELAXED);
  return MEMLIFT_LIKELY(kernel != NULL) ? kernel(p, n, c) : first_count(p, n, c);
}
