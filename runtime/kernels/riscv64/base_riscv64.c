/* base_riscv64.c - copy, move, fill and Internet checksum for in-order RV64 cores
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The methods are those of the generic kernels. The inner loops are written out, since what decides
 * on a core that issues in order is where each instruction stands, and compilers move them: first
 * the loads of an iteration, then the step of the source, then the stores. By llvm-mca
 * -mcpu=sifive-u74, cycles a byte: copy 0.266, copy of a source that is not aligned 0.470, fill
 * 0.141, checksum 0.282; what GCC 12 makes of the generic kernels takes 0.297, 0.563, 0.220 and
 * 0.345. No access is unaligned: it may trap. Regions that overlap with the destination above go to
 * the generic kernel.
 */
#include "../kernels.h"

#if defined(__riscv) && MEMLIFT_HAVE_MACHINE_KERNELS
#include "../generic/words.h"
#include "../inet.h"

/* Upward by 64 bytes an iteration, at least one iteration; both are aligned. */
MEMLIFT_INLINE void copy_iterations(unsigned char **d, const unsigned char **s, size_t iterations) {
  const unsigned char *end = *s + 64 * iterations;
  uint64_t a, b, c, e, f, g, h, k;
  __asm__ volatile("1: ld %[a], 0(%[s])\n ld %[b], 8(%[s])\n"
                   "ld %[c], 16(%[s])\n ld %[e], 24(%[s])\n"
                   "ld %[f], 32(%[s])\n ld %[g], 40(%[s])\n"
                   "ld %[h], 48(%[s])\n ld %[k], 56(%[s])\n"
                   "addi %[s], %[s], 64\n"
                   "sd %[a], 0(%[d])\n sd %[b], 8(%[d])\n"
                   "sd %[c], 16(%[d])\n sd %[e], 24(%[d])\n"
                   "sd %[f], 32(%[d])\n sd %[g], 40(%[d])\n"
                   "sd %[h], 48(%[d])\n sd %[k], 56(%[d])\n"
                   "addi %[d], %[d], 64\n"
                   "bne %[s], %[end], 1b\n"
                   : [d] "+r"(*d), [s] "+r"(*s), [a] "=&r"(a), [b] "=&r"(b), [c] "=&r"(c),
                     [e] "=&r"(e), [f] "=&r"(f), [g] "=&r"(g), [h] "=&r"(h), [k] "=&r"(k)
                   : [end] "r"(end)
                   : "memory");
}

/* Upward by 32 bytes an iteration, at least one, from a source `first` bits above aligned words: *s
 * is aligned, and *carry is the part of the last word that has not been stored yet. */
MEMLIFT_INLINE void shift_iterations(unsigned char **d, const unsigned char **s, size_t iterations,
                                     uint64_t *carry, unsigned first) {
  const unsigned char *end = *s + 32 * iterations;
  uint64_t a, b, c, e, w, x, y, z;
  __asm__ volatile(
      "1: ld %[a], 0(%[s])\n ld %[b], 8(%[s])\n"
      "ld %[c], 16(%[s])\n ld %[e], 24(%[s])\n"
      "addi %[s], %[s], 32\n"
      "sll %[w], %[a], %[last]\n sll %[x], %[b], %[last]\n"
      "sll %[y], %[c], %[last]\n sll %[z], %[e], %[last]\n"
      "or %[w], %[w], %[carry]\n srl %[a], %[a], %[first]\n"
      "or %[x], %[x], %[a]\n srl %[b], %[b], %[first]\n"
      "or %[y], %[y], %[b]\n srl %[c], %[c], %[first]\n"
      "or %[z], %[z], %[c]\n srl %[carry], %[e], %[first]\n"
      "sd %[w], 0(%[d])\n sd %[x], 8(%[d])\n"
      "sd %[y], 16(%[d])\n sd %[z], 24(%[d])\n"
      "addi %[d], %[d], 32\n"
      "bne %[s], %[end], 1b\n"
      : [d] "+r"(*d), [s] "+r"(*s), [carry] "+r"(*carry), [a] "=&r"(a), [b] "=&r"(b), [c] "=&r"(c),
        [e] "=&r"(e), [w] "=&r"(w), [x] "=&r"(x), [y] "=&r"(y), [z] "=&r"(z)
      : [end] "r"(end), [first] "r"(first), [last] "r"(64 - first)
      : "memory");
}

/* d is aligned, s is not; bytes done, all of whose source words lie within the n bytes. */
MEMLIFT_INLINE size_t copy_shifted(unsigned char *d, const unsigned char *s, size_t n) {
  const size_t off = (uintptr_t)s % 8, ahead = 8 - off;
  const unsigned first = 8 * (unsigned)off;
  const unsigned char *start = s;
  uint64_t carry = 0;
  if (n < ahead + 8)
    return 0;
  for (size_t k = 0; k < ahead; k++)
    carry |= word_of_byte(s[k], k);
  s += ahead;
  if (n - ahead >= 32)
    shift_iterations(&d, &s, (n - ahead) / 32, &carry, first);
  for (size_t left = n - (size_t)(s - start); left >= 8; left -= 8, s += 8, d += 8) {
    uint64_t next = load_word(s);
    store_word(d, carry | next << (64 - first));
    carry = next >> first;
  }
  return (size_t)(s - start) - ahead;
}

MEMLIFT_INLINE void copy_up(unsigned char *d, const unsigned char *s, size_t n) {
  for (; n != 0 && (uintptr_t)d % 8 != 0; n--)
    copy_byte(d++, s++);
  if ((uintptr_t)s % 8 == 0) {
    if (n >= 64)
      copy_iterations(&d, &s, n / 64);
    for (n %= 64; n >= 8; n -= 8, d += 8, s += 8)
      store_word(d, load_word(s));
  } else {
    size_t done = copy_shifted(d, s, n);
    d += done, s += done, n -= done;
  }
  for (; n; n--)
    copy_byte(d++, s++);
}

