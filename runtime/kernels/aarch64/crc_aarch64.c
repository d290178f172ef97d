/* crc_aarch64.c - any CRC of 8 to 64 bits by carry-less multiplication (PMULL), for AArch64
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The method and its constants are those of x86/crc_x86.c, where they are explained; a vector is 16
 * bytes, and eight of them are folded side by side, since a product takes longer than it blocks its
 * unit. Two CRCs, CRC-32 and CRC-32C, have instructions: eight bytes each, one after the other.
 */
#include "../kernels.h"

#if defined(__aarch64__) && MEMLIFT_HAVE_MACHINE_KERNELS
#include "../crc_words.h"

#include <arm_acle.h>
#include <arm_neon.h>

#if defined(__clang__)
#define TARGET __attribute__((target("aes,crc")))
#define TARGET_CRC __attribute__((target("crc")))
#else
#define TARGET __attribute__((target("+crypto+crc")))
#define TARGET_CRC __attribute__((target("+crc")))
#endif
#define V 16

static const unsigned char ends[48] = {
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0,    1,    2,    3,    4,    5,    6,    7,    8,    9,    10,   11,   12,   13,   14,   15,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

/* Products of the low words, and of the high ones. */
TARGET MEMLIFT_INLINE uint64x2_t low_product(uint64x2_t a, uint64x2_t b) {
  uint64x2_t product;
  __asm__("pmull %0.1q, %1.1d, %2.1d" : "=w"(product) : "w"(a), "w"(b));
  return product;
}

TARGET MEMLIFT_INLINE uint64x2_t high_product(uint64x2_t a, uint64x2_t b) {
  uint64x2_t product;
  __asm__("pmull2 %0.1q, %1.2d, %2.2d" : "=w"(product) : "w"(a), "w"(b));
  return product;
}

MEMLIFT_INLINE uint64x2_t exchange(uint64x2_t v) { return vextq_u64(v, v, 1); }

MEMLIFT_INLINE uint64x2_t load16(const unsigned char *p, int up) {
  uint8x16_t v = vld1q_u8(p);
  return up ? exchange(vreinterpretq_u64_u8(vrev64q_u8(v))) : vreinterpretq_u64_u8(v);
}

MEMLIFT_INLINE uint64x2_t row(const struct memlift_crc_poly *t, enum fold_by by) {
  return vld1q_u64(t->fold[by]);
}

TARGET MEMLIFT_INLINE uint64x2_t fold16(uint64x2_t v, uint64x2_t k, uint64x2_t more) {
  return veorq_u64(veorq_u64(low_product(v, k), high_product(v, k)), more);
}

/* Appends the last n bytes, 1 to 15, to x; at least 16 bytes lie before their end. The bytes of x
 * that they push out at its start are folded by 128 bits. Look-ups beyond the table are 0. */
TARGET MEMLIFT_INLINE uint64x2_t append(uint64x2_t x, uint64x2_t by16, const unsigned char *p,
                                        size_t n, int up) {
  uint8x16_t out = vld1q_u8(up ? ends + 32 - n : ends + n);
  uint8x16_t on = vld1q_u8(up ? ends + 16 - n : ends + 16 + n);
  uint8x16_t last = vreinterpretq_u8_u64(load16(p + n - 16, up));
  uint8x16_t bytes = vreinterpretq_u8_u64(x), from_rest = vtstq_u8(out, vdupq_n_u8(0x80));
  uint64x2_t front = vreinterpretq_u64_u8(vqtbl1q_u8(bytes, out));
  uint8x16_t back = vbslq_u8(from_rest, vqtbl1q_u8(bytes, on), last);
  return fold16(front, by16, vreinterpretq_u64_u8(back));
}

/* y modulo G; q is its quotient. */
TARGET MEMLIFT_INLINE uint64_t reduce(uint64x2_t y, const struct memlift_crc_poly *t, int up) {
  uint64x2_t k = row(t, BARRETT), zero = vdupq_n_u64(0);
  if (up) {
    uint64x2_t q = veorq_u64(y, low_product(exchange(y), k));
    return vgetq_lane_u64(veorq_u64(y, high_product(q, k)), 0);
  }
  uint64x2_t q = low_product(y, k);
  uint64x2_t last = vandq_u64(vextq_u64(zero, q, 1), vdupq_n_u64(0 - (t->poly >> 63)));
  uint64x2_t rest = veorq_u64(veorq_u64(y, last), low_product(q, exchange(k)));
  return vgetq_lane_u64(rest, 1);
}

/* x * x^64 modulo G. */
TARGET MEMLIFT_INLINE uint64_t finish(uint64x2_t x, const struct memlift_crc_poly *t, int up) {
  uint64x2_t k = row(t, BY_128), zero = vdupq_n_u64(0);
  uint64x2_t y = up ? veorq_u64(low_product(exchange(x), k), vextq_u64(zero, x, 1))
                    : veorq_u64(low_product(x, exchange(k)), vextq_u64(x, zero, 1));
  return reduce(y, t, up);
}

/* As crc_short.h wants them. */
MEMLIFT_INLINE uint64x2_t words(uint64_t high, uint64_t low, int up) {
  return up ? vcombine_u64(vcreate_u64(low), vcreate_u64(high))
            : vcombine_u64(vcreate_u64(high), vcreate_u64(low));
}

#define CRC_TARGET TARGET
#include "../crc_short.h"

/* 128 bytes an iteration into x[0] to x[7], then these into one; n is at least 8 V. */
TARGET MEMLIFT_INLINE uint64x2_t crc_bulk(uint64x2_t first, const unsigned char **from,
                                          size_t *size, const struct memlift_crc_poly *t, int up) {
  const unsigned char *p = *from;
  size_t n = *size - 8 * V;
  const uint64x2_t eight = row(t, BY_1024), four = row(t, BY_512);
  uint64x2_t a = veorq_u64(load16(p, up), first), b = load16(p + V, up);
  uint64x2_t c = load16(p + 2 * V, up), d = load16(p + 3 * V, up), e = load16(p + 4 * V, up);
  uint64x2_t f = load16(p + 5 * V, up), g = load16(p + 6 * V, up), h = load16(p + 7 * V, up);
  for (p += 8 * V; n >= 8 * V; p += 8 * V, n -= 8 * V) {
    a = fold16(a, eight, load16(p, up)), b = fold16(b, eight, load16(p + V, up));
    c = fold16(c, eight, load16(p + 2 * V, up)), d = fold16(d, eight, load16(p + 3 * V, up));
    e = fold16(e, eight, load16(p + 4 * V, up)), f = fold16(f, eight, load16(p + 5 * V, up));
    g = fold16(g, eight, load16(p + 6 * V, up)), h = fold16(h, eight, load16(p + 7 * V, up));
  }
  e = fold16(a, four, e), f = fold16(b, four, f);
  g = fold16(c, four, g), h = fold16(d, four, h);
  h = fold16(g, row(t, BY_128), h);
  h = fold16(f, row(t, BY_256), h);
  *from = p;
  *size = n;
  return fold16(e, row(t, BY_384), h);
}

TARGET MEMLIFT_INLINE uint64_t crc_long(uint64_t state, const unsigned char *p, size_t n,
                                        const struct memlift_crc_poly *t, int up) {
  uint64x2_t x = words(state, 0, up), by16 = row(t, BY_128);
  if (n >= 8 * V) {
    x = crc_bulk(x, &p, &n, t, up);
  } else {
    x = veorq_u64(load16(p, up), x);
    p += V, n -= V;
  }
  for (; n >= V; p += V, n -= V)
    x = fold16(x, by16, load16(p, up));
  if (n)
    x = append(x, by16, p, n, up);
  return finish(x, t, up);
}

TARGET MEMLIFT_KERNEL uint64_t memlift_crc_aarch64_pmull(uint64_t state, const void *from, size_t n,
                                                         const struct memlift_crc_poly *t) {
  const unsigned char *p = (const unsigned char *)from;
  const unsigned above = 64 - t->width;
  if (n >= V)
    return t->reflected ? crc_long(state, p, n, t, 0)
                        : crc_long(state << above, p, n, t, 1) >> above;
  return t->reflected ? crc_short(state, p, n, t, 0)
                      : crc_short(state << above, p, n, t, 1) >> above;
}

/* One of the two that the processor knows. The polynomial is a constant in each of the calls. */
#define CRC32_POLY 0xedb88320u
#define CRC32C_POLY 0x82f63b78u

MEMLIFT_INLINE int is_reflected32(const struct memlift_crc_poly *t, uint32_t poly) {
  return t->poly == poly && t->width == 32 && t->reflected;
}

TARGET_CRC MEMLIFT_INLINE uint32_t crc32_words(uint32_t c, const unsigned char *p, size_t n,
                                               int castagnoli) {
  uint32_t x;
  uint16_t y;
  for (; n >= 8; p += 8, n -= 8)
    c = castagnoli ? __crc32cd(c, load8(p, 0)) : __crc32d(c, load8(p, 0));
  if (n & 4) {
    __builtin_memcpy(&x, p, 4);
    c = castagnoli ? __crc32cw(c, x) : __crc32w(c, x);
    p += 4;
  }
  if (n & 2) {
    __builtin_memcpy(&y, p, 2);
    c = castagnoli ? __crc32ch(c, y) : __crc32h(c, y);
    p += 2;
  }
  if (n & 1)
    c = castagnoli ? __crc32cb(c, *p) : __crc32b(c, *p);
  return c;
}

TARGET_CRC MEMLIFT_KERNEL uint64_t memlift_crc_aarch64_crc32(uint64_t state, const void *from,
                                                             size_t n,
                                                             const struct memlift_crc_poly *t) {
  if (is_reflected32(t, CRC32_POLY))
    return crc32_words((uint32_t)state, (const unsigned char *)from, n, 0);
  if (is_reflected32(t, CRC32C_POLY))
    return crc32_words((uint32_t)state, (const unsigned char *)from, n, 1);
  return memlift_crc_generic(state, from, n, t);
}

/* The instruction does eight bytes in two or three cycles, and needs no reduction at the end:
 * products are faster from about here on. */
#define PRODUCTS_FROM 128

MEMLIFT_KERNEL uint64_t memlift_crc_aarch64_both(uint64_t state, const void *from, size_t n,
                                                 const struct memlift_crc_poly *t) {
  return n < PRODUCTS_FROM && (is_reflected32(t, CRC32_POLY) || is_reflected32(t, CRC32C_POLY))
             ? memlift_crc_aarch64_crc32(state, from, n, t)
             : memlift_crc_aarch64_pmull(state, from, n, t);
}
#endif

typedef int memlift_crc_aarch64; /* a translation unit must not be empty */
