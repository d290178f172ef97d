/* wsum_generic.c - weighted sums (Adler-32, Fletcher) for any machine
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The loop is "a += w; b += a". Over a block of words w0 to w(k-1) that is
 *
 *     b += k * a + (k * w0 + (k-1) * w1 + ... + 1 * w(k-1));   a += w0 + ... + w(k-1)
 *
 * For bytes a block is one 8-byte load. Its weighted sum is the top lane of two products: four
 * bytes in lanes of 16 bits times four weights, of which the top lane gets all that fit together;
 * no lane can carry into the next (at most 255 * (8 + 6 + 4 + 2) = 5100).
 */
#include "sums.h"

/* Four 16-bit lanes, lowest first. */
#define LANES(a, b, c, d) ((uint64_t)(d) << 48 | (uint64_t)(c) << 32 | (uint64_t)(b) << 16 | (a))
#define ONES LANES(1, 1, 1, 1)

/* Weights of the bytes 0, 2, 4, 6 of a load counted from its low end, and of 1, 3, 5, 7. Byte 0 in
 * memory has weight 8. The weight of the lowest byte stands in the highest lane. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define WEIGHTS_EVEN LANES(2, 4, 6, 8)
#define WEIGHTS_ODD LANES(1, 3, 5, 7)
#else
#define WEIGHTS_EVEN LANES(7, 5, 3, 1)
#define WEIGHTS_ODD LANES(8, 6, 4, 2)
#endif

struct sums {
  uint64_t a, b;
};

MEMLIFT_INLINE void add_block8(struct sums *s, uint64_t x) {
  uint64_t even = x & BYTES_EVEN, odd = x >> 8 & BYTES_EVEN;
  s->b += 8 * s->a + (even * WEIGHTS_EVEN >> 48) + (odd * WEIGHTS_ODD >> 48);
  s->a += (even + odd) * ONES >> 48;
}

/* Adds eight signed bytes: each has its top bit inverted, which adds 128. */
MEMLIFT_INLINE void add_signed8(struct sums *s, uint64_t x) {
  add_block8(s, x ^ 0x8080808080808080u);
  s->b -= 128 * (8 + 7 + 6 + 5 + 4 + 3 + 2 + 1);
  s->a -= 128 * 8;
}

MEMLIFT_INLINE void add_words(struct sums *s, const unsigned char *p, size_t n, unsigned bytes) {
  for (size_t i = 0; i + bytes <= n; i += bytes) {
    s->a += load_packed(p + i, bytes);
    s->b += s->a;
  }
}

MEMLIFT_KERNEL uint64_t memlift_wsum_u8_generic(const void *from, size_t n) {
  const unsigned char *p = (const unsigned char *)from;
  size_t head = to_boundary(p);
  struct sums s = {0, 0};
  if (head > n)
    head = n;
  add_words(&s, p, head, 1);
  for (p += head, n -= head; n >= 8; p += 8, n -= 8)
    add_block8(&s, load_u64(p, 1));
  add_words(&s, p, n, 1);
  return s.b;
}

MEMLIFT_INLINE void add_signed_bytes(struct sums *s, const unsigned char *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    s->a += (p[i] ^ 0x80u) - (uint64_t)0x80;
    s->b += s->a;
  }
}

MEMLIFT_KERNEL uint64_t memlift_wsum_s8_generic(const void *from, size_t n) {
  const unsigned char *p = (const unsigned char *)from;
  size_t head = to_boundary(p);
  struct sums s = {0, 0};
  if (head > n)
    head = n;
  add_signed_bytes(&s, p, head);
  for (p += head, n -= head; n >= 8; p += 8, n -= 8)
    add_signed8(&s, load_u64(p, 1));
  add_signed_bytes(&s, p, n);
  return s.b;
}

/* Four words an iteration: their own weights do not wait for the iteration before. */
MEMLIFT_INLINE uint64_t wsum_wide(const unsigned char *p, size_t n, unsigned bytes) {
  struct sums s = {0, 0};
  for (; n >= 4 * bytes; p += 4 * bytes, n -= 4 * bytes) {
    uint64_t w0 = load_packed(p, bytes), w1 = load_packed(p + bytes, bytes);
    uint64_t w2 = load_packed(p + 2 * bytes, bytes), w3 = load_packed(p + 3 * bytes, bytes);
    s.b += 4 * s.a + (4 * w0 + 3 * w1 + 2 * w2 + w3);
    s.a += w0 + w1 + w2 + w3;
  }
  add_words(&s, p, n, bytes);
  return s.b;
}

MEMLIFT_KERNEL uint64_t memlift_wsum_u16_generic(const void *p, size_t n) {
  return wsum_wide((const unsigned char *)p, n, 2);
}

MEMLIFT_KERNEL uint64_t memlift_wsum_u32_generic(const void *p, size_t n) {
  return wsum_wide((const unsigned char *)p, n, 4);
}

MEMLIFT_KERNEL uint64_t memlift_wsum_u64_generic(const void *p, size_t n) {
  return wsum_wide((const unsigned char *)p, n, 8);
}

struct memlift_pair memlift_pair_generic(const void *p, size_t n) {
  uint64_t weighted = memlift_wsum_u8_generic(p, n);
  return (struct memlift_pair){memlift_sum_u8_generic(p, n), weighted};
}