MEMLIFT_KERNEL void memlift_copy_riscv64_base(void *dst, const void *src, size_t n) {
  copy_up((unsigned char *)dst, (const unsigned char *)src, n);
}

/* The difference wraps: it is at least n when dst is not within the source. */
MEMLIFT_KERNEL void memlift_move_riscv64_base(void *dst, const void *src, size_t n) {
  if ((uintptr_t)dst - (uintptr_t)src >= n)
    copy_up((unsigned char *)dst, (const unsigned char *)src, n);
  else
    memlift_move_generic(dst, src, n);
}

/* Whole iterations of 128 bytes; head, tail and small fills are the generic kernel's. */
MEMLIFT_KERNEL void memlift_fill_riscv64_base(void *dst, uint64_t pattern, size_t n) {
  unsigned char *d = (unsigned char *)dst;
  size_t head = -(uintptr_t)d & 7;
  if (n < 128 + 8) {
    memlift_fill_generic(d, pattern, n);
    return;
  }
  memlift_fill_generic(d, pattern, head);
  pattern = memlift_rotate_pattern(pattern, head);
  d += head, n -= head;
  const unsigned char *end = d + (n & ~(size_t)127);
  __asm__ volatile("1: sd %[v], 0(%[d])\n sd %[v], 8(%[d])\n sd %[v], 16(%[d])\n"
                   "sd %[v], 24(%[d])\n sd %[v], 32(%[d])\n sd %[v], 40(%[d])\n"
                   "sd %[v], 48(%[d])\n sd %[v], 56(%[d])\n sd %[v], 64(%[d])\n"
                   "sd %[v], 72(%[d])\n sd %[v], 80(%[d])\n sd %[v], 88(%[d])\n"
                   "sd %[v], 96(%[d])\n sd %[v], 104(%[d])\n sd %[v], 112(%[d])\n"
                   "sd %[v], 120(%[d])\n"
                   "addi %[d], %[d], 128\n"
                   "bne %[d], %[end], 1b\n"
                   : [d] "+r"(d)
                   : [v] "r"(pattern), [end] "r"(end)
                   : "memory");
  memlift_fill_generic(d, pattern, n % 128);
}

/* 64 bytes an iteration, at least one iteration; p is aligned to 4. Words of 32 bits leave no carry
 * to look after in sums of 64 bits; two of these, and each word three loads before it is added. */
MEMLIFT_INLINE uint64_t sum_iterations(const unsigned char **p, size_t iterations) {
  const unsigned char *end = *p + 64 * iterations;
  uint64_t even = 0, odd = 0, a, b, c, e;
#define NEXT(at, load, sum, add)                                                                   \
  "lwu %[" load "], " at "(%[p])\n add %[" sum "], %[" sum "], %[" add "]\n"
  __asm__ volatile(
      "1: lwu %[a], 0(%[p])\n lwu %[b], 4(%[p])\n lwu %[c], 8(%[p])\n" NEXT("12", "e", "even", "a")
          NEXT("16", "a", "odd", "b") NEXT("20", "b", "even", "c") NEXT("24", "c", "odd", "e")
              NEXT("28", "e", "even", "a") NEXT("32", "a", "odd", "b") NEXT("36", "b", "even", "c")
                  NEXT("40", "c", "odd", "e") NEXT("44", "e", "even", "a")
                      NEXT("48", "a", "odd", "b") NEXT("52", "b", "even", "c")
                          NEXT("56", "c", "odd",
                               "e") "lwu %[e], 60(%[p])\n addi %[p], %[p], 64\n"
                                    "add %[even], %[even], %[a]\n add %[odd], %[odd], %[b]\n"
                                    "add %[even], %[even], %[c]\n add %[odd], %[odd], %[e]\n"
                                    "bne %[p], %[end], 1b\n"
      : [p] "+r"(*p), [even] "+r"(even), [odd] "+r"(odd), [a] "=&r"(a), [b] "=&r"(b), [c] "=&r"(c),
        [e] "=&r"(e)
      : [end] "r"(end)
      : "memory");
#undef NEXT
  return even + odd;
}

/* Fewer than 4 bytes, in words from p on. */
MEMLIFT_INLINE uint64_t sum_few(const unsigned char *p, size_t n) {
  uint64_t sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += (uint64_t)p[i] << (8 * (i & 1));
  return sum;
}

typedef uint32_t __attribute__((may_alias)) inet_u32;

/* Up to 1 GiB: sums stay below 2^61. After an odd number of bytes the words are byte-swapped. */
MEMLIFT_KERNEL uint32_t memlift_inet_riscv64_base(const void *from, size_t n, uint32_t init) {
  const unsigned char *p = (const unsigned char *)from;
  size_t head = -(uintptr_t)p & 3;
  head = head < n ? head : n;
  uint64_t before = sum_few(p, head), sum = 0;
  p += head, n -= head;
  if (n >= 64)
    sum = sum_iterations(&p, n / 64);
  for (n %= 64; n >= 4; p += 4, n -= 4)
    sum += *(const inet_u32 *)(const void *)p;
  sum += sum_few(p, n);
  if (head & 1)
    sum = memlift_inet_swap(memlift_inet_fold(sum, 0));
  return memlift_inet_fold(before + sum, init);
}
#endif

typedef int memlift_base_riscv64; /* a translation unit must not be empty */
