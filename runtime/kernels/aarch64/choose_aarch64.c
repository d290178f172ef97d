/* choose_aarch64.c - which kernels each level of AArch64 uses
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../dispatch.h"

#if defined(__aarch64__) && MEMLIFT_HAVE_MACHINE_KERNELS
#include "features_aarch64.h"

#define USE_NEON(NAME, name) MEMLIFT_USE_SUM(NAME, memlift_##name##_aarch64_neon);

static void use_crc(unsigned features) {
  if (features == (MEMLIFT_AARCH64_PMULL | MEMLIFT_AARCH64_CRC32))
    MEMLIFT_USE(crc, memlift_crc_aarch64_both);
  else if (features & MEMLIFT_AARCH64_PMULL)
    MEMLIFT_USE(crc, memlift_crc_aarch64_pmull);
  else if (features & MEMLIFT_AARCH64_CRC32)
    MEMLIFT_USE(crc, memlift_crc_aarch64_crc32);
}

void memlift_use_machine_kernels(enum memlift_level level) {
  if (level >= MEMLIFT_LEVEL_CRYPTO)
    use_crc(memlift_aarch64_features());
  if (level < MEMLIFT_LEVEL_NEON)
    return;
  MEMLIFT_USE(copy, memlift_copy_aarch64_neon);
  MEMLIFT_USE(move, memlift_move_aarch64_neon);
  MEMLIFT_USE(fill, memlift_fill_aarch64_neon);
  MEMLIFT_USE(pattern, memlift_pattern_aarch64_neon);
  MEMLIFT_USE(pattern16, memlift_pattern16_aarch64_neon);
  MEMLIFT_USE(swap, memlift_swap_aarch64_neon);
  MEMLIFT_USE(inet, memlift_inet_aarch64_neon);
  MEMLIFT_USE(copy_inet, memlift_copy_inet_aarch64_neon);
  MEMLIFT_USE(copy_sum, memlift_copy_sum_u16_aarch64_neon);
  MEMLIFT_USE(pair, memlift_pair_aarch64_neon);
  MEMLIFT_SUM_OPERATIONS(USE_NEON)
}

const struct memlift_named_kernel memlift_machine_kernel_names[] = {
    MEMLIFT_NAMED(copy_aarch64_neon),
    MEMLIFT_NAMED(move_aarch64_neon),
    MEMLIFT_NAMED(fill_aarch64_neon),
    MEMLIFT_NAMED(pattern_aarch64_neon),
    MEMLIFT_NAMED_AS(sum_u8_aarch64_neon, sum_aarch64_neon),
    MEMLIFT_NAMED(crc_aarch64_pmull),
    MEMLIFT_NAMED(crc_aarch64_crc32),
    MEMLIFT_NAMED(crc_aarch64_both),
    {0, 0},
};
#endif

typedef int memlift_choose_aarch64; /* a translation unit must not be empty */
