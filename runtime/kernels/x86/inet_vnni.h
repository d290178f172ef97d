/* inet_vnni.h - sixteen-bit words added up by AVX512-VNNI, for vectors of vec_avx512.h
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * vpdpwssd adds two products of signed 16-bit words to each 32-bit lane. A word with its top bit
 * inverted is 2^15 less; 1 is the other factor. The 2^16 words of VNNI_BLOCK, half of them to each
 * of the last two lanes, stay within 2^30 on either side of 0; there is room for another block.
 */
#define VNNI_BLOCK ((size_t)2048 * V)
#define TARGET_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,bmi2,avx512vnni")))

/* Made once, not again after each jump. Signed words are taken as they are; is_signed is a constant
 * wherever these functions are inlined. */
struct vnni_words {
  __m512i flip, one;
  int is_signed;
};

TARGET_VNNI MEMLIFT_INLINE struct vnni_words vnni_words(int is_signed) {
  struct vnni_words k = {_mm512_set1_epi32((int)0x80008000u), _mm512_set1_epi32(0x00010001),
                         is_signed};
  __asm__("" : "+v"(k.flip), "+v"(k.one));
  return k;
}

/* Returns the number by which words with their top bit inverted fall short of the sum; `bytes` is
 * the size of whole vectors of them. */
MEMLIFT_INLINE uint64_t vnni_bias(const struct vnni_words *k, size_t bytes) {
  return k->is_signed ? 0 : (uint64_t)(bytes / 2) << 15;
}

/* Written out: GCC 12 copies the sum before and after the intrinsic, in loops too. */
TARGET_VNNI MEMLIFT_INLINE __m512i vnni(__m512i sum, __m512i v, const struct vnni_words *k) {
  __asm__("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(k->is_signed ? v : XOR(v, k->flip)), "v"(k->one));
  return sum;
}

/* The sum of signed 32-bit lanes, each half of which fits into one. */
TARGET_VNNI MEMLIFT_INLINE uint64_t vnni_lanes(__m512i v) {
  __m256i w = _mm256_add_epi32(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));
  __m128i x = _mm_add_epi32(_mm256_castsi256_si128(w), _mm256_extracti128_si256(w, 1));
  int64_t two = _mm_cvtsi128_si64(_mm_add_epi32(x, _mm_unpackhi_epi64(x, x)));
  return (uint64_t)((int32_t)two + (two >> 32));
}

/* Returns the sum of the words of `first` and of n more bytes, 1 to VNNI_BLOCK + V. An addition has
 * a latency of four cycles and there are two units: eight sums. */
TARGET_VNNI MEMLIFT_INLINE uint64_t vnni_block(__m512i first, const unsigned char *p, size_t n,
                                               int is_signed) {
  const struct vnni_words k = vnni_words(is_signed);
  const uint64_t bias = vnni_bias(&k, V + (n + V - 1) / V * V);
  __m512i a = vnni(SPLAT64(0), first, &k), b = SPLAT64(0), c = b, d = b, e = b, f = b, g = b, h = b;
  for (; n > 8 * V; p += 8 * V, n -= 8 * V) {
    a = vnni(a, LOADU(p), &k), b = vnni(b, LOADU(p + V), &k);
    c = vnni(c, LOADU(p + 2 * V), &k), d = vnni(d, LOADU(p + 3 * V), &k);
    e = vnni(e, LOADU(p + 4 * V), &k), f = vnni(f, LOADU(p + 5 * V), &k);
    g = vnni(g, LOADU(p + 6 * V), &k), h = vnni(h, LOADU(p + 7 * V), &k);
  }
  if (n > 4 * V) {
    a = vnni(a, LOADU(p), &k), b = vnni(b, LOADU(p + V), &k);
    c = vnni(c, LOADU(p + 2 * V), &k), d = vnni(d, LOADU(p + 3 * V), &k);
    p += 4 * V, n -= 4 * V;
  }
  if (n > 2 * V) {
    e = vnni(e, LOADU(p), &k), f = vnni(f, LOADU(p + V), &k);
    p += 2 * V, n -= 2 * V;
  }
  if (n > V) {
    g = vnni(g, LOADU(p), &k);
    p += V, n -= V;
  }
  h = vnni(h, LOADN(p, n), &k);
  a = ADD32(ADD32(a, b), ADD32(c, d)), e = ADD32(ADD32(e, f), ADD32(g, h));
  return vnni_lanes(ADD32(a, e)) + bias;
}

/* Whole cache lines but for the first one, whose other bytes are masked off, and the last one, of
 * more than 4 * V and at most VNNI_BLOCK + V bytes. Words are taken as they lie there: at an odd
 * address all of them have their bytes swapped. */
TARGET_VNNI MEMLIFT_INLINE __m512i first_line(const unsigned char *p, size_t before) {
  return _mm512_maskz_loadu_epi8(~(uint64_t)0 << before, p - before);
}

/* Returns the sum of 1 to VNNI_BLOCK bytes as they come. Two vectors or four are last, so that one
 * thing is to guess beside the turns of the loop; lines would be one more. */
TARGET_VNNI MEMLIFT_INLINE uint64_t vnni_some(const unsigned char *p, size_t n, int is_signed) {
  const struct vnni_words k = vnni_words(is_signed);
  const size_t whole = n;
  __m512i a = SPLAT64(0), b = a, c = a, d = a;
  for (; n > 4 * V; p += 4 * V, n -= 4 * V) {
    a = vnni(a, LOADU(p), &k), b = vnni(b, LOADU(p + V), &k);
    c = vnni(c, LOADU(p + 2 * V), &k), d = vnni(d, LOADU(p + 3 * V), &k);
  }
  uint64_t bias = vnni_bias(&k, whole - n);
  if (n <= 2 * V) {
    a = vnni(a, LOADN(p, n < V ? n : V), &k), b = vnni(b, LOADN(p + V, n > V ? n - V : 0), &k);
    bias += vnni_bias(&k, 2 * V);
  } else {
    a = vnni(a, LOADU(p), &k), b = vnni(b, LOADU(p + V), &k);
    c = vnni(c, LOADN(p + 2 * V, n - 2 * V < V ? n - 2 * V : V), &k);
    d = vnni(d, LOADN(p + 3 * V, n > 3 * V ? n - 3 * V : 0), &k);
    bias += vnni_bias(&k, 4 * V);
  }
  return vnni_lanes(ADD32(ADD32(a, b), ADD32(c, d))) + bias;
}
