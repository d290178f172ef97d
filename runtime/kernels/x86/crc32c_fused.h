/* crc32c_fused.h - long CRC-32Cs: carry-less products and the crc32 instruction side by side
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The two use different units. Of each block the first two thirds are folded as every CRC's, and
 * meanwhile four streams after them go through the instruction, which takes eight bytes a cycle
 * but has a latency of three. A CRC is moved over n bytes of zeros by a multiplication with
 * x^(8 * n - 33), reflected; the instruction that reduces the product supplies the rest.
 *
 * The constants: 1 << 31 is 1; times x is (a >> 1) ^ (a & 1 ? 0x82f63b78 : 0), 8 * n - 33 times.
 */
#define CRC32C_POLY 0x82f63b78u
/* Past the caches two places at once are worse than one: half as fast at 32 MiB. */
#define CRC32C_MAX ((size_t)4 << 20)
/* Each iteration folds 256 bytes and takes 32 from each of four streams. Powers of two from 4 KiB
 * on are a number of blocks and a little; the end of a block takes as long as three iterations. */
#define HUGE_ITERATIONS 170
#define LONG_ITERATIONS 42
#define SHORT_ITERATIONS 10
#define CRC32C_BLOCK(iterations) ((size_t)(iterations) * (256 + 4 * 32))

/* Over 4, 3, 2 and 1 streams, and over a block. */
struct crc32c_powers {
  uint32_t four, three, two, one, block;
};
#define HUGE_POWERS                                                                                \
  (struct crc32c_powers){0xecce298eu, 0xa5ac2348u, 0x0c8774a7u, 0xfa0f2bd0u, 0xfee19267u}
#define LONG_POWERS                                                                                \
  (struct crc32c_powers){0x0e0126b2u, 0x24e6fe8fu, 0x889774e1u, 0xc9c8b782u, 0xef755994u}
#define SHORT_POWERS                                                                               \
  (struct crc32c_powers){0xdd66cbbbu, 0x3771e98fu, 0x6b749fb2u, 0xbac2fd7bu, 0x23d5e7e5u}
#define TARGET_FUSED                                                                               \
  __attribute__((target("avx512f,avx512bw,avx512vl,bmi2,pclmul,vpclmulqdq,sse4.2")))

TARGET_FUSED MEMLIFT_INLINE uint64_t crc32c_over(uint64_t crc, uint32_t power) {
  __m128i product = _mm_clmulepi64_si128(word(crc), word(power), 0x00);
  return _mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(product));
}

/* A word of each stream, where it stands: compilers gather what is alike, and then the one unit
 * waits while the other one's work is handed out. A tenth of the time. */
TARGET_FUSED MEMLIFT_INLINE void crc32c_words(uint64_t *s, const unsigned char *p, size_t apart) {
  for (size_t k = 0; k < 4; k++) {
    s[k] = _mm_crc32_u64(s[k], load8(p + k * apart, 0));
    __asm__ volatile("" : "+r"(s[k]));
  }
}

TARGET_FUSED MEMLIFT_INLINE VECTOR crc32c_fold(VECTOR v, VECTOR by, const unsigned char *p) {
  v = NAME(crc_fold)(v, by, LOADU(p));
  __asm__ volatile("" : "+v"(v));
  return v;
}

/* The register after 16 bytes from one of 0: the instruction reduces faster than products. */
TARGET_FUSED MEMLIFT_INLINE uint64_t crc32c_finish(__m128i x) {
  uint64_t crc = _mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(x));
  return _mm_crc32_u64(crc, (uint64_t)_mm_extract_epi64(x, 1));
}

/* One block from a register of 0: so that it need not wait for the block before. */
TARGET_FUSED MEMLIFT_INLINE uint64_t crc32c_block(const unsigned char *p, size_t iterations,
                                                  struct crc32c_powers over,
                                                  const struct memlift_crc_poly *t) {
  const size_t apart = iterations * 32;
  const unsigned char *q = p + iterations * 256, *end = q;
  const VECTOR four = NAME(crc_by)(t, BY_2048);
  uint64_t s[4] = {0, 0, 0, 0};
  VECTOR a = LOADU(p), b = LOADU(p + V), c = LOADU(p + 2 * V), d = LOADU(p + 3 * V);
  for (size_t i = 0; i < 32; i += 8)
    crc32c_words(s, q + i, apart);
  for (p += 4 * V; p < end; p += 4 * V) {
    q += 32;
    a = crc32c_fold(a, four, p), crc32c_words(s, q, apart);
    b = crc32c_fold(b, four, p + V), crc32c_words(s, q + 8, apart);
    c = crc32c_fold(c, four, p + 2 * V), crc32c_words(s, q + 16, apart);
    d = crc32c_fold(d, four, p + 3 * V), crc32c_words(s, q + 24, apart);
  }
  d = NAME(crc_fold)(c, NAME(crc_by)(t, BY_512), d);
  d = NAME(crc_fold)(b, NAME(crc_by)(t, BY_1024), d);
  d = NAME(crc_fold)(a, NAME(crc_by)(t, BY_1536), d);
  return crc32c_over(crc32c_finish(NAME(crc_lanes)(d, t)), over.four) ^
         crc32c_over(s[0], over.three) ^ crc32c_over(s[1], over.two) ^ crc32c_over(s[2], over.one) ^
         s[3];
}

