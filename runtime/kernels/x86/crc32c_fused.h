/* crc32c_fused.h - long CRC-32Cs: carry-less products and the crc32 instruction side by side
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The two use different units. Of each block the first CLMUL_BYTES are folded as every CRC's, and
 * meanwhile three streams of STREAM_BYTES behind them go through the instruction, which takes eight
 * bytes a cycle but has a latency of three. A CRC is moved over n bytes of zeros by a multiplication
 * with x^(8 * n - 33), reflected; the instruction that reduces the product supplies the rest.
 *
 * The constants: 1 << 31 is 1; times x is (a >> 1) ^ (a & 1 ? 0x82f63b78 : 0), 8 * n - 33 times.
 */
#define CRC32C_POLY 0x82f63b78u
#define TURNS 32 /* of 256 bytes folded and 3 * 40 bytes in the streams */
#define CLMUL_BYTES ((size_t)TURNS * 4 * V)
#define STREAM_BYTES ((size_t)TURNS * 40)
#define CRC32C_BLOCK (CLMUL_BYTES + 3 * STREAM_BYTES)
/* Past the caches two places at once are worse than one: half as fast at 32 MiB. */
#define CRC32C_MAX ((size_t)4 << 20)
#define OVER_1280 0xdd66cbbbu
#define OVER_2560 0x22c3799fu
#define OVER_3840 0x23d5e7e5u
#define TARGET_FUSED                                                                           \
  __attribute__((target("avx512f,avx512bw,avx512vl,bmi2,pclmul,vpclmulqdq,sse4.2")))

TARGET_FUSED MEMLIFT_INLINE uint64_t crc32c_over(uint64_t crc, uint32_t power) {
  __m128i product = _mm_clmulepi64_si128(word(crc), word(power), 0x00);
  return _mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(product));
}

/* Five words of each stream. */
TARGET_FUSED MEMLIFT_INLINE void crc32c_streams(uint64_t *s, const unsigned char *p) {
  for (int i = 0; i < 40; i += 8)
    for (int k = 0; k < 3; k++)
      s[k] = _mm_crc32_u64(s[k], load8(p + (size_t)k * STREAM_BYTES + i, 0));
}

TARGET_FUSED MEMLIFT_INLINE uint64_t crc32c_block(uint64_t state, const unsigned char *p,
                                                  const struct memlift_crc_poly *t) {
  const unsigned char *q = p + CLMUL_BYTES;
  const VECTOR four = NAME(crc_by)(t, BY_2048);
  uint64_t s[3] = {0, 0, 0};
  VECTOR a = XOR(LOADU(p), FIRST_LANE(word(state))), b = LOADU(p + V), c = LOADU(p + 2 * V);
  VECTOR d = LOADU(p + 3 * V);
  crc32c_streams(s, q);
  for (int turn = 1; turn < TURNS; turn++) {
    p += 4 * V, q += 40;
    a = NAME(crc_fold)(a, four, LOADU(p)), b = NAME(crc_fold)(b, four, LOADU(p + V));
    c = NAME(crc_fold)(c, four, LOADU(p + 2 * V)), d = NAME(crc_fold)(d, four, LOADU(p + 3 * V));
    crc32c_streams(s, q);
  }
  d = NAME(crc_fold)(c, NAME(crc_by)(t, BY_512), d);
  d = NAME(crc_fold)(b, NAME(crc_by)(t, BY_1024), d);
  d = NAME(crc_fold)(a, NAME(crc_by)(t, BY_1536), d);
  uint64_t first = finish(NAME(crc_lanes)(d, t), t, 0);
  return crc32c_over(first, OVER_3840) ^ crc32c_over(s[0], OVER_2560) ^
         crc32c_over(s[1], OVER_1280) ^ s[2];
}

/* As memlift_crc_x86_clmul512, and CRC-32C like this. */
TARGET_FUSED MEMLIFT_KERNEL uint64_t memlift_crc_x86_fused(uint64_t state, const void *from,
                                                           size_t n,
                                                           const struct memlift_crc_poly *t) {
  const unsigned char *p = (const unsigned char *)from;
  if (n >= CRC32C_BLOCK && n <= CRC32C_MAX && t->poly == CRC32C_POLY && t->width == 32 && t->reflected)
    for (; n >= CRC32C_BLOCK; p += CRC32C_BLOCK, n -= CRC32C_BLOCK)
      state = crc32c_block(state, p, t);
  return memlift_crc_x86_clmul512(state, p, n, t);
}
