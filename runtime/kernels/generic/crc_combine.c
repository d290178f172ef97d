/* crc_combine.c - the CRC of two parts from that of each
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The register is linear in register and input: that after both parts is that after the first,
 * moved over as many bytes of zeros as the second has, plus the second's. A byte of zeros
 * multiplies the register by x^8 modulo G, so n of them multiply it by x^(8 * n), which squaring
 * reaches in as many steps as n has bits.
 */
#include "../../include/memlift/memlift.h"
#include "../kernels.h"

/* a * b modulo x^width + g, both of fewer than width bits, x^0 lowest. */
MEMLIFT_INLINE uint64_t times(uint64_t a, uint64_t b, uint64_t g, unsigned width) {
  uint64_t product = 0, mask = ~0ull >> (64 - width);
  for (unsigned i = width; i--;) {
    product = (product << 1 & mask) ^ ((0 - (product >> (width - 1))) & g);
    product ^= (0 - (b >> i & 1)) & a;
  }
  return product;
}

/* The low `width` bits in reverse order. */
MEMLIFT_INLINE uint64_t bit_reversed(uint64_t x, unsigned width) {
  uint64_t y = 0;
  for (unsigned i = 0; i < width; i++, x >>= 1)
    y = y << 1 | (x & 1);
  return y;
}

MEMLIFT_KERNEL uint64_t memlift_crc_combine(uint64_t first, uint64_t second, size_t second_bytes,
                                            const struct memlift_crc_poly *poly) {
  const unsigned width = poly->width;
  const int reflected = poly->reflected != 0;
  const uint64_t g = reflected ? bit_reversed(poly->poly, width) : poly->poly;
  uint64_t moved = reflected ? bit_reversed(first, width) : first;
  uint64_t power = 1; /* to be x^(8 << i) */
  for (int i = 0; i < 8; i++)
    power = (power << 1 & ~0ull >> (64 - width)) ^ ((0 - (power >> (width - 1))) & g);
  for (; second_bytes; second_bytes >>= 1, power = times(power, power, g, width))
    if (second_bytes & 1)
      moved = times(moved, power, g, width);
  return (reflected ? bit_reversed(moved, width) : moved) ^ second;
}
