/* pattern_riscv64.c - fills of period 3 to 16 by vectors of any length, for RV64
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The value is spread over four registers once, place j from byte j % period of it. They are stored
 * again and again, each time a whole number of periods further on; what that overlaps is stored
 * again. Places are counted in bytes, so no more than 240 are used.
 */
#include "../kernels.h"

#if defined(__riscv) && MEMLIFT_HAVE_MACHINE_KERNELS
#include "vector_riscv64.h"

#define PLACES 240

/* v0: the bytes to store; v4: their places; v8: the value, whose second word is a tail to vmv.s.x,
 * which has to leave it alone (tu). */
MEMLIFT_INLINE void fill_periodic(void *dst, uint64_t low, uint64_t high, size_t period, size_t n) {
  size_t all, step;
  __asm__ volatile(
      VECTORS "vsetivli zero, 2, e64, m1, tu, ma\n"
              "vmv.v.x v8, %[high]\n"
              "vmv.s.x v8, %[low]\n"
              "vsetvli %[all], %[places], e8, m4, ta, ma\n"
              "vid.v v4\n"
              "vremu.vx v4, v4, %[period]\n"
              "vrgather.vv v0, v8, v4\n"
              "remu %[step], %[all], %[period]\n"
              "sub %[step], %[all], %[step]\n"
              "bltu %[n], %[all], 2f\n"
              "1: vse8.v v0, (%[d])\n"
              "add %[d], %[d], %[step]\n"
              "sub %[n], %[n], %[step]\n"
              "bgeu %[n], %[all], 1b\n"
              "2: vsetvli zero, %[n], e8, m4, ta, ma\n"
              "vse8.v v0, (%[d])\n" VECTORS_END
      : [d] "+r"(dst), [n] "+r"(n), [all] "=&r"(all), [step] "=&r"(step)
      : [low] "r"(low), [high] "r"(high), [period] "r"(period), [places] "r"((size_t)PLACES)
      : "memory" VECTORS_CLOBBERED);
}

MEMLIFT_KERNEL void memlift_pattern_riscv64_v(void *dst, uint64_t pattern, unsigned period,
                                              size_t n) {
  if (n)
    fill_periodic(dst, pattern, 0, period, n);
}

MEMLIFT_KERNEL void memlift_pattern16_riscv64_v(void *dst, uint64_t low, uint64_t high,
                                                unsigned period, size_t n) {
  if (n)
    fill_periodic(dst, low, high, period, n);
}
#endif

typedef int memlift_pattern_riscv64; /* a translation unit must not be empty */
