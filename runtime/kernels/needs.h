/* needs.h - has a static program bring the kernels that it may call, and no others
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A linker takes from an archive what something refers to, unless the reference is weak. The choice
 * of kernels names all of them, so its references are weak: MEMLIFT_IF_LINKED. A function that
 * calls the kernel of a shape has a strong one to each kernel of that shape, in a section that the
 * linker leaves out: MEMLIFT_NEEDS. The choice then stores the address of a missing kernel, as the
 * linker makes it, for calls that no function of the program makes.
 *
 * Machines other than x86-64 have few kernels, and bring all of them.
 */
#ifndef MEMLIFT_NEEDS_H
#define MEMLIFT_NEEDS_H

#if defined(__x86_64__) && defined(__ELF__)
#define MEMLIFT_IF_LINKED __attribute__((weak))
#define MEMLIFT_NEEDS(kernel)                                                                      \
  __asm__ volatile(".pushsection .memlift.needs, \"e\", @progbits\n\t.quad memlift_" #kernel       \
                   "\n\t.popsection")
#define MEMLIFT_NEEDS_LEVELS(shape)                                                                \
  MEMLIFT_NEEDS(shape##_generic);                                                                  \
  MEMLIFT_NEEDS(shape##_x86_sse2);                                                                 \
  MEMLIFT_NEEDS(shape##_x86_avx2);                                                                 \
  MEMLIFT_NEEDS(shape##_x86_avx512)
#define MEMLIFT_NEEDS_VNNI(shape) MEMLIFT_NEEDS(shape##_x86_vnni)
#define MEMLIFT_NEEDS_CRC                                                                          \
  MEMLIFT_NEEDS(crc_generic);                                                                      \
  MEMLIFT_NEEDS(crc_x86_clmul128);                                                                 \
  MEMLIFT_NEEDS(crc_x86_clmul256);                                                                 \
  MEMLIFT_NEEDS(crc_x86_fused)
#define MEMLIFT_NEEDS_HASH                                                                         \
  MEMLIFT_NEEDS(hash_generic);                                                                     \
  MEMLIFT_NEEDS(hash_x86_avx512)
#else
#define MEMLIFT_IF_LINKED
#define MEMLIFT_NEEDS(kernel) (void)0
#define MEMLIFT_NEEDS_LEVELS(shape) (void)0
#define MEMLIFT_NEEDS_VNNI(shape) (void)0
#define MEMLIFT_NEEDS_CRC (void)0
#define MEMLIFT_NEEDS_HASH (void)0
#endif

#define MEMLIFT_NEEDS_COPY MEMLIFT_NEEDS_LEVELS(copy)
#define MEMLIFT_NEEDS_MOVE MEMLIFT_NEEDS_LEVELS(move)
#define MEMLIFT_NEEDS_FILL MEMLIFT_NEEDS_LEVELS(fill)
#define MEMLIFT_NEEDS_PATTERN MEMLIFT_NEEDS_LEVELS(pattern)
#define MEMLIFT_NEEDS_PATTERN16 MEMLIFT_NEEDS_LEVELS(pattern16)
#define MEMLIFT_NEEDS_SWAP MEMLIFT_NEEDS_LEVELS(swap)
#define MEMLIFT_NEEDS_REVERSE MEMLIFT_NEEDS_LEVELS(reverse)
#define MEMLIFT_NEEDS_ONES MEMLIFT_NEEDS_LEVELS(ones)
#define MEMLIFT_NEEDS_INET                                                                         \
  MEMLIFT_NEEDS_LEVELS(inet);                                                                      \
  MEMLIFT_NEEDS_VNNI(inet)
#define MEMLIFT_NEEDS_PAIR                                                                         \
  MEMLIFT_NEEDS_LEVELS(pair);                                                                      \
  MEMLIFT_NEEDS_VNNI(pair)
#define MEMLIFT_NEEDS_PAIR_HALVES                                                                  \
  MEMLIFT_NEEDS_LEVELS(pair_halves);                                                               \
  MEMLIFT_NEEDS_VNNI(pair_halves)
#define MEMLIFT_NEEDS_COPY_INET                                                                    \
  MEMLIFT_NEEDS(copy_inet_generic);                                                                \
  MEMLIFT_NEEDS(copy_inet_x86_avx2);                                                               \
  MEMLIFT_NEEDS_VNNI(copy_inet)
#define MEMLIFT_NEEDS_COPY_SUM                                                                     \
  MEMLIFT_NEEDS(copy_sum_u16_generic);                                                             \
  MEMLIFT_NEEDS(copy_sum_u16_x86_avx2);                                                            \
  MEMLIFT_NEEDS_VNNI(copy_sum_u16)

/* For each operation of the shape "sum"; `op` is a constant where the function is called. */
#define MEMLIFT_NEEDS_SUM(NAME, name)                                                              \
  if (op == MEMLIFT_##NAME) {                                                                      \
    MEMLIFT_NEEDS_LEVELS(name);                                                                    \
  }
#define MEMLIFT_NEEDS_SUMS_MORE                                                                    \
  if (op == MEMLIFT_SUM_U16) {                                                                     \
    MEMLIFT_NEEDS_VNNI(sum_u16);                                                                   \
  }                                                                                                \
  if (op == MEMLIFT_SUM_S16) {                                                                     \
    MEMLIFT_NEEDS_VNNI(sum_s16);                                                                   \
  }                                                                                                \
  if (op == MEMLIFT_SUM_SWAP16) {                                                                  \
    MEMLIFT_NEEDS_VNNI(sum_swap_u16);                                                              \
  }

#endif
