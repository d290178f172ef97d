/* swap_riscv64.c - copies that turn the bytes of each word by rev8 (Zbb), for RV64
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Eight bytes at a time where both regions are aligned to that, loads before stores; else, and what
 * is left, the generic kernel. dst is at or below src, or apart from it.
 */
#include "../kernels.h"

#if defined(__riscv) && MEMLIFT_HAVE_MACHINE_KERNELS
#include "bits_riscv64.h"

typedef uint64_t __attribute__((may_alias)) swap_u64;

/* Two words of 32 bits, or four of 16, change places when all eight bytes are turned. */
MEMLIFT_INLINE uint64_t turn(uint64_t x, unsigned bytes) {
  x = rev8(x);
  if (bytes == 8)
    return x;
  x = x << 32 | x >> 32;
  return bytes == 4 ? x : (x & 0x0000ffff0000ffffu) << 16 | (x >> 16 & 0x0000ffff0000ffffu);
}

/* bytes is a constant in each of the calls below; n is what was done. */
MEMLIFT_INLINE size_t by_registers(swap_u64 *d, const swap_u64 *s, unsigned bytes, size_t n) {
  size_t left = n / 8;
  for (; left >= 4; d += 4, s += 4, left -= 4) {
    uint64_t a = s[0], b = s[1], c = s[2], e = s[3];
    d[0] = turn(a, bytes), d[1] = turn(b, bytes);
    d[2] = turn(c, bytes), d[3] = turn(e, bytes);
  }
  for (; left; left--)
    *d++ = turn(*s++, bytes);
  return n & ~(size_t)7;
}

MEMLIFT_KERNEL void memlift_swap_riscv64_zbb(void *dst, const void *src, unsigned bytes, size_t n) {
  swap_u64 *d = (swap_u64 *)dst;
  const swap_u64 *s = (const swap_u64 *)src;
  size_t done = 0;
  if ((((uintptr_t)dst | (uintptr_t)src) & 7) == 0)
    done = bytes == 2 ? by_registers(d, s, 2, n)
           : bytes == 4 ? by_registers(d, s, 4, n) : by_registers(d, s, 8, n);
  memlift_swap_generic((unsigned char *)dst + done, (const unsigned char *)src + done, bytes,
                       n - done);
}
#endif

typedef int memlift_swap_riscv64; /* a translation unit must not be empty */
