/* entry_crc_any.c - the public CRC of a polynomial that is known at run time only
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../include/memlift/memlift.h"
#include "../kernels/dispatch.h"

#if defined(__x86_64__)
/* From here on the constants for folding, made at run time, are cheaper than tables. */
#define FOLD_FROM 32

/* The kernels that fold read no table, so only what lies before the tables is there. */
__attribute__((noinline)) static uint64_t folded(uint64_t state, const void *p, size_t n,
                                                 uint64_t poly, uint32_t width, uint32_t reflected,
                                                 memlift_crc_fn *kernel) {
  uint64_t words[offsetof(struct memlift_crc_poly, table) / 8];
  struct memlift_crc_poly *t = (struct memlift_crc_poly *)(void *)words;
  memlift_crc_fold_x86(t, poly, width, reflected);
  return kernel(state, p, n, t);
}
#endif

uint64_t memlift_crc_any(uint64_t state, const void *p, size_t n, uint64_t poly, uint32_t width,
                         uint32_t reflected) {
  width = width < 8 ? 8 : width > 64 ? 64 : width;
  poly &= ~0ull >> (64 - width);
#if defined(__x86_64__)
  if (n >= FOLD_FROM) {
    memlift_crc_fn *kernel = memlift_crc_kernel();
    if (kernel != memlift_crc_generic)
      return folded(state, p, n, poly, width, reflected, kernel);
  }
#endif
  return memlift_crc_any_generic(state, p, n, poly, width, reflected != 0);
}
