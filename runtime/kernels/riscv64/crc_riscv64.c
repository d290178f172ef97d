/* crc_riscv64.c - any CRC of 8 to 64 bits by carry-less multiplication (Zbc), for RV64
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The method and its constants are those of x86/crc_x86.c, where they are explained. A vector of 16
 * bytes is two registers here, and a product two instructions (clmul, clmulh). Four vectors are
 * folded side by side. The input is brought to 8-byte alignment first: unaligned loads may trap.
 */
#include "../kernels.h"

#if defined(__riscv) && MEMLIFT_HAVE_MACHINE_KERNELS
#include "../crc_words.h"
#include "bits_riscv64.h"

/* `up`: the first byte of memory has the highest powers of x, and they are in high. */
struct pair {
  uint64_t low, high;
};

typedef uint64_t __attribute__((may_alias)) crc_u64;

/* p is aligned. */
MEMLIFT_INLINE struct pair load16(const unsigned char *p, int up) {
  uint64_t first = ((const crc_u64 *)(const void *)p)[0];
  uint64_t second = ((const crc_u64 *)(const void *)p)[1];
  return up ? (struct pair){rev8(second), rev8(first)} : (struct pair){first, second};
}

MEMLIFT_INLINE struct pair add(struct pair a, struct pair b) {
  return (struct pair){a.low ^ b.low, a.high ^ b.high};
}

MEMLIFT_INLINE struct pair row(const struct memlift_crc_poly *t, enum fold_by by) {
  return (struct pair){t->fold[by][0], t->fold[by][1]};
}

MEMLIFT_INLINE struct pair fold16(struct pair v, struct pair k, struct pair more) {
  uint64_t low = clmul(v.low, k.low) ^ clmul(v.high, k.high);
  uint64_t high = clmulh(v.low, k.low) ^ clmulh(v.high, k.high);
  return add((struct pair){low, high}, more);
}

/* y modulo G; q is its quotient. */
MEMLIFT_INLINE uint64_t reduce(struct pair y, const struct memlift_crc_poly *t, int up) {
  const struct pair k = row(t, BARRETT);
  if (up) {
    uint64_t q = y.high ^ clmulh(y.high, k.low);
    return y.low ^ clmul(q, k.high);
  }
  uint64_t q = clmul(y.low, k.low);
  return y.high ^ (q & (0 - (t->poly >> 63))) ^ clmulh(q, k.high);
}

/* x * x^64 modulo G. */
MEMLIFT_INLINE uint64_t finish(struct pair x, const struct memlift_crc_poly *t, int up) {
  const struct pair k = row(t, BY_128);
  struct pair y;
  if (up)
    y = (struct pair){clmul(x.high, k.low), clmulh(x.high, k.low) ^ x.low};
  else
    y = (struct pair){clmul(x.low, k.high) ^ x.high, clmulh(x.low, k.high)};
  return reduce(y, t, up);
}

/* The higher powers of x first, whichever end of the register they belong to. */
MEMLIFT_INLINE struct pair words(uint64_t high, uint64_t low, int up) {
  return up ? (struct pair){low, high} : (struct pair){high, low};
}

/* 1 to 7 bytes and the register, of any alignment. */
MEMLIFT_INLINE uint64_t crc_few(uint64_t state, const unsigned char *p, size_t n,
                                const struct memlift_crc_poly *t, int up) {
  unsigned bits = 8 * (unsigned)n;
  uint64_t x = 0;
  for (size_t i = 0; i < n; i++)
    x = up ? x << 8 | p[i] : x >> 8 | (uint64_t)p[i] << 56;
  if (up)
    return reduce(words(x ^ state >> (64 - bits), state << bits, up), t, up);
  return reduce(words(x ^ state << (64 - bits), state >> bits, up), t, up);
}

/* Whole vectors, at least one; p is aligned. */
MEMLIFT_INLINE uint64_t crc_whole(uint64_t state, const unsigned char *p, size_t n,
                                  const struct memlift_crc_poly *t, int up) {
  struct pair a = add(load16(p, up), words(state, 0, up)), by16 = row(t, BY_128);
  p += 16, n -= 16;
  if (n >= 48 + 64) {
    const struct pair four = row(t, BY_512);
    struct pair b = load16(p, up), c = load16(p + 16, up), d = load16(p + 32, up);
    for (p += 48, n -= 48; n >= 64; p += 64, n -= 64) {
      a = fold16(a, four, load16(p, up)), b = fold16(b, four, load16(p + 16, up));
      c = fold16(c, four, load16(p + 32, up)), d = fold16(d, four, load16(p + 48, up));
    }
    d = fold16(c, by16, d);
    d = fold16(b, row(t, BY_256), d);
    a = fold16(a, row(t, BY_384), d);
  }
  for (; n; p += 16, n -= 16)
    a = fold16(a, by16, load16(p, up));
  return finish(a, t, up);
}

MEMLIFT_INLINE uint64_t crc_any(uint64_t state, const unsigned char *p, size_t n,
                                const struct memlift_crc_poly *t, int up) {
  size_t head = -(uintptr_t)p & 7;
  if (head > n)
    head = n;
  if (head) {
    state = crc_few(state, p, head, t, up);
    p += head, n -= head;
  }
  if (n >= 16) {
    size_t whole = n & ~(size_t)15;
    state = crc_whole(state, p, whole, t, up);
    p += whole, n -= whole;
  }
  if (n >= 8) {
    uint64_t x = *(const crc_u64 *)(const void *)p;
    state = reduce(words((up ? rev8(x) : x) ^ state, 0, up), t, up);
    p += 8, n -= 8;
  }
  return n ? crc_few(state, p, n, t, up) : state;
}

MEMLIFT_KERNEL uint64_t memlift_crc_riscv64_zbc(uint64_t state, const void *from, size_t n,
                                                const struct memlift_crc_poly *t) {
  const unsigned char *p = (const unsigned char *)from;
  const unsigned above = 64 - t->width;
  return t->reflected ? crc_any(state, p, n, t, 0) : crc_any(state << above, p, n, t, 1) >> above;
}
#endif

typedef int memlift_crc_riscv64; /* a translation unit must not be empty */
