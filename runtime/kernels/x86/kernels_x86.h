/* kernels_x86.h - the kernels for x86-64 and the levels they belong to; part of kernels.h
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define MEMLIFT_HAVE_MACHINE_KERNELS 1
#define MEMLIFT_MACHINE_LEVELS(X) X(SSE2, sse2) X(AVX2, avx2) X(AVX512, avx512)

#define MEMLIFT_DECLARE_SUM(NAME, name)                                                            \
  memlift_sum_fn memlift_##name##_x86_sse2, memlift_##name##_x86_avx2, memlift_##name##_x86_avx512;
MEMLIFT_SUM_OPERATIONS(MEMLIFT_DECLARE_SUM)
#undef MEMLIFT_DECLARE_SUM

memlift_copy_fn memlift_copy_x86_sse2, memlift_copy_x86_avx2, memlift_copy_x86_avx512;
memlift_copy_fn memlift_copy_x86_halves, memlift_move_x86_halves;
memlift_copy_fn memlift_move_x86_sse2, memlift_move_x86_avx2, memlift_move_x86_avx512;
memlift_fill_fn memlift_fill_x86_sse2, memlift_fill_x86_avx2, memlift_fill_x86_avx512;
memlift_swap_fn memlift_swap_x86_sse2, memlift_swap_x86_avx2, memlift_swap_x86_avx512;
memlift_swap_fn memlift_reverse_x86_sse2, memlift_reverse_x86_avx2, memlift_reverse_x86_avx512;
memlift_pattern_fn memlift_pattern_x86_sse2, memlift_pattern_x86_avx2, memlift_pattern_x86_avx512;
memlift_pattern16_fn memlift_pattern16_x86_sse2, memlift_pattern16_x86_avx2;
memlift_pattern16_fn memlift_pattern16_x86_avx512;
memlift_inet_fn memlift_inet_x86_sse2, memlift_inet_x86_avx2, memlift_inet_x86_avx512;
memlift_inet_fn memlift_inet_x86_vnni;
memlift_copy_inet_fn memlift_copy_inet_x86_avx2, memlift_copy_inet_x86_vnni;
memlift_copy_sum_fn memlift_copy_sum_u16_x86_avx2, memlift_copy_sum_u16_x86_vnni;
memlift_sum_fn memlift_sum_u16_x86_vnni, memlift_sum_s16_x86_vnni, memlift_sum_swap_u16_x86_vnni;
memlift_hash_fn memlift_hash_x86_avx512;
memlift_sum_fn memlift_ones_x86_sse2, memlift_ones_x86_avx2, memlift_ones_x86_avx512;
memlift_pair_fn memlift_pair_x86_sse2, memlift_pair_x86_avx2, memlift_pair_x86_avx512;
memlift_pair_fn memlift_pair_x86_vnni;
memlift_pair_fn memlift_pair_halves_x86_sse2, memlift_pair_halves_x86_avx2;
memlift_pair_fn memlift_pair_halves_x86_avx512, memlift_pair_halves_x86_vnni;
memlift_crc_fn memlift_crc_x86_clmul128, memlift_crc_x86_clmul256, memlift_crc_x86_fused;
/* Kernels for reflected polynomials of 32 bits at the most. The last one takes an even number of
 * lanes, or fewer than 9. */
memlift_crc_lanes_fn memlift_crc_lanes_x86_clmul128, memlift_crc_lanes_x86_clmul256;
memlift_crc_lanes_fn memlift_crc_lanes_x86_clmul512;
/* Fills in all but the tables, which the kernels above do not read. */
void memlift_crc_fold_x86(struct memlift_crc_poly *t, uint64_t poly, unsigned width, int reflected);
