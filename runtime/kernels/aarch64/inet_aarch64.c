/* inet_aarch64.c - the Internet checksum by NEON, alone and with a copy in the same pass
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One instruction (uadalp) adds the eight words of a vector in pairs to lanes of 32 bits, which
 * take 2^15 of them. Four sums, since each waits for its last addition. The bytes after the
 * last whole vector are loaded as the end of an overlapping vector, the rest of it masked.
 */
#include "../kernels.h"

#if defined(__aarch64__) && MEMLIFT_HAVE_MACHINE_KERNELS
#include "../inet_few.h"

#include <arm_neon.h>

#define V 16
/* Lanes get 2 * 65535 from each iteration; 2^15 iterations and a few more vectors would be too
 * many. */
#define BLOCK ((size_t)16384 * 4 * V)

/* 16 bytes from keep + n pass the last n bytes of a vector. */
static const unsigned char keep[32] = {
    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

MEMLIFT_INLINE uint32x4_t add_words(uint32x4_t sum, uint8x16_t v) {
  return vpadalq_u16(sum, vreinterpretq_u16_u8(v));
}

/* 16 bytes at least and BLOCK + V at most lie before the end; an odd one is left out. */
MEMLIFT_INLINE uint64_t inet_block(const unsigned char *p, size_t n) {
  uint32x4_t a = vdupq_n_u32(0), b = a, c = a, d = a;
  for (; n >= 4 * V; p += 4 * V, n -= 4 * V) {
    a = add_words(a, vld1q_u8(p)), b = add_words(b, vld1q_u8(p + V));
    c = add_words(c, vld1q_u8(p + 2 * V)), d = add_words(d, vld1q_u8(p + 3 * V));
  }
  for (; n >= V; p += V, n -= V)
    a = add_words(a, vld1q_u8(p));
  n &= ~(size_t)1;
  if (n)
    b = add_words(b, vandq_u8(vld1q_u8(p + n - V), vld1q_u8(keep + n)));
  uint64x2_t sum = vpadalq_u32(vpaddlq_u32(a), b);
  return vaddvq_u64(vpadalq_u32(vpadalq_u32(sum, c), d));
}

MEMLIFT_KERNEL uint32_t memlift_inet_aarch64_neon(const void *from, size_t n, uint32_t init) {
  const unsigned char *p = (const unsigned char *)from;
  uint64_t sum = 0;
  if (n < V)
    return memlift_inet_fold(inet_below_16(p, n), init);
  for (; MEMLIFT_UNLIKELY(n > BLOCK + V); p += BLOCK, n -= BLOCK)
    sum += inet_block(p, BLOCK);
  sum += inet_block(p, n) + odd_byte(p + n, n);
  return memlift_inet_fold(sum, init);
}

MEMLIFT_INLINE uint8x16_t copy_vector(unsigned char *d, const unsigned char *p) {
  uint8x16_t v = vld1q_u8(p);
  vst1q_u8(d, v);
  return v;
}

/* As inet_block, and the bytes go to d, an odd one, too. The last vector is stored whole. */
MEMLIFT_INLINE uint64_t copy_block(unsigned char *to, const unsigned char *p, size_t n) {
  uint32x4_t a = vdupq_n_u32(0), b = a, c = a, e = a;
  for (; n >= 4 * V; to += 4 * V, p += 4 * V, n -= 4 * V) {
    uint8x16_t v = vld1q_u8(p), w = vld1q_u8(p + V);
    uint8x16_t x = vld1q_u8(p + 2 * V), y = vld1q_u8(p + 3 * V);
    vst1q_u8(to, v), vst1q_u8(to + V, w), vst1q_u8(to + 2 * V, x), vst1q_u8(to + 3 * V, y);
    a = add_words(a, v), b = add_words(b, w), c = add_words(c, x), e = add_words(e, y);
  }
  for (; n >= V; to += V, p += V, n -= V)
    a = add_words(a, copy_vector(to, p));
  if (n)
    (void)copy_vector(to + n - V, p + n - V);
  n &= ~(size_t)1;
  if (n)
    b = add_words(b, vandq_u8(vld1q_u8(p + n - V), vld1q_u8(keep + n)));
  uint64x2_t sum = vpadalq_u32(vpaddlq_u32(a), b);
  return vaddvq_u64(vpadalq_u32(vpadalq_u32(sum, c), e));
}

MEMLIFT_KERNEL uint64_t memlift_copy_sum_u16_aarch64_neon(void *dst, const void *src, size_t n) {
  const unsigned char *p = (const unsigned char *)src;
  unsigned char *d = (unsigned char *)dst;
  uint64_t sum = 0;
  if (n < V)
    return memlift_copy_sum_u16_generic(dst, src, n);
  for (; MEMLIFT_UNLIKELY(n > BLOCK + V); d += BLOCK, p += BLOCK, n -= BLOCK)
    sum += copy_block(d, p, BLOCK);
  return sum + copy_block(d, p, n);
}

MEMLIFT_KERNEL uint32_t memlift_copy_inet_aarch64_neon(void *dst, const void *src, size_t n,
                                                       uint32_t init) {
  const uint64_t odd = odd_byte((const unsigned char *)src + n, n);
  return memlift_inet_fold(memlift_copy_sum_u16_aarch64_neon(dst, src, n) + odd, init);
}
#endif

typedef int memlift_inet_aarch64; /* a translation unit must not be empty */
