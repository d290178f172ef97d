/* sums_riscv64.c - sums, exclusive-or and Internet checksum by vectors of any length, for RV64;
 * with a copy in the same pass, too
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The words of an iteration are added to lanes of twice their width, in eight registers; an
 * iteration that has fewer words than the ones before leaves the other lanes as they are (tu).
 * Lanes are emptied into the total before one can overflow: 256 * 255 < 2^16 and 65536 * 65535 <
 * 2^32; signed words reach -2^15 and -2^31 at the most. Lanes of 64 bits are modulo 2^64, as the
 * result is.
 */
#include "../kernels.h"

#if defined(__riscv) && MEMLIFT_HAVE_MACHINE_KERNELS
#include "../inet.h"
#include "vector_riscv64.h"

/* v8: the lanes; v16: the total, element 0 */
#define CLEAR                                                                                      \
  "vsetvli %[now], zero, e64, m8, ta, ma\n"                                                        \
  "vmv.v.i v8, 0\n"                                                                                \
  "vmv.v.i v16, 0\n"

/* The next words, of 2^log2 bytes, into v0: loaded as bytes, whatever their alignment. */
#define LOAD_WORDS(sew, log2, lmul)                                                                \
  "1: vsetvli %[now], %[left], e" sew ", " lmul ", tu, ma\n"                                       \
  "slli %[bytes], %[now], " log2 "\n"                                                              \
  "vsetvli zero, %[bytes], e8, " lmul ", ta, ma\n"                                                 \
  "vle8.v v0, (%[p])\n"                                                                            \
  "vsetvli zero, %[now], e" sew ", " lmul ", tu, ma\n"

#define NEXT_ITERATION                                                                             \
  "sub %[left], %[left], %[now]\n"                                                                 \
  "add %[p], %[p], %[bytes]\n"                                                                     \
  "addi %[iterations], %[iterations], -1\n"                                                        \
  "beqz %[left], 2f\n"                                                                             \
  "bnez %[iterations], 1b\n"                                                                       \
  "2:\n"

/* All lanes, of sew bits, into the total, of sum_sew bits. */
#define COLLECT(sew, how, sum_sew)                                                                 \
  "vsetvli %[now], zero, e" sew ", m8, ta, ma\n" how " v16, v8, v16\n"                             \
  "vsetivli zero, 1, e" sum_sew ", m1, ta, ma\n"                                                   \
  "vmv.x.s %[sum], v16\n"

/* The sum of at least one word, and at most as many as `most` iterations take; *words and
 * *from are moved over them. */
#define BLOCK(name, sew, log2, lmul, add, lanes_sew, how, sum_sew, most)                           \
  MEMLIFT_INLINE uint64_t name(const unsigned char **from, size_t *words) {                        \
    const unsigned char *p = *from;                                                                \
    size_t left = *words, iterations = most, now, bytes;                                           \
    uint64_t sum;                                                                                  \
    __asm__ volatile(VECTORS CLEAR LOAD_WORDS(sew, log2, lmul) add                                 \
                     "\n" NEXT_ITERATION COLLECT(lanes_sew, how, sum_sew) VECTORS_END              \
                     : [p] "+r"(p), [left] "+r"(left), [iterations] "+r"(iterations),              \
                       [now] "=&r"(now), [bytes] "=&r"(bytes), [sum] "=&r"(sum)                    \
                     :                                                                             \
                     : "memory" VECTORS_CLOBBERED);                                                \
    *from = p;                                                                                     \
    *words = left;                                                                                 \
    return sum;                                                                                    \
  }

BLOCK(block_u8, "8", "0", "m4", "vwaddu.wv v8, v8, v0", "16", "vwredsumu.vs", "32", 256)
BLOCK(block_s8, "8", "0", "m4", "vwadd.wv v8, v8, v0", "16", "vwredsum.vs", "32", 256)
BLOCK(block_u16, "16", "1", "m4", "vwaddu.wv v8, v8, v0", "32", "vwredsumu.vs", "64", 65536)
BLOCK(block_s16, "16", "1", "m4", "vwadd.wv v8, v8, v0", "32", "vwredsum.vs", "64", 65536)
BLOCK(block_u32, "32", "2", "m4", "vwaddu.wv v8, v8, v0", "64", "vredsum.vs", "64", SIZE_MAX)
BLOCK(block_s32, "32", "2", "m4", "vwadd.wv v8, v8, v0", "64", "vredsum.vs", "64", SIZE_MAX)
BLOCK(block_u64, "64", "3", "m8", "vadd.vv v8, v8, v0", "64", "vredsum.vs", "64", SIZE_MAX)
BLOCK(block_xor, "64", "3", "m8", "vxor.vv v8, v8, v0", "64", "vredxor.vs", "64", SIZE_MAX)

