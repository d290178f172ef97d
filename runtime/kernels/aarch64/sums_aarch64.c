/* sums_aarch64.c - sums of bytes and words by NEON
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One instruction (uadalp, sadalp) adds words in pairs to lanes of twice their width; bytes are
 * first added in pairs to 16 bits (uaddlp). Four sums, since each waits for its last addition.
 * Signed words have their top bit inverted, which adds 2^(width - 1) to each; taken off at the end.
 */
#include "../kernels.h"

#if defined(__aarch64__) && MEMLIFT_HAVE_MACHINE_KERNELS
#include <arm_neon.h>

#define V 16

/* Lanes of 32 bits get 2 * 65535 from each of 2^14 iterations and three vectors. */
#define BLOCK ((size_t)16384 * 4 * V)

/* op is a constant wherever these are inlined. Bytes and 16-bit words go to lanes of 32 bits. */
MEMLIFT_INLINE uint32x4_t add32(uint32x4_t sum, uint8x16_t v, enum memlift_sum_op op) {
  switch (op) {
  case MEMLIFT_SUM_U8: return vpadalq_u16(sum, vpaddlq_u8(v));
  case MEMLIFT_SUM_S8: return vpadalq_u16(sum, vpaddlq_u8(veorq_u8(v, vdupq_n_u8(0x80))));
  case MEMLIFT_SUM_S16:
    return vpadalq_u16(sum, veorq_u16(vreinterpretq_u16_u8(v), vdupq_n_u16(0x8000)));
  case MEMLIFT_SUM_SWAP16: return vpadalq_u16(sum, vreinterpretq_u16_u8(vrev16q_u8(v)));
  default: return vpadalq_u16(sum, vreinterpretq_u16_u8(v));
  }
}

/* Whole vectors, at most BLOCK bytes of them. */
MEMLIFT_INLINE uint64_t block32(const unsigned char *p, size_t n, enum memlift_sum_op op) {
  uint32x4_t a = vdupq_n_u32(0), b = a, c = a, d = a;
  for (; n >= 4 * V; p += 4 * V, n -= 4 * V) {
    a = add32(a, vld1q_u8(p), op), b = add32(b, vld1q_u8(p + V), op);
    c = add32(c, vld1q_u8(p + 2 * V), op), d = add32(d, vld1q_u8(p + 3 * V), op);
  }
  for (; n; p += V, n -= V)
    a = add32(a, vld1q_u8(p), op);
  uint64x2_t sum = vpadalq_u32(vpaddlq_u32(a), b);
  return vaddvq_u64(vpadalq_u32(vpadalq_u32(sum, c), d));
}

MEMLIFT_INLINE uint64x2_t add64(uint64x2_t sum, uint8x16_t v, enum memlift_sum_op op) {
  switch (op) {
  case MEMLIFT_SUM_LOW32:
  case MEMLIFT_SUM_U32: return vpadalq_u32(sum, vreinterpretq_u32_u8(v));
  case MEMLIFT_SUM_S32:
    return vpadalq_u32(sum, veorq_u32(vreinterpretq_u32_u8(v), vdupq_n_u32(0x80000000u)));
  case MEMLIFT_SUM_SWAP32: return vpadalq_u32(sum, vreinterpretq_u32_u8(vrev32q_u8(v)));
  default: return vaddq_u64(sum, vreinterpretq_u64_u8(v));
  }
}

MEMLIFT_INLINE uint64_t block64(const unsigned char *p, size_t n, enum memlift_sum_op op) {
  uint64x2_t a = vdupq_n_u64(0), b = a, c = a, d = a;
  for (; n >= 4 * V; p += 4 * V, n -= 4 * V) {
    a = add64(a, vld1q_u8(p), op), b = add64(b, vld1q_u8(p + V), op);
    c = add64(c, vld1q_u8(p + 2 * V), op), d = add64(d, vld1q_u8(p + 3 * V), op);
  }
  for (; n; p += V, n -= V)
    a = add64(a, vld1q_u8(p), op);
  return vaddvq_u64(vaddq_u64(vaddq_u64(a, b), vaddq_u64(c, d)));
}

MEMLIFT_INLINE int is_wide(enum memlift_sum_op op) {
  return op == MEMLIFT_SUM_U32 || op == MEMLIFT_SUM_LOW32 || op == MEMLIFT_SUM_S32 ||
         op == MEMLIFT_SUM_SWAP32 || op == MEMLIFT_SUM_U64;
}

/* Returns the bias that was added to n bytes of signed words. */
MEMLIFT_INLINE uint64_t excess(size_t n, enum memlift_sum_op op) {
  switch (op) {
  case MEMLIFT_SUM_S8: return (uint64_t)n << 7;
  case MEMLIFT_SUM_S16: return (uint64_t)(n / 2) << 15;
  case MEMLIFT_SUM_S32: return (uint64_t)(n / 4) << 31;
  default: return 0;
  }
}

MEMLIFT_INLINE uint64_t sum(const void *from, size_t n, enum memlift_sum_op op,
                            memlift_sum_fn *few) {
  const unsigned char *p = (const unsigned char *)from;
  uint64_t total = 0 - excess(n & ~(size_t)(V - 1), op);
  for (size_t left = n & ~(size_t)(V - 1), now; left; p += now, left -= now) {
    now = left < BLOCK ? left : BLOCK;
    total += is_wide(op) ? block64(p, now, op) : block32(p, now, op);
  }
  return n % V ? total + few(p, n % V) : total;
}

#define SUM(OP, name)                                                                              \
  MEMLIFT_KERNEL uint64_t memlift_##name##_aarch64_neon(const void *p, size_t n) {                 \
    return sum(p, n, MEMLIFT_##OP, memlift_##name##_generic);                                      \
  }
SUM(SUM_U8, sum_u8)
SUM(SUM_S8, sum_s8)
SUM(SUM_U16, sum_u16)
SUM(SUM_S16, sum_s16)
SUM(SUM_U32, sum_u32)
SUM(SUM_LOW32, sum_low_u32)
SUM(SUM_S32, sum_s32)
SUM(SUM_U64, sum_u64)
SUM(SUM_SWAP16, sum_swap_u16)
SUM(SUM_SWAP32, sum_swap_u32)
#endif

typedef int memlift_sums_aarch64; /* a translation unit must not be empty */