/* The bytes that are left to do. */
struct crc32c_rest {
  const unsigned char *p;
  size_t n;
};

/* Up to the next line, so that no vector lies across two: an eighth of the time of long blocks,
 * which do not wait for these bytes. */
TARGET_FUSED MEMLIFT_INLINE uint64_t crc32c_to_line(uint64_t state, struct crc32c_rest *rest) {
  const unsigned char *p = rest->p, *line = p + (0 - (uintptr_t)p) % V;
  for (; line - p >= 8; p += 8)
    state = _mm_crc32_u64(state, load8(p, 0));
  for (; p < line; p++)
    state = _mm_crc32_u8((uint32_t)state, *p);
  rest->n -= (size_t)(line - rest->p), rest->p = line;
  return state;
}

/* All whole blocks of a size. */
TARGET_FUSED MEMLIFT_INLINE uint64_t crc32c_blocks(uint64_t state, struct crc32c_rest *rest,
                                                   size_t iterations, struct crc32c_powers over,
                                                   const struct memlift_crc_poly *t) {
  const unsigned char *p = rest->p;
  size_t n = rest->n;
  for (; n >= CRC32C_BLOCK(iterations);
       p += CRC32C_BLOCK(iterations), n -= CRC32C_BLOCK(iterations))
    state = crc32c_over(state, over.block) ^ crc32c_block(p, iterations, over, t);
  rest->p = p, rest->n = n;
  return state;
}

/* Fewer than V bytes by the instruction. The last word may be short and is then preceded by zeros:
 * the bits of the register that do not fit are xored to the result. */
TARGET_FUSED MEMLIFT_INLINE uint64_t crc32c_few(uint64_t state, const unsigned char *p, size_t n) {
  const unsigned char *end = p + n;
  const unsigned bits = 8 * (unsigned)(n & 7);
  uint64_t last;
  if (n < 8) {
    if (n == 0)
      return state;
    last = load_few(p, n, 0);
  } else {
    for (; end - p >= 8; p += 8)
      state = _mm_crc32_u64(state, load8(p, 0));
    last = load8(end - 8, 0) & ~(uint64_t)0 << 1 << (63 - bits);
  }
  return _mm_crc32_u64(0, last ^ state << 1 << (63 - bits)) ^ state >> bits;
}

/* Apart, so that the others go by without a stack frame. */
TARGET_FUSED __attribute__((noinline)) static uint64_t
crc32c_many(uint64_t state, const unsigned char *p, size_t n, const struct memlift_crc_poly *t) {
  struct crc32c_rest rest = {p, n};
  if (n >= CRC32C_BLOCK(LONG_ITERATIONS) + V)
    state = crc32c_to_line(state, &rest);
  state = crc32c_blocks(state, &rest, HUGE_ITERATIONS, HUGE_POWERS, t);
  state = crc32c_blocks(state, &rest, LONG_ITERATIONS, LONG_POWERS, t);
  state = crc32c_blocks(state, &rest, SHORT_ITERATIONS, SHORT_POWERS, t);
  return rest.n < V ? crc32c_few(state, rest.p, rest.n)
                    : crc32c_finish(NAME(crc_sixteen)(state, rest.p, rest.n, t, 0));
}

/* At least V bytes. */
TARGET_FUSED __attribute__((noinline)) static uint64_t
crc32c(uint64_t state, const unsigned char *p, size_t n, const struct memlift_crc_poly *t) {
  if (MEMLIFT_UNLIKELY(n >= CRC32C_BLOCK(SHORT_ITERATIONS) && n <= CRC32C_MAX))
    return crc32c_many(state, p, n, t);
  return crc32c_finish(NAME(crc_sixteen)(state, p, n, t, 0));
}

/* By vectors of 64 bytes, and CRC-32C like this. */
TARGET_FUSED MEMLIFT_KERNEL uint64_t memlift_crc_x86_fused(uint64_t state, const void *from,
                                                           size_t n,
                                                           const struct memlift_crc_poly *t) {
  const unsigned char *p = (const unsigned char *)from;
  if (t->poly == CRC32C_POLY && t->width == 32 && t->reflected) {
    if (n < V)
      return crc32c_few(state, p, n);
    return crc32c(state, p, n, t);
  }
  return NAME(crc)(state, from, n, t);
}