/* Swaps the bytes of the words in v0, by way of v4; %[sum] is not in use yet. */
#define SWAP_BYTES16                                                                               \
  "vsll.vi v4, v0, 8\n"                                                                            \
  "vsrl.vi v0, v0, 8\n"                                                                            \
  "vor.vv v0, v0, v4\n"
#define SWAP_BYTES32                                                                               \
  "srli %[sum], %[bytes], 1\n"                                                                     \
  "vsetvli zero, %[sum], e16, m4, ta, ma\n" SWAP_BYTES16 "vsetvli zero, %[now], e32, m4, tu, ma\n" \
  "vsll.vi v4, v0, 16\n"                                                                           \
  "vsrl.vi v0, v0, 16\n"                                                                           \
  "vor.vv v0, v0, v4\n"
BLOCK(block_swap_u16, "16", "1", "m4", SWAP_BYTES16 "vwaddu.wv v8, v8, v0", "32", "vwredsumu.vs",
      "64", 65536)
BLOCK(block_swap_u32, "32", "2", "m4", SWAP_BYTES32 "vwaddu.wv v8, v8, v0", "64", "vredsum.vs",
      "64", SIZE_MAX)

/* `as` is the type that the total of a block has. */
#define SUM(name, as, bytes)                                                                       \
  MEMLIFT_KERNEL uint64_t memlift_sum_##name##_riscv64_v(const void *from, size_t n) {             \
    const unsigned char *p = (const unsigned char *)from;                                          \
    uint64_t sum = 0;                                                                              \
    for (size_t words = n / (bytes); words;)                                                       \
      sum += (uint64_t)(as)block_##name(&p, &words);                                               \
    return sum;                                                                                    \
  }
SUM(u8, uint32_t, 1)
SUM(s8, int32_t, 1)
SUM(u16, uint64_t, 2)
SUM(s16, uint64_t, 2)
SUM(u32, uint64_t, 4)
SUM(s32, uint64_t, 4)
SUM(u64, uint64_t, 8)
SUM(swap_u16, uint64_t, 2)
SUM(swap_u32, uint64_t, 4)

MEMLIFT_KERNEL uint64_t memlift_xor_riscv64_v(const void *from, size_t n) {
  const unsigned char *p = (const unsigned char *)from;
  size_t words = n / 8;
  uint64_t x = words ? block_xor(&p, &words) : 0;
  return n % 8 ? x ^ memlift_xor_generic(p, n % 8) : x;
}

MEMLIFT_KERNEL uint32_t memlift_inet_riscv64_v(const void *from, size_t n, uint32_t init) {
  uint64_t sum = memlift_sum_u16_riscv64_v(from, n);
  return memlift_inet_fold(n & 1 ? sum + ((const unsigned char *)from)[n - 1] : sum, init);
}

/* As block_u16, and the words go to *to. */
MEMLIFT_INLINE uint64_t round_copy(unsigned char **to, const unsigned char **from, size_t *words) {
  const unsigned char *p = *from;
  unsigned char *d = *to;
  size_t left = *words, iterations = 65536, now, bytes;
  uint64_t sum;
  __asm__ volatile(VECTORS CLEAR
                   "1: vsetvli %[now], %[left], e16, m4, tu, ma\n"
                   "slli %[bytes], %[now], 1\n"
                   "vsetvli zero, %[bytes], e8, m4, ta, ma\n"
                   "vle8.v v0, (%[p])\n"
                   "vse8.v v0, (%[d])\n"
                   "add %[d], %[d], %[bytes]\n"
                   "vsetvli zero, %[now], e16, m4, tu, ma\n"
                   "vwaddu.wv v8, v8, v0\n" NEXT_ITERATION COLLECT("32", "vwredsumu.vs", "64")
                       VECTORS_END
                   : [p] "+r"(p), [d] "+r"(d), [left] "+r"(left), [iterations] "+r"(iterations),
                     [now] "=&r"(now), [bytes] "=&r"(bytes), [sum] "=&r"(sum)
                   :
                   : "memory" VECTORS_CLOBBERED);
  *from = p;
  *to = d;
  *words = left;
  return sum;
}

MEMLIFT_KERNEL uint64_t memlift_copy_sum_u16_riscv64_v(void *dst, const void *src, size_t n) {
  const unsigned char *s = (const unsigned char *)src;
  unsigned char *d = (unsigned char *)dst;
  uint64_t sum = 0;
  for (size_t words = n / 2; words;)
    sum += round_copy(&d, &s, &words);
  if (n & 1)
    *d = *s;
  return sum;
}

MEMLIFT_KERNEL uint32_t memlift_copy_inet_riscv64_v(void *dst, const void *src, size_t n,
                                                    uint32_t init) {
  uint64_t sum = memlift_copy_sum_u16_riscv64_v(dst, src, n);
  return memlift_inet_fold(n & 1 ? sum + ((const unsigned char *)src)[n - 1] : sum, init);
}
#endif

typedef int memlift_sums_riscv64; /* a translation unit must not be empty */
