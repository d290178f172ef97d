/* copy_riscv64.c - copy and move by vectors of any length, for RV64
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An iteration loads up to eight registers full of bytes before it stores one, so going up is right
 * for a destination below the source, and going down for one above. Without vectors:
 * base_riscv64.c.
 */
#include "../kernels.h"

#if defined(__riscv) && MEMLIFT_HAVE_MACHINE_KERNELS
#include "vector_riscv64.h"

MEMLIFT_INLINE void move_up(void *d, const void *s, size_t n) {
  size_t now;
  __asm__ volatile(VECTORS "1: vsetvli %[now], %[n], e8, m8, ta, ma\n"
                           "vle8.v v0, (%[s])\n"
                           "add %[s], %[s], %[now]\n"
                           "sub %[n], %[n], %[now]\n"
                           "vse8.v v0, (%[d])\n"
                           "add %[d], %[d], %[now]\n"
                           "bnez %[n], 1b\n" VECTORS_END
                   : [d] "+r"(d), [s] "+r"(s), [n] "+r"(n), [now] "=&r"(now)
                   :
                   : "memory" VECTORS_CLOBBERED);
}

MEMLIFT_INLINE void move_down(void *d, const void *s, size_t n) {
  size_t now;
  __asm__ volatile(VECTORS "1: vsetvli %[now], %[n], e8, m8, ta, ma\n"
                           "sub %[n], %[n], %[now]\n"
                           "add %[now], %[s], %[n]\n"
                           "vle8.v v0, (%[now])\n"
                           "add %[now], %[d], %[n]\n"
                           "vse8.v v0, (%[now])\n"
                           "bnez %[n], 1b\n" VECTORS_END
                   : [n] "+r"(n), [now] "=&r"(now)
                   : [d] "r"(d), [s] "r"(s)
                   : "memory" VECTORS_CLOBBERED);
}

MEMLIFT_KERNEL void memlift_copy_riscv64_v(void *dst, const void *src, size_t n) {
  if (n)
    move_up(dst, src, n);
}

/* The difference wraps: it is at least n when dst is not within the source. */
MEMLIFT_KERNEL void memlift_move_riscv64_v(void *dst, const void *src, size_t n) {
  if (n == 0 || dst == src)
    return;
  if ((uintptr_t)dst - (uintptr_t)src >= n)
    move_up(dst, src, n);
  else
    move_down(dst, src, n);
}
#endif

typedef int memlift_copy_riscv64; /* a translation unit must not be empty */
