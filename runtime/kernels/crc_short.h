/* crc_short.h - CRCs of fewer than 16 bytes, for kernels that multiply without carries
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Included by a machine's kernel after its words (two 64-bit words as a vector, the higher powers
 * of x first, whichever end of the register they belong to), reduce (such a vector modulo G) and
 * finish (likewise, times x^64). CRC_TARGET is what their functions are compiled for.
 */

/* Fewer than 16 bytes: they and the register make at most 128 bits. */
CRC_TARGET MEMLIFT_INLINE uint64_t crc_short(uint64_t state, const unsigned char *p, size_t n,
                                             const struct memlift_crc_poly *t, int up) {
  unsigned bits = 8 * (unsigned)(n & 7);
  if (n < 8) {
    if (n == 0)
      return state;
    uint64_t x = load_few(p, n, up);
    return reduce(up ? words(x ^ state >> (64 - bits), state << bits, up)
                     : words(x ^ state << (64 - bits), state >> bits, up),
                  t, up);
  }
  uint64_t first = load8(p, up) ^ state;
  if (bits == 0)
    return reduce(words(first, 0, up), t, up);
  uint64_t rest = load_few(p + 8, n & 7, up);
  uint64_t high = up ? first >> (64 - bits) : first << (64 - bits);
  uint64_t low = (up ? first << bits : first >> bits) ^ rest;
  return finish(words(high, low, up), t, up);
}
