/* pair_halves_generic.c - sum and weighted sum of 16-bit words (Fletcher-32) by a kernel for each
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A machine without a kernel for both may have one for each.
 */
#include "../dispatch.h"

#if defined(__x86_64__)
#define SUM_OF(NAME, name, p, n) memlift_##name##_generic(p, n)
#else
#define SUM_OF(NAME, name, p, n) memlift_cpu_sum(MEMLIFT_##NAME, p, n)
#endif

struct memlift_pair memlift_pair_halves_generic(const void *p, size_t n) {
  uint64_t weighted = SUM_OF(WSUM_U16, wsum_u16, p, n);
  return (struct memlift_pair){SUM_OF(SUM_U16, sum_u16, p, n), weighted};
}
