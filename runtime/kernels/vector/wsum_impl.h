/* wsum_impl.h - weighted sums over vectors of V bytes; body of each ISA's variant
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The loop is "a += w; b += a". Bytes: over a block of V of them
 *
 *     b += V * a + (V * w0 + (V-1) * w1 + ... + 1 * w(V-1));   a += w0 + ... + w(V-1)
 *
 * so three vectors are kept: a (psadbw), the a's before each block added up, and the products in
 * parentheses. Wider words: each place j of a block of E words is a loop of its own with sums a, b
 * over the blocks; word j of block q of Q has weight E * (Q - q) - j, so the total is the sum over
 * the places of E * b - j * a.
 *
 * The rest, r words after the last whole vector, are summed by the generic kernel; each word
 * before them weighs r more.
 */

#if !defined(BYTES_APART) /* a machine may have something better for them */
/* Sum of the 32-bit lanes as 64-bit numbers. */
TARGET MEMLIFT_INLINE VECTOR NAME(wsum_widen)(VECTOR v) {
  return ADD64(AND(v, SPLAT64(LOW32)), SRL64(v, 32));
}

/* Blocks until a 32-bit lane of products could overflow: 2^32 / (255 * (64 + 63 + 62 + 61)) is
 * 67372. */
#define PRODUCTS_AT_ONCE 65536

/* Signed bytes have their top bit inverted, which adds 128 to each; taken off at the end. */
TARGET MEMLIFT_INLINE uint64_t NAME(wsum_bytes)(const void *from, size_t n, int is_signed,
                                                memlift_sum_fn *few) {
  const unsigned char *p = (const unsigned char *)from, *weights = wsum_weights + 64 - V;
  if (n < V)
    return few(from, n);
  VECTOR low = SPLAT64(LOW8), even = AND(LOADA(weights), low), odd = SRL16(LOADA(weights), 8);
  VECTOR a = SPLAT64(0), before = a, products = a;
  size_t blocks = n / V, rest = n % V;
  while (blocks) {
    size_t now = blocks < PRODUCTS_AT_ONCE ? blocks : PRODUCTS_AT_ONCE;
    VECTOR lanes = SPLAT64(0);
    blocks -= now;
    for (; now; now--, p += V) {
      VECTOR v = is_signed ? XOR(LOADU(p), SPLAT64(TOP8)) : LOADU(p);
      ONCE(v);
      before = ADD64(before, a);
      a = ADD64(a, SAD8(v));
      lanes = ADD32(lanes, ADD32(MADD16(AND(v, low), even), MADD16(SRL16(v, 8), odd)));
    }
    products = ADD64(products, NAME(wsum_widen)(lanes));
  }
  uint64_t b = V * SUM64(before) + SUM64(products);
  uint64_t sum = rest || is_signed ? SUM64(a) : 0, whole = n - rest;
  if (is_signed) { /* 1 + 2 + ... + whole; whole is even */
    b -= 128 * (whole / 2 * (whole + 1));
    sum -= 128 * whole;
  }
  return rest ? b + rest * sum + few(p, rest) : b;
}

TARGET MEMLIFT_KERNEL uint64_t NAME(memlift_wsum_u8)(const void *p, size_t n) {
  return NAME(wsum_bytes)(p, n, 0, memlift_wsum_u8_generic);
}

TARGET MEMLIFT_KERNEL uint64_t NAME(memlift_wsum_s8)(const void *p, size_t n) {
  return NAME(wsum_bytes)(p, n, 1, memlift_wsum_s8_generic);
}
#undef PRODUCTS_AT_ONCE
#endif

#if !defined(WORDS_APART) /* they may have a file of their own */
/* Adds E * b - j * a over the places j = first, first + step ... that the lanes stand for. */
TARGET MEMLIFT_INLINE uint64_t NAME(wsum_places)(VECTOR a, VECTOR b, unsigned first, unsigned step,
                                                 unsigned block) {
  uint64_t as[V / 8], bs[V / 8], total = 0;
  STOREU(as, a);
  STOREU(bs, b);
  for (unsigned i = 0; i < V / 8; i++)
    total += block * bs[i] - (first + step * i) * as[i];
  return total;
}

TARGET MEMLIFT_KERNEL uint64_t NAME(memlift_wsum_u16)(const void *from, size_t n) {
  const unsigned char *p = (const unsigned char *)from;
  if (n < V)
    return memlift_wsum_u16_generic(from, n);
  const VECTOR low = SPLAT64(LOW16);
  VECTOR a0 = SPLAT64(0), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
  const unsigned char *end = p + (n & ~(size_t)(V - 1));
  for (; p < end; p += V) {
    VECTOR v = LOADU(p);
    ONCE(v);
    a0 = ADD64(a0, AND(v, low)), b0 = ADD64(b0, a0);
    a1 = ADD64(a1, AND(SRL64(v, 16), low)), b1 = ADD64(b1, a1);
    a2 = ADD64(a2, AND(SRL64(v, 32), low)), b2 = ADD64(b2, a2);
    a3 = ADD64(a3, SRL64(v, 48)), b3 = ADD64(b3, a3);
  }
  uint64_t total = NAME(wsum_places)(a0, b0, 0, 4, V / 2) + NAME(wsum_places)(a1, b1, 1, 4, V / 2) +
                   NAME(wsum_places)(a2, b2, 2, 4, V / 2) + NAME(wsum_places)(a3, b3, 3, 4, V / 2);
  uint64_t a = SUM64(ADD64(ADD64(a0, a1), ADD64(a2, a3)));
  return total + n % V / 2 * a + memlift_wsum_u16_generic(p, n % V);
}

TARGET MEMLIFT_KERNEL uint64_t NAME(memlift_wsum_u32)(const void *from, size_t n) {
  const unsigned char *p = (const unsigned char *)from;
  if (n < V)
    return memlift_wsum_u32_generic(from, n);
  const VECTOR low = SPLAT64(LOW32);
  VECTOR a0 = SPLAT64(0), a1 = a0, b0 = a0, b1 = a0;
  const unsigned char *end = p + (n & ~(size_t)(V - 1));
  for (; p < end; p += V) {
    VECTOR v = LOADU(p);
    ONCE(v);
    a0 = ADD64(a0, AND(v, low)), b0 = ADD64(b0, a0);
    a1 = ADD64(a1, SRL64(v, 32)), b1 = ADD64(b1, a1);
  }
  uint64_t total = NAME(wsum_places)(a0, b0, 0, 2, V / 4) + NAME(wsum_places)(a1, b1, 1, 2, V / 4);
  return total + n % V / 4 * SUM64(ADD64(a0, a1)) + memlift_wsum_u32_generic(p, n % V);
}

TARGET MEMLIFT_KERNEL uint64_t NAME(memlift_wsum_u64)(const void *from, size_t n) {
  const unsigned char *p = (const unsigned char *)from;
  if (n < V)
    return memlift_wsum_u64_generic(from, n);
  VECTOR a = SPLAT64(0), b = a;
  const unsigned char *end = p + (n & ~(size_t)(V - 1));
  for (; p < end; p += V)
    a = ADD64(a, LOADU(p)), b = ADD64(b, a);
  return NAME(wsum_places)(a, b, 0, 1, V / 8) + n % V / 8 * SUM64(a) +
         memlift_wsum_u64_generic(p, n % V);
}
#endif
