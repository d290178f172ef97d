/* polyhash_generic.c - h = h * k + byte, eight bytes an iteration; or words, four an iteration
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *     h' = h * k^8 + (b0 * k^7 + b1 * k^6 + ... + b6 * k + b7)
 *
 * The sum in parentheses does not wait for h, so an iteration costs the latency of one
 * multiplication and one addition instead of eight of each. The powers are formed only when eight
 * bytes are there.
 */
#include "../../include/memlift/memlift.h"
#include "../dispatch.h"
#include "sums.h"

/* A byte as a number; is_signed is a constant wherever this is inlined. */
MEMLIFT_INLINE uint64_t value(unsigned char byte, int is_signed) {
  return is_signed ? (byte ^ 0x80u) - (uint64_t)0x80 : byte;
}

MEMLIFT_INLINE uint64_t polyhash(const void *from, size_t n, uint64_t h, uint64_t k, int s) {
  const unsigned char *p = (const unsigned char *)from;
  if (n >= 8) {
    const uint64_t k2 = k * k, k3 = k2 * k, k4 = k2 * k2, k5 = k4 * k, k6 = k4 * k2, k7 = k4 * k3;
    const uint64_t k8 = k4 * k4;
    for (; n >= 8; p += 8, n -= 8) {
      uint64_t first =
          value(p[0], s) * k7 + value(p[1], s) * k6 + value(p[2], s) * k5 + value(p[3], s) * k4;
      uint64_t last =
          value(p[4], s) * k3 + value(p[5], s) * k2 + value(p[6], s) * k + value(p[7], s);
      h = h * k8 + (first + last);
    }
  }
  for (; n; p++, n--)
    h = h * k + value(*p, s);
  return h;
}

MEMLIFT_KERNEL uint64_t memlift_hash_generic(const void *p, size_t n, uint64_t h, uint64_t k,
                                             int is_signed) {
  return is_signed ? polyhash(p, n, h, k, 1) : polyhash(p, n, h, k, 0);
}

/* From so many bytes on, and up to this factor, the machine's own kernel is called. */
#define HASH_MANY ((size_t)64)
#define HASH_FACTOR 127

MEMLIFT_KERNEL uint64_t memlift_polyhash_u8(const void *p, size_t n, uint64_t h, uint64_t k) {
  if (MEMLIFT_UNLIKELY(n >= HASH_MANY && k <= HASH_FACTOR))
    return memlift_cpu_hash(p, n, h, k, 0);
  return polyhash(p, n, h, k, 0);
}

MEMLIFT_KERNEL uint64_t memlift_polyhash_s8(const void *p, size_t n, uint64_t h, uint64_t k) {
  if (MEMLIFT_UNLIKELY(n >= HASH_MANY && k <= HASH_FACTOR))
    return memlift_cpu_hash(p, n, h, k, 1);
  return polyhash(p, n, h, k, 1);
}

/* bytes, the size of a word, is a constant wherever this is inlined. */
MEMLIFT_INLINE uint64_t polyhash_words(const void *from, size_t n, uint64_t h, uint64_t k,
                                       unsigned bytes) {
  const unsigned char *p = (const unsigned char *)from;
  size_t words = n / bytes;
  if (words >= 4) {
    const uint64_t k2 = k * k, k3 = k2 * k, k4 = k2 * k2;
    for (; words >= 4; p += 4 * bytes, words -= 4) {
      uint64_t first = load_packed(p, bytes) * k3 + load_packed(p + bytes, bytes) * k2;
      uint64_t last = load_packed(p + 2 * bytes, bytes) * k + load_packed(p + 3 * bytes, bytes);
      h = h * k4 + (first + last);
    }
  }
  for (; words; p += bytes, words--)
    h = h * k + load_packed(p, bytes);
  return h;
}

MEMLIFT_KERNEL uint64_t memlift_polyhash_u16(const void *p, size_t n, uint64_t h, uint64_t k) {
  return polyhash_words(p, n, h, k, 2);
}

MEMLIFT_KERNEL uint64_t memlift_polyhash_u32(const void *p, size_t n, uint64_t h, uint64_t k) {
  return polyhash_words(p, n, h, k, 4);
}

MEMLIFT_KERNEL uint64_t memlift_polyhash_u64(const void *p, size_t n, uint64_t h, uint64_t k) {
  return polyhash_words(p, n, h, k, 8);
}
