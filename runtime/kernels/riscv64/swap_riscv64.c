/* swap_riscv64.c - copies that swap the bytes of each word by rev8 (Zbb) or by vectors, for RV64
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Zbb: eight bytes at a time where both regions are aligned to that, loads before stores; else, and
 * what is left, the generic kernel. Vectors: at any address; the halves of each word change places,
 * then those of the halves. dst is at or below src, or apart from it.
 */
#include "../kernels.h"

#if defined(__riscv) && MEMLIFT_HAVE_MACHINE_KERNELS
#include "bits_riscv64.h"
#include "vector_riscv64.h"

typedef uint64_t __attribute__((may_alias)) swap_u64;

/* Two words of 32 bits, or four of 16, change places when all eight bytes are swapped. */
MEMLIFT_INLINE uint64_t swap_bytes(uint64_t x, unsigned bytes) {
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
    d[0] = swap_bytes(a, bytes), d[1] = swap_bytes(b, bytes);
    d[2] = swap_bytes(c, bytes), d[3] = swap_bytes(e, bytes);
  }
  for (; left; left--)
    *d++ = swap_bytes(*s++, bytes);
  return n & ~(size_t)7;
}

MEMLIFT_KERNEL void memlift_swap_riscv64_zbb(void *dst, const void *src, unsigned bytes, size_t n) {
  swap_u64 *d = (swap_u64 *)dst;
  const swap_u64 *s = (const swap_u64 *)src;
  size_t done = 0;
  if ((((uintptr_t)dst | (uintptr_t)src) & 7) == 0)
    done = bytes == 2   ? by_registers(d, s, 2, n)
           : bytes == 4 ? by_registers(d, s, 4, n)
                        : by_registers(d, s, 8, n);
  memlift_swap_generic((unsigned char *)dst + done, (const unsigned char *)src + done, bytes,
                       n - done);
}

/* The elements of v0, of two halves of `shift` bits, with these exchanged. */
#define HALVES(sew, count, shift)                                                                  \
  "vsetvli zero, " count ", e" sew ", m8, ta, ma\n"                                                \
  "vsll.vx v8, v0, " shift "\n"                                                                    \
  "vsrl.vx v0, v0, " shift "\n"                                                                    \
  "vor.vv v0, v0, v8\n"

/* All of n bytes, whole words of 2^log2 bytes and at least one; iterations takes the count of words
 * in %[now] and has %[t] to itself. */
#define SWAP(name, sew, log2, iterations)                                                          \
  MEMLIFT_INLINE void name(unsigned char *d, const unsigned char *s, size_t n) {                   \
    size_t left = n >> log2, now, bytes, t;                                                        \
    __asm__ volatile(VECTORS "1: vsetvli %[now], %[left], e" sew ", m8, ta, ma\n"                  \
                             "slli %[bytes], %[now], " #log2 "\n"                                  \
                             "vsetvli zero, %[bytes], e8, m8, ta, ma\n"                            \
                             "vle8.v v0, (%[s])\n"                                                 \
                             "add %[s], %[s], %[bytes]\n"                                          \
                             "sub %[left], %[left], %[now]\n" iterations                           \
                             "vsetvli zero, %[bytes], e8, m8, ta, ma\n"                            \
                             "vse8.v v0, (%[d])\n"                                                 \
                             "add %[d], %[d], %[bytes]\n"                                          \
                             "bnez %[left], 1b\n" VECTORS_END                                      \
                     : [d] "+r"(d), [s] "+r"(s), [left] "+r"(left), [now] "=&r"(now),              \
                       [bytes] "=&r"(bytes), [t] "=&r"(t)                                          \
                     : [eight] "r"((size_t)8), [sixteen] "r"((size_t)16), [half] "r"((size_t)32)   \
                     : "memory" VECTORS_CLOBBERED);                                                \
  }

#define BYTES "srli %[t], %[bytes], 1\n" HALVES("16", "%[t]", "%[eight]")
#define PAIRS "srli %[t], %[bytes], 2\n" HALVES("32", "%[t]", "%[sixteen]")
SWAP(swap_16, "16", 1, BYTES)
SWAP(swap_32, "32", 2, PAIRS BYTES)
SWAP(swap_64, "64", 3, HALVES("64", "%[now]", "%[half]") PAIRS BYTES)

MEMLIFT_KERNEL void memlift_swap_riscv64_v(void *dst, const void *src, unsigned bytes, size_t n) {
  unsigned char *d = (unsigned char *)dst;
  const unsigned char *s = (const unsigned char *)src;
  if (n < bytes)
    return;
  if (bytes == 2)
    swap_16(d, s, n);
  else if (bytes == 4)
    swap_32(d, s, n);
  else
    swap_64(d, s, n);
}
#endif

typedef int memlift_swap_riscv64; /* a translation unit must not be empty */
