/* crc_lanes_impl.h - CRCs in lanes by carry-less products, over vectors of V bytes
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Included once for each vector width by crc_lanes_x86.c, which explains the method.
 */

/* Each word of v, on by the distance of k, plus `more`. */
TARGET MEMLIFT_INLINE VECTOR NAME(lanes_fold)(VECTOR v, VECTOR k, VECTOR more) {
  const VECTOR high = AND(v, SPLAT64(0xffffffff)), low = SRL64(v, 32);
  const VECTOR first = LOW64(CLMUL(high, k, 0x00), CLMUL(high, k, 0x01));
  const VECTOR second = LOW64(CLMUL(low, k, 0x10), CLMUL(low, k, 0x11));
  return XOR3(first, second, more);
}

/* Shrinks the words of a block to those of its last round. Returns these. Vectors at the end of a
 * half reach beyond it, and then write beyond the block. */
TARGET MEMLIFT_INLINE uint64_t *NAME(lanes_shrink)(struct lane_block *block, unsigned lanes) {
  uint64_t *w = block->word;
  for (unsigned log = block->doublings; log--;) {
    const size_t half = (size_t)lanes << log;
    const VECTOR k = LANES(row(block, log));
    for (size_t i = 0; i < half; i += V / 8)
      STOREU(w + half + i, NAME(lanes_fold)(LOADU(w + i), k, LOADU(w + half + i)));
    w += half;
  }
  return w;
}

TARGET MEMLIFT_KERNEL void NAME(memlift_crc_lanes)(uint64_t *registers, const unsigned char *p,
                                                   size_t rounds, unsigned lanes,
                                                   const struct memlift_crc_poly *t) {
  struct lane_block block;
  p += begin(&block, registers, p, rounds, lanes, t);
  const VECTOR k = LANES(row(&block, block.doublings));
  for (size_t blocks = (rounds - 1) >> block.doublings; blocks; blocks--)
    for (size_t i = 0; i < block.words; i += V / 8, p += V)
      STOREU(block.word + i, NAME(lanes_fold)(LOADU(block.word + i), k, LOADU(p)));
  const uint64_t *last = NAME(lanes_shrink)(&block, lanes);
  for (unsigned i = 0; i < lanes; i++)
    registers[i] = times(last[i], block.round, t, 0);
#if V > 16
  _mm256_zeroupper(); /* GCC 12 leaves it out: by -fipa-ra, begin has told it too much */
#endif
}
