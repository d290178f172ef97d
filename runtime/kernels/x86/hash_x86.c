/* hash_x86.c - h = h * k + byte for small k, 64 bytes a step, for x86-64 with AVX-512
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Naively each byte waits for a multiplication of 64 bits. Here a vector of 64 bytes becomes eight
 * lanes, each the hash of its own eight bytes, by products that are exact since k is at most 127:
 *
 *     bytes      b0 * k + b1           at most 255 * 128 in 16 bits: vpmaddubsw
 *     16 bits    w0 * k^2 + w1         at most 2^29 in 32 bits:      vpmaddwd
 *     32 bits    d0 * k^4 + d1         at most 2^57 in 64 bits:      vpmuludq
 *
 * Vectors follow one another by h = h * k^64 + lanes in every lane, in four chains of 256 bytes a
 * step, since a product of 64 bits takes 15 cycles. At the end the lanes get their own powers of k,
 * the last one k^0. The bytes that are no whole vector come first, after zeros, which add nothing.
 * The start value counts k^n.
 */
#if defined(__x86_64__)
#include "lanes.h"

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi2")))

/* Factors of the three steps. */
struct factors {
  __m512i bytes, words, lanes;
};

/* is_signed is a constant wherever this is inlined. One factor of vpmaddubsw is unsigned. */
TARGET MEMLIFT_INLINE __m512i hash_block(__m512i v, const struct factors *f, int is_signed) {
  __m512i words = is_signed ? _mm512_maddubs_epi16(f->bytes, v) : _mm512_maddubs_epi16(v, f->bytes);
  __m512i four = _mm512_madd_epi16(words, f->words);
  return is_signed
             ? _mm512_add_epi64(_mm512_mul_epi32(four, f->lanes), _mm512_srai_epi64(four, 32))
             : _mm512_add_epi64(_mm512_mul_epu32(four, f->lanes), _mm512_srli_epi64(four, 32));
}

TARGET MEMLIFT_INLINE __m512i hash_at(const unsigned char *p, const struct factors *f, int s) {
  return hash_block(_mm512_loadu_si512((const void *)p), f, s);
}

/* h * by + more in each lane. */
TARGET MEMLIFT_INLINE __m512i hash_step(__m512i h, __m512i by, __m512i more) {
  return _mm512_add_epi64(_mm512_mullo_epi64(h, by), more);
}

/* x to the power n. */
MEMLIFT_INLINE uint64_t hash_power(uint64_t x, size_t n) {
  uint64_t result = 1;
  for (; n; n >>= 1, x *= x)
    result *= n & 1 ? x : 1;
  return result;
}

/* The n % 64 first bytes; no other byte is touched. */
TARGET MEMLIFT_INLINE __m512i hash_first(const unsigned char *p, size_t n, const struct factors *f,
                                         int is_signed) {
  const size_t zeros = 64 - n;
  const void *at = (const void *)((uintptr_t)p - zeros);
  return hash_block(_mm512_maskz_loadu_epi8(~(__mmask64)0 << zeros, at), f, is_signed);
}

TARGET MEMLIFT_INLINE uint64_t hash_bytes(const unsigned char *p, size_t n, uint64_t h, uint64_t k,
                                          int is_signed) {
  const uint64_t k2 = k * k, k4 = k2 * k2, k8 = k4 * k4, k16 = k8 * k8, k24 = k16 * k8;
  const uint64_t k32 = k16 * k16, k64 = k32 * k32, k128 = k64 * k64;
  const struct factors f = {_mm512_set1_epi16((short)(0x100 | k)),
                            _mm512_set1_epi32((int)(0x10000 | k2)),
                            _mm512_set1_epi64((long long)k4)};
  const __m512i by64 = _mm512_set1_epi64((long long)k64);
  const __m512i by256 = _mm512_set1_epi64((long long)(k128 * k128));
  const unsigned char *end = p + n;
  __m512i a = _mm512_setzero_si512();
  if (n % 64)
    a = hash_first(p, n % 64, &f, is_signed);
  for (p += n % 64; (size_t)(end - p) % 256; p += 64)
    a = hash_step(a, by64, hash_at(p, &f, is_signed));
  if (p != end) {
    __m512i b = hash_at(p + 64, &f, is_signed), c = hash_at(p + 128, &f, is_signed);
    __m512i d = hash_at(p + 192, &f, is_signed);
    a = hash_step(a, by64, hash_at(p, &f, is_signed));
    for (p += 256; p != end; p += 256) {
      a = hash_step(a, by256, hash_at(p, &f, is_signed));
      b = hash_step(b, by256, hash_at(p + 64, &f, is_signed));
      c = hash_step(c, by256, hash_at(p + 128, &f, is_signed));
      d = hash_step(d, by256, hash_at(p + 192, &f, is_signed));
    }
    a = hash_step(hash_step(hash_step(a, by64, b), by64, c), by64, d);
  }
  const __m512i powers =
      _mm512_set_epi64(1, (long long)k8, (long long)k16, (long long)k24, (long long)k32,
                       (long long)(k32 * k8), (long long)(k32 * k16), (long long)(k32 * k24));
  return memlift_sum64_512(_mm512_mullo_epi64(a, powers)) + h * hash_power(k, n);
}

TARGET MEMLIFT_KERNEL uint64_t memlift_hash_x86_avx512(const void *p, size_t n, uint64_t h,
                                                       uint64_t k, int is_signed) {
  return is_signed ? hash_bytes((const unsigned char *)p, n, h, k, 1)
                   : hash_bytes((const unsigned char *)p, n, h, k, 0);
}
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
