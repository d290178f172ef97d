/* wsum_aarch64.c - weighted sums (Adler-32, Fletcher) by NEON
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The method is in vector/wsum_impl.h; a byte's pair of sums in one pass is below.
 */
#include "../kernels.h"

#if defined(__aarch64__) && MEMLIFT_HAVE_MACHINE_KERNELS
#include "vec_neon.h"

#include "../vector/wsum_weights.h"
#include "../vector/wsum_impl.h"

/* Vectors that one round takes: a lane of 16 bits gets 255 from each, in two halves of a turn. */
#define ROUND 256

struct pair_lanes {
  uint32x4_t sum, before; /* of bytes; of the sums before each turn */
};

/* 32 bytes a turn. The column sums of a round are weighted once, at its end: place j of a turn
 * weighs 32 - j, and each turn 32 times the sum before it. */
MEMLIFT_INLINE uint32x4_t pair_round(struct pair_lanes *s, const unsigned char *p, size_t turns) {
  uint16x8_t a = vdupq_n_u16(0), b = a, c = a, d = a;
  const uint8x16_t first = vld1q_u8(wsum_weights + 32), second = vld1q_u8(wsum_weights + 48);
  for (; turns; turns--, p += 32) {
    uint8x16_t v = vld1q_u8(p), w = vld1q_u8(p + 16);
    s->before = vaddq_u32(s->before, s->sum);
    s->sum = vpadalq_u16(s->sum, vpadalq_u8(vpaddlq_u8(v), w));
    a = vaddw_u8(a, vget_low_u8(v)), b = vaddw_high_u8(b, v);
    c = vaddw_u8(c, vget_low_u8(w)), d = vaddw_high_u8(d, w);
  }
  uint32x4_t within = vmull_u16(vget_low_u16(a), vget_low_u16(vmovl_u8(vget_low_u8(first))));
  within = vmlal_high_u16(within, a, vmovl_u8(vget_low_u8(first)));
  within = vmlal_u16(within, vget_low_u16(b), vget_low_u16(vmovl_high_u8(first)));
  within = vmlal_high_u16(within, b, vmovl_high_u8(first));
  within = vmlal_u16(within, vget_low_u16(c), vget_low_u16(vmovl_u8(vget_low_u8(second))));
  within = vmlal_high_u16(within, c, vmovl_u8(vget_low_u8(second)));
  within = vmlal_u16(within, vget_low_u16(d), vget_low_u16(vmovl_high_u8(second)));
  return vmlal_high_u16(within, d, vmovl_high_u8(second));
}

/* n is at most 32 KiB, so 1024 turns: a lane of "before" stays below 1024 * 1024 * 8 * 255 / 2 <
 * 2^31, and what a round gives, 8 * 256 * 255 * 32 at most, below 2^24. */
struct memlift_pair memlift_pair_aarch64_neon(const void *from, size_t n) {
  const unsigned char *p = (const unsigned char *)from;
  struct pair_lanes s = {vdupq_n_u32(0), vdupq_n_u32(0)};
  uint64_t within = 0;
  size_t turns = n / 32, rest = n % 32;
  while (turns) {
    size_t now = turns < ROUND ? turns : ROUND;
    within += vaddlvq_u32(pair_round(&s, p, now));
    p += 32 * now;
    turns -= now;
  }
  uint64_t sum = vaddlvq_u32(s.sum), weighted = 32 * vaddlvq_u32(s.before) + within;
  weighted += rest * sum;
  struct memlift_pair few = memlift_pair_generic(p, rest);
  return (struct memlift_pair){sum + few.sum, weighted + few.weighted};
}
#endif

typedef int memlift_wsum_aarch64; /* a translation unit must not be empty */
