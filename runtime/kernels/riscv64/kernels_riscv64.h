/* kernels_riscv64.h - the kernels for RV64 and the levels they belong to; part of kernels.h
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * "base" is every RV64; "zb" whatever the machine has of Zbb, Zbc and Zicboz; "v" adds the vectors.
 */
#define MEMLIFT_HAVE_MACHINE_KERNELS 1
#define MEMLIFT_MACHINE_LEVELS(X) X(BASE, base) X(ZB, zb) X(V, v)

memlift_copy_fn memlift_copy_riscv64_base, memlift_move_riscv64_base;
memlift_fill_fn memlift_fill_riscv64_base, memlift_fill_riscv64_zicboz;
memlift_inet_fn memlift_inet_riscv64_base;
memlift_swap_fn memlift_swap_riscv64_zbb, memlift_swap_riscv64_v;
memlift_crc_fn memlift_crc_riscv64_zbc;
memlift_copy_fn memlift_copy_riscv64_v, memlift_move_riscv64_v;
memlift_fill_fn memlift_fill_riscv64_v;
memlift_pattern_fn memlift_pattern_riscv64_v;
memlift_pattern16_fn memlift_pattern16_riscv64_v;
memlift_inet_fn memlift_inet_riscv64_v;
memlift_copy_inet_fn memlift_copy_inet_riscv64_v;
memlift_copy_sum_fn memlift_copy_sum_u16_riscv64_v;
memlift_pair_fn memlift_pair_riscv64_v;
memlift_sum_fn memlift_sum_u8_riscv64_v, memlift_sum_s8_riscv64_v, memlift_xor_riscv64_v;
memlift_sum_fn memlift_sum_u16_riscv64_v, memlift_sum_s16_riscv64_v;
memlift_sum_fn memlift_sum_u32_riscv64_v, memlift_sum_s32_riscv64_v, memlift_sum_u64_riscv64_v;
memlift_sum_fn memlift_sum_swap_u16_riscv64_v, memlift_sum_swap_u32_riscv64_v;
memlift_sum_fn memlift_wsum_u8_riscv64_v;
