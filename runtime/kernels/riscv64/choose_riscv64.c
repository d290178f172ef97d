/* choose_riscv64.c - which kernels each level of RV64 uses
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../dispatch.h"

#if defined(__riscv) && MEMLIFT_HAVE_MACHINE_KERNELS
#include "features_riscv64.h"

static void use_vectors(void) {
  MEMLIFT_USE(copy, memlift_copy_riscv64_v);
  MEMLIFT_USE(move, memlift_move_riscv64_v);
  MEMLIFT_USE(fill, memlift_fill_riscv64_v);
  MEMLIFT_USE(pattern, memlift_pattern_riscv64_v);
  MEMLIFT_USE(pattern16, memlift_pattern16_riscv64_v);
  MEMLIFT_USE(swap, memlift_swap_riscv64_v);
  MEMLIFT_USE(inet, memlift_inet_riscv64_v);
  MEMLIFT_USE(copy_inet, memlift_copy_inet_riscv64_v);
  MEMLIFT_USE(copy_sum, memlift_copy_sum_u16_riscv64_v);
  MEMLIFT_USE(pair, memlift_pair_riscv64_v);
  MEMLIFT_USE_SUM(SUM_U8, memlift_sum_u8_riscv64_v);
  MEMLIFT_USE_SUM(SUM_S8, memlift_sum_s8_riscv64_v);
  MEMLIFT_USE_SUM(SUM_U16, memlift_sum_u16_riscv64_v);
  MEMLIFT_USE_SUM(SUM_S16, memlift_sum_s16_riscv64_v);
  MEMLIFT_USE_SUM(SUM_U32, memlift_sum_u32_riscv64_v);
  MEMLIFT_USE_SUM(SUM_LOW32, memlift_sum_u32_riscv64_v); /* adds no slower */
  MEMLIFT_USE_SUM(SUM_S32, memlift_sum_s32_riscv64_v);
  MEMLIFT_USE_SUM(SUM_U64, memlift_sum_u64_riscv64_v);
  MEMLIFT_USE_SUM(SUM_SWAP16, memlift_sum_swap_u16_riscv64_v);
  MEMLIFT_USE_SUM(SUM_SWAP32, memlift_sum_swap_u32_riscv64_v);
  MEMLIFT_USE_SUM(WSUM_U8, memlift_wsum_u8_riscv64_v);
  MEMLIFT_USE_SUM(XOR, memlift_xor_riscv64_v);
}

void memlift_use_machine_kernels(enum memlift_level level) {
  uint32_t has = memlift_riscv64_features().has;
  if (level >= MEMLIFT_LEVEL_BASE) {
    MEMLIFT_USE(copy, memlift_copy_riscv64_base);
    MEMLIFT_USE(move, memlift_move_riscv64_base);
    MEMLIFT_USE(fill, memlift_fill_riscv64_base);
    MEMLIFT_USE(inet, memlift_inet_riscv64_base);
  }
  if (level >= MEMLIFT_LEVEL_ZB) {
    if (has & MEMLIFT_RISCV64_ZBB)
      MEMLIFT_USE(swap, memlift_swap_riscv64_zbb);
    if (has & MEMLIFT_RISCV64_ZBC)
      MEMLIFT_USE(crc, memlift_crc_riscv64_zbc);
    if (has & MEMLIFT_RISCV64_ZICBOZ)
      MEMLIFT_USE(fill, memlift_fill_riscv64_zicboz);
  }
  if (level >= MEMLIFT_LEVEL_V && has & MEMLIFT_RISCV64_V)
    use_vectors();
}

const struct memlift_named_kernel memlift_machine_kernel_names[] = {
    MEMLIFT_NAMED(copy_riscv64_base),
    MEMLIFT_NAMED(move_riscv64_base),
    MEMLIFT_NAMED(fill_riscv64_base),
    MEMLIFT_NAMED(copy_riscv64_v),
    MEMLIFT_NAMED(move_riscv64_v),
    MEMLIFT_NAMED(fill_riscv64_zicboz),
    MEMLIFT_NAMED(fill_riscv64_v),
    MEMLIFT_NAMED(pattern_riscv64_v),
    MEMLIFT_NAMED(crc_riscv64_zbc),
    MEMLIFT_NAMED_AS(sum_u8_riscv64_v, sum_riscv64_v),
    {0, 0},
};
#endif

typedef int memlift_choose_riscv64; /* a translation unit must not be empty */
