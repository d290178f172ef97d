/* kernels_aarch64.h - the kernels for AArch64 and the levels they belong to; part of kernels.h
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For little-endian machines whose compiler may use vector registers and unaligned accesses.
 * Others, and code for places where it may not (-mgeneral-regs-only, -mstrict-align), have the
 * generic kernels.
 */
#define MEMLIFT_HAVE_MACHINE_KERNELS 1
#define MEMLIFT_MACHINE_LEVELS(X) X(NEON, neon) X(CRYPTO, crypto)

#define MEMLIFT_DECLARE_SUM(NAME, name) memlift_sum_fn memlift_##name##_aarch64_neon;
MEMLIFT_SUM_OPERATIONS(MEMLIFT_DECLARE_SUM)
#undef MEMLIFT_DECLARE_SUM

memlift_copy_fn memlift_copy_aarch64_neon, memlift_move_aarch64_neon;
memlift_fill_fn memlift_fill_aarch64_neon;
memlift_pattern_fn memlift_pattern_aarch64_neon;
memlift_pattern16_fn memlift_pattern16_aarch64_neon;
memlift_swap_fn memlift_swap_aarch64_neon;
memlift_inet_fn memlift_inet_aarch64_neon;
memlift_copy_inet_fn memlift_copy_inet_aarch64_neon;
memlift_copy_sum_fn memlift_copy_sum_u16_aarch64_neon;
memlift_pair_fn memlift_pair_aarch64_neon;
/* PMULL; the instructions for CRC-32 and CRC-32C, others by tables; both. */
memlift_crc_fn memlift_crc_aarch64_pmull, memlift_crc_aarch64_crc32, memlift_crc_aarch64_both;
