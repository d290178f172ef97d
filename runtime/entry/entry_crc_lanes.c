/* entry_crc_lanes.c - the public CRC in lanes: which way to go about it
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * x86-64 has kernels for polynomials that are reflected and have up to 32 bits, those that programs
 * keep lanes of. Other polynomials are left to the kernel for one register. It gets the words of a
 * lane with bytes of 0 between them, which is what a lane is by definition. It does that for each
 * lane, and so takes as many times longer: still less than look-ups do, where it folds.
 */
#include "../include/memlift/memlift.h"
#include "../kernels/dispatch.h"

/* The bytes of a lane and the zeros between them, at the most: rounds of each number of lanes fill
 * most of it. */
#define SPREAD 768

#define MOST 16u /* lanes */

/* Between the words is nothing but 0, whichever lane they are of. */
__attribute__((noinline)) static void spread_lanes(uint64_t *registers, const unsigned char *p,
                                                   size_t rounds, unsigned lanes,
                                                   const struct memlift_crc_poly *poly,
                                                   memlift_crc_fn *kernel) {
  uint64_t words[SPREAD / 8];
  const size_t most = SPREAD / 8 / lanes;
  for (size_t i = 0; i < SPREAD / 8; i++)
    words[i] = 0;
  while (rounds) {
    const size_t now = rounds < most ? rounds : most;
    for (size_t lane = 0; lane < lanes; lane++) {
      for (size_t i = 0; i < now; i++)
        __builtin_memcpy(&words[i * lanes], p + 8 * (i * lanes + lane), 8);
      registers[lane] = kernel(registers[lane], words, 8 * now * lanes, poly);
    }
    p += 8 * now * lanes;
    rounds -= now;
  }
}

#if defined(__x86_64__)
/* The kernel with vectors as wide as those of the kernel for one register, as far as a block is a
 * number of them. */
MEMLIFT_INLINE memlift_crc_lanes_fn *lanes_kernel(memlift_crc_fn *one, unsigned lanes) {
  if (one == memlift_crc_x86_fused && (lanes < 9 || lanes % 2 == 0))
    return memlift_crc_lanes_x86_clmul512;
  if (one == memlift_crc_x86_fused || one == memlift_crc_x86_clmul256)
    return memlift_crc_lanes_x86_clmul256;
  return memlift_crc_lanes_x86_clmul128;
}
#endif

uint64_t memlift_crc_lanes(uint64_t *registers, const void *from, size_t n, uint32_t lanes,
                           const struct memlift_crc_poly *poly) {
  const unsigned char *p = (const unsigned char *)from;
  if (lanes == 0)
    return 0;
  lanes = lanes > MOST ? MOST : lanes;
  const size_t rounds = n / ((size_t)8 * lanes);
  if (rounds == 0)
    return registers[0];
  memlift_crc_fn *kernel = memlift_crc_kernel();
  if (lanes == 1)
    return registers[0] = kernel(registers[0], p, 8 * rounds, poly);
  if (kernel == memlift_crc_generic)
    memlift_crc_lanes_generic(registers, p, rounds, lanes, poly);
#if defined(__x86_64__)
  else if (poly->reflected && poly->width <= 32)
    lanes_kernel(kernel, lanes)(registers, p, rounds, lanes, poly);
#endif
  else
    spread_lanes(registers, p, rounds, lanes, poly, kernel);
  return registers[0];
}
