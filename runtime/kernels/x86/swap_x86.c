/* swap_x86.c - copies that swap the bytes of each word for x86-64, one variant per vector width
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The method is in vector/swap_impl.h.
 */
#if defined(__x86_64__)
#include "../generic/swaps.h"

#include <immintrin.h>

/* Numbers of the source bytes, in the order of the destination, for each sixteen. */
MEMLIFT_INLINE const unsigned char *swap_numbers(unsigned bytes) {
  static const unsigned char numbers[3][16] = {
      {1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14},
      {3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12},
      {7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8}};
  return numbers[bytes == 2 ? 0 : bytes == 4 ? 1 : 2];
}

#include "vec_sse2.h"
#include "../vector/swap_impl.h"

#include "vec_avx2.h"
#include "../vector/swap_impl.h"

#include "vec_avx512.h"
#include "../vector/swap_impl.h"
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
