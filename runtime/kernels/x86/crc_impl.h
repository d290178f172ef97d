/* crc_impl.h - any CRC by folding with carry-less products, over vectors of V bytes
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Included once for each vector width; crc_x86.c explains the method and the words. One fold takes
 * a vector V bytes further: it waits for the fold before, for the latency of a product and two
 * exclusive-ors. So four vectors are folded side by side, each by four vectors' distance, and
 * joined at the end; then the throughput of the multiplier is the limit. Wider vectors fold more
 * lanes of 16 bytes with one instruction.
 *
 * `up` is 1 for a CRC that is not reflected: the bytes of each word are reversed on loading.
 */

TARGET MEMLIFT_INLINE VECTOR NAME(crc_load)(const unsigned char *p, VECTOR reverse, int up) {
  VECTOR v = LOADU(p);
  return up ? SHUFFLE8(v, reverse) : v;
}

/* v * x^(8 * distance) mod G, plus `more`; k holds the two constants of that distance. */
TARGET MEMLIFT_INLINE VECTOR NAME(crc_fold)(VECTOR v, VECTOR k, VECTOR more) {
  return XOR3(CLMUL(v, k, 0x00), CLMUL(v, k, 0x11), more);
}

TARGET MEMLIFT_INLINE VECTOR NAME(crc_by)(const struct memlift_crc_poly *t, enum fold_by by) {
  return LANES(_mm_loadu_si128((const __m128i *)(const void *)t->fold[by]));
}

/* The whole vectors of n bytes, four at a time, into one; n is at least V. */
TARGET MEMLIFT_INLINE VECTOR NAME(crc_bulk)(__m128i first, const unsigned char **from, size_t *size,
                                            const struct memlift_crc_poly *t, int up) {
  const unsigned char *p = *from;
  size_t n = *size;
  VECTOR reverse = LANES(_mm_loadu_si128((const __m128i *)(const void *)reverse_bytes));
  if (up)
    __asm__("" : "+v"(reverse)); /* made once, not again for each load */
  VECTOR a = XOR(NAME(crc_load)(p, reverse, up), FIRST_LANE(first)),
         one = NAME(crc_by)(t, BY_VECTOR);
  p += V, n -= V;
  if (n >= 3 * V) {
    VECTOR four = NAME(crc_by)(t, BY_FOUR_VECTORS);
    VECTOR b = NAME(crc_load)(p, reverse, up), c = NAME(crc_load)(p + V, reverse, up);
    VECTOR d = NAME(crc_load)(p + 2 * V, reverse, up);
    for (p += 3 * V, n -= 3 * V; n >= 4 * V; p += 4 * V, n -= 4 * V) {
      a = NAME(crc_fold)(a, four, NAME(crc_load)(p, reverse, up));
      b = NAME(crc_fold)(b, four, NAME(crc_load)(p + V, reverse, up));
      c = NAME(crc_fold)(c, four, NAME(crc_load)(p + 2 * V, reverse, up));
      d = NAME(crc_fold)(d, four, NAME(crc_load)(p + 3 * V, reverse, up));
    }
    VECTOR two = NAME(crc_by)(t, BY_TWO_VECTORS);
    d = NAME(crc_fold)(c, one, d);
#if defined(BY_THREE_VECTORS)
    b = NAME(crc_fold)(b, two, d);
    a = NAME(crc_fold)(a, NAME(crc_by)(t, BY_THREE_VECTORS), b);
#else
    b = NAME(crc_fold)(a, one, b);
    a = NAME(crc_fold)(b, two, d);
#endif
  }
  for (; n >= V; p += V, n -= V)
    a = NAME(crc_fold)(a, one, NAME(crc_load)(p, reverse, up));
  *from = p;
  *size = n;
  return a;
}

/* All of n bytes, at least 16, into 16. */
TARGET MEMLIFT_INLINE __m128i NAME(crc_sixteen)(uint64_t state, const unsigned char *p, size_t n,
                                                const struct memlift_crc_poly *t, int up) {
  __m128i x = words(state, 0, up);
  __m128i by16 = _mm_loadu_si128((const __m128i *)(const void *)t->fold[BY_128]);
  if (n >= V) {
    x = NAME(crc_lanes)(NAME(crc_bulk)(x, &p, &n, t, up), t);
  } else {
    x = _mm_xor_si128(load16(p, up), x);
    p += 16, n -= 16;
  }
  for (; n >= 16; p += 16, n -= 16)
    x = fold16(x, by16, load16(p, up));
  return n ? append(x, by16, p, n, up) : x;
}

/* Whole vectors are reduced as they are, others by way of 16 bytes. */
TARGET MEMLIFT_INLINE uint64_t NAME(crc_long)(uint64_t state, const unsigned char *p, size_t n,
                                              const struct memlift_crc_poly *t, int up) {
  if (V > 16 && n % V == 0)
    return NAME(crc_finish)(NAME(crc_bulk)(words(state, 0, up), &p, &n, t, up), t, up);
  return finish(NAME(crc_sixteen)(state, p, n, t, up), t, up);
}

TARGET MEMLIFT_INLINE uint64_t NAME(crc)(uint64_t state, const void *from, size_t n,
                                         const struct memlift_crc_poly *t) {
  const unsigned char *p = (const unsigned char *)from;
  const unsigned above = 64 - t->width;
  if (n >= 16)
    return t->reflected ? NAME(crc_long)(state, p, n, t, 0)
                        : NAME(crc_long)(state << above, p, n, t, 1) >> above;
  return t->reflected ? crc_short(state, p, n, t, 0)
                      : crc_short(state << above, p, n, t, 1) >> above;
}

#if V < 64 /* the widest ones are part of crc32c_fused.h's kernel */
TARGET MEMLIFT_KERNEL uint64_t NAME(memlift_crc)(uint64_t state, const void *from, size_t n,
                                                 const struct memlift_crc_poly *t) {
  return NAME(crc)(state, from, n, t);
}
#endif
