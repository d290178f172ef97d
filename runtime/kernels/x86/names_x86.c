/* names_x86.c - the names of the kernels of x86-64, for descriptions
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Not beside the choice, since it refers to these kernels: a program that asks for no description
 * would bring them all.
 */
#if defined(__x86_64__)
#include "../dispatch.h"

#define NAMED_LEVEL(isa)                                                                           \
  MEMLIFT_NAMED(copy_x86_##isa), MEMLIFT_NAMED(move_x86_##isa), MEMLIFT_NAMED(fill_x86_##isa),     \
      MEMLIFT_NAMED(pattern_x86_##isa), MEMLIFT_NAMED_AS(sum_u8_x86_##isa, sum_x86_##isa)

const struct memlift_named_kernel memlift_machine_kernel_names[] = {
    NAMED_LEVEL(sse2),
    NAMED_LEVEL(avx2),
    NAMED_LEVEL(avx512),
    MEMLIFT_NAMED(copy_x86_halves),
    MEMLIFT_NAMED(move_x86_halves),
    MEMLIFT_NAMED(crc_x86_clmul128),
    MEMLIFT_NAMED(crc_x86_clmul256),
    MEMLIFT_NAMED(crc_x86_fused),
    {0, 0},
};
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
