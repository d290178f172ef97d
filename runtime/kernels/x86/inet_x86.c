/* inet_x86.c - the Internet checksum for x86-64, one variant per vector width and one for VNNI
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The method is in inet_impl.h, that of VNNI in inet_vnni.h.
 */
#if defined(__x86_64__)
#include "inet_rest.h"

#include "vec_sse2.h"
#define REST(p, n) rest16(p, n)
#define ODD(end, n) odd_byte(end, n)
MEMLIFT_INLINE uint64_t NAME(inet_short)(const unsigned char *p, size_t n) {
  return inet_below_16(p, n);
}
#include "inet_impl.h"
#undef REST

#include "vec_avx2.h"
#include "inet_impl.h"
#undef ODD

#include "vec_avx512.h"
#define REST(p, n) LOADN(p, n)
#define ODD(end, n) 0
TARGET MEMLIFT_INLINE uint64_t NAME(inet_short)(const unsigned char *p, size_t n) {
  __m512i v = LOADN(p, n);
  return SUM64(ADD64(AND(v, SPLAT64(LOW32)), SRL64(v, 32)));
}
#include "inet_impl.h"

#include "inet_upper.h"
#include "inet_vnni.h"

/* As below, of more than VNNI_BLOCK + V bytes. */
TARGET_VNNI __attribute__((noinline)) static uint32_t vnni_blocks(const unsigned char *p, size_t n,
                                                                  uint32_t init) {
  const size_t before = (uintptr_t)p % V;
  uint64_t sum = vnni_block(first_line(p, before), p + V - before, VNNI_BLOCK, 0);
  for (p += V - before + VNNI_BLOCK, n -= V - before + VNNI_BLOCK; n > VNNI_BLOCK;
       p += VNNI_BLOCK, n -= VNNI_BLOCK)
    sum += vnni_block(SPLAT64(0), p, VNNI_BLOCK, 0);
  sum = (n ? sum + vnni_block(SPLAT64(0), p, n, 0) : sum) << (before & 1) * 8;
  return memlift_inet_fold(sum, init);
}

/* Whole cache lines but for the first and the last, whose other bytes are masked off. Words are
 * taken as they lie there: at an odd address all of them have their bytes swapped, which is to be
 * multiplied by 2^8 modulo 0xffff. */
TARGET_VNNI MEMLIFT_INLINE uint64_t vnni_aligned(const unsigned char *p, size_t n) {
  const size_t before = (uintptr_t)p % V;
  return vnni_block(first_line(p, before), p + V - before, n + before - V, 0) << (before & 1) * 8;
}

/* Apart, or GCC shares parts of it with the longer ones, by jumps. */
TARGET_VNNI __attribute__((noinline)) static uint32_t inet_some(const unsigned char *p, size_t n,
                                                                uint32_t init) {
  return memlift_inet_fold(vnni_some(p, n, 0), init);
}

/* Jumps that are taken cost as much as the additions: the shortest take none, the others one. A
 * shared end would be one more, which the statement that looks like nothing keeps GCC from. */
TARGET_VNNI MEMLIFT_KERNEL uint32_t memlift_inet_x86_vnni(const void *from, size_t n,
                                                          uint32_t init) {
  const unsigned char *p = (const unsigned char *)from;
  if (MEMLIFT_UNLIKELY(n > 4 * V)) {
    if (MEMLIFT_UNLIKELY(n > VNNI_BLOCK + V))
      return vnni_blocks(p, n, init);
    if (n <= 8 * V)
      return inet_some(p, n, init);
    uint32_t sum = memlift_inet_fold(vnni_aligned(p, n), init);
    __asm__("# lines" : "+r"(sum));
    return sum;
  }
  if (MEMLIFT_LIKELY(n <= V))
    return memlift_inet_fold(upper_words(p, n), init);
  uint32_t sum = memlift_inet_fold(upper_few(p, n), init);
  __asm__("# few" : "+r"(sum));
  return sum;
}
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
