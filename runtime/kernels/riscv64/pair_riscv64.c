/* pair_riscv64.c - sum and weighted sum of bytes (Adler-32, Fletcher-16) by vectors, for RV64
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Each place j of an iteration of E bytes is a loop "a += w, b += a" of its own over the
 * iterations. Byte j of iteration q of Q has weight E * (Q - q) - j, so the total is the sum over
 * the places of E * b - j * a. The rest, fewer than E bytes, is summed by the generic kernel; each
 * byte before weighs that many more.
 */
#include "../kernels.h"

#if defined(__riscv) && MEMLIFT_HAVE_MACHINE_KERNELS
#include "vector_riscv64.h"

/* v16: a, v24: b, in lanes of 32 bits. A vector has 32 bytes at least, so 32 KiB are 1024
 * iterations at most: b stays below 1024 * 1025 / 2 * 255 < 2^27, j * a below 32768 * 255. */
struct lanes {
  uint64_t a, b, ja;
};

/* At least one iteration of `all` bytes. */
MEMLIFT_INLINE struct lanes sum_iterations(const unsigned char *p, size_t iterations, size_t all) {
  struct lanes sum;
  __asm__ volatile(VECTORS "vsetvli zero, %[all], e32, m8, ta, ma\n"
                           "vmv.v.i v16, 0\n"
                           "vmv.v.i v24, 0\n"
                           "1: vsetvli zero, %[all], e8, m2, ta, ma\n"
                           "vle8.v v0, (%[p])\n"
                           "add %[p], %[p], %[all]\n"
                           "addi %[iterations], %[iterations], -1\n"
                           "vsetvli zero, %[all], e32, m8, ta, ma\n"
                           "vzext.vf4 v8, v0\n"
                           "vadd.vv v16, v16, v8\n"
                           "vadd.vv v24, v24, v16\n"
                           "bnez %[iterations], 1b\n"
                           "vid.v v8\n"
                           "vmul.vv v8, v8, v16\n"
                           "vsetivli zero, 1, e64, m1, ta, ma\n"
                           "vmv.v.i v0, 0\n"
                           "vmv.v.i v1, 0\n"
                           "vmv.v.i v2, 0\n"
                           "vsetvli zero, %[all], e32, m8, ta, ma\n"
                           "vwredsumu.vs v0, v16, v0\n"
                           "vwredsumu.vs v1, v24, v1\n"
                           "vwredsumu.vs v2, v8, v2\n"
                           "vsetivli zero, 1, e64, m1, ta, ma\n"
                           "vmv.x.s %[a], v0\n"
                           "vmv.x.s %[b], v1\n"
                           "vmv.x.s %[ja], v2\n" VECTORS_END
                   : [p] "+r"(p), [iterations] "+r"(iterations), [a] "=r"(sum.a), [b] "=r"(sum.b),
                     [ja] "=r"(sum.ja)
                   : [all] "r"(all)
                   : "memory" VECTORS_CLOBBERED);
  return sum;
}

/* Lanes of 32 bits in eight registers. */
MEMLIFT_INLINE size_t lanes_at_once(void) {
  size_t all;
  __asm__ volatile(VECTORS "vsetvli %[all], zero, e32, m8, ta, ma\n" VECTORS_END
                   : [all] "=r"(all)
                   :
                   : "memory" VECTORS_CLOBBERED);
  return all;
}

MEMLIFT_KERNEL struct memlift_pair memlift_pair_riscv64_v(const void *from, size_t n) {
  const unsigned char *p = (const unsigned char *)from;
  const size_t all = lanes_at_once(), iterations = n / all, rest = n % all;
  struct memlift_pair both = memlift_pair_generic(p + n - rest, rest);
  if (iterations) {
    struct lanes sum = sum_iterations(p, iterations, all);
    both.sum += sum.a;
    both.weighted += all * sum.b - sum.ja + rest * sum.a;
  }
  return both;
}

#define PAIR_BLOCK ((size_t)32768)

MEMLIFT_KERNEL uint64_t memlift_wsum_u8_riscv64_v(const void *from, size_t n) {
  const unsigned char *p = (const unsigned char *)from;
  uint64_t sum = 0, weighted = 0;
  while (n) {
    size_t now = n < PAIR_BLOCK ? n : PAIR_BLOCK;
    struct memlift_pair both = memlift_pair_riscv64_v(p, now);
    weighted += now * sum + both.weighted;
    sum += both.sum;
    p += now;
    n -= now;
  }
  return weighted;
}
#endif

typedef int memlift_pair_riscv64; /* a translation unit must not be empty */
