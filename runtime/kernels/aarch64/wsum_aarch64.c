/* wsum_aarch64.c - weighted sums (Adler-32, Fletcher) by NEON
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The method for words is in vector/wsum_impl.h. Bytes: columns of 32 are added up, over a block of
 * iterations, and weighted once at its end; place j of an iteration weighs 32 - j, and each
 * iteration 32 times the sum before it. The sum itself comes along.
 */
#include "../kernels.h"

#if defined(__aarch64__) && MEMLIFT_HAVE_MACHINE_KERNELS
#include "vec_neon.h"

#define BYTES_APART
#include "../vector/wsum_weights.h"
#include "../vector/wsum_impl.h"

/* Iterations of one block: a lane of 16 bits gets at most 255 from each. */
#define BLOCK 256

struct pair_lanes {
  uint32x4_t sum, before; /* of bytes; of the sums before each iteration */
};

/* Each byte with the bits of `flip` inverted. */
MEMLIFT_INLINE uint32x4_t pair_block(struct pair_lanes *s, const unsigned char *p,
                                     size_t iterations, uint8x16_t flip) {
  uint16x8_t a = vdupq_n_u16(0), b = a, c = a, d = a;
  const uint8x16_t first = vld1q_u8(wsum_weights + 32), second = vld1q_u8(wsum_weights + 48);
  for (; iterations; iterations--, p += 32) {
    uint8x16_t v = veorq_u8(vld1q_u8(p), flip), w = veorq_u8(vld1q_u8(p + 16), flip);
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

/* n is at most 32 KiB, so 1024 iterations: a lane of "before" stays below 1024 * 1024 * 8 * 255 / 2
 * < 2^31, and the result of a block, 8 * 256 * 255 * 32 at most, below 2^24. */
#define PAIR_BLOCK ((size_t)32768)

/* Whole iterations; `flip` as above. */
MEMLIFT_INLINE struct memlift_pair pair_iterations(const unsigned char *p, size_t iterations,
                                                   unsigned char flip) {
  struct pair_lanes s = {vdupq_n_u32(0), vdupq_n_u32(0)};
  uint64_t within = 0;
  for (size_t now; iterations; p += 32 * now, iterations -= now) {
    now = iterations < BLOCK ? iterations : BLOCK;
    within += vaddlvq_u32(pair_block(&s, p, now, vdupq_n_u8(flip)));
  }
  return (struct memlift_pair){vaddlvq_u32(s.sum), 32 * vaddlvq_u32(s.before) + within};
}

struct memlift_pair memlift_pair_aarch64_neon(const void *from, size_t n) {
  const unsigned char *p = (const unsigned char *)from;
  size_t rest = n % 32;
  struct memlift_pair both = pair_iterations(p, n / 32, 0);
  if (rest) {
    struct memlift_pair few = memlift_pair_generic(p + n - rest, rest);
    both.weighted += rest * both.sum + few.weighted;
    both.sum += few.sum;
  }
  return both;
}

/* Signed bytes have their top bit inverted, which adds 128 to each, and 128 * (1 + 2 + ... + n). */
MEMLIFT_INLINE uint64_t wsum_bytes(const void *from, size_t n, unsigned char flip,
                                   memlift_sum_fn *few) {
  const unsigned char *p = (const unsigned char *)from;
  uint64_t sum = 0, weighted = 0;
  size_t rest = n % 32;
  for (size_t left = n - rest, now; left; p += now, left -= now) {
    now = left < PAIR_BLOCK ? left : PAIR_BLOCK;
    struct memlift_pair both = pair_iterations(p, now / 32, flip);
    uint64_t added = flip ? 128 * (uint64_t)now : 0;
    weighted += now * sum + both.weighted - added / 2 * (now + 1);
    sum += both.sum - added;
  }
  return rest ? weighted + rest * sum + few(p, rest) : weighted;
}

MEMLIFT_KERNEL uint64_t memlift_wsum_u8_aarch64_neon(const void *p, size_t n) {
  return wsum_bytes(p, n, 0, memlift_wsum_u8_generic);
}

MEMLIFT_KERNEL uint64_t memlift_wsum_s8_aarch64_neon(const void *p, size_t n) {
  return wsum_bytes(p, n, 0x80, memlift_wsum_s8_generic);
}
#endif

typedef int memlift_wsum_aarch64; /* a translation unit must not be empty */
