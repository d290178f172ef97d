/* sum_vnni.h - the sum of 16-bit words, signed or not, with inet_vnni.h
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
/* More bytes are summed by lines. On a Zen 5, ticks of a call: 1,500 bytes 23.5, by lines 23.7;
 * 2,048 bytes 17.8, and 29 as they come; 288 to 2,048 at random 38, all by lines 47. */
#define SUM_SOME 1536

/* By lines; at an odd address, where a line ends inside a word, as it comes. */
TARGET_VNNI MEMLIFT_INLINE uint64_t vnni_sum(const unsigned char *p, size_t n, int is_signed) {
  const size_t before = (uintptr_t)p % V;
  uint64_t sum = 0;
  __m512i first = SPLAT64(0);
  if (!(before & 1)) {
    first = first_line(p, before);
    p += V - before, n -= V - before;
  }
  for (; n > VNNI_BLOCK; p += VNNI_BLOCK, n -= VNNI_BLOCK, first = SPLAT64(0))
    sum += vnni_block(first, p, VNNI_BLOCK, is_signed);
  return sum + vnni_block(first, p, n, is_signed);
}

TARGET_VNNI MEMLIFT_INLINE uint64_t vnni_halves(const unsigned char *p, size_t n, int is_signed) {
  n &= ~(size_t)1;
  if (n > V)
    return n > SUM_SOME ? vnni_sum(p, n, is_signed) : vnni_some(p, n, is_signed);
  const struct vnni_words k = vnni_words(is_signed);
  return vnni_lanes(vnni(SPLAT64(0), LOADN(p, n), &k)) + vnni_bias(&k, V);
}
