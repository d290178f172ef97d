/* bits.c - the places of bits, for processors that do not count zeros
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bits.h"

#if defined(MEMLIFT_BITS_BY_TABLE)
const unsigned char memlift_bit_places[64] = {
    0,  1,  56, 2,  57, 49, 28, 3,  61, 58, 42, 50, 38, 29, 17, 4,  62, 47, 59, 36, 45, 43,
    51, 22, 53, 39, 33, 30, 24, 18, 12, 5,  63, 55, 48, 27, 60, 41, 37, 16, 46, 35, 44, 21,
    52, 32, 23, 11, 54, 26, 40, 15, 34, 20, 31, 10, 25, 14, 19, 9,  13, 8,  7,  6};

unsigned memlift_lowest_bit_once(uint64_t bits) { return memlift_lowest_bit_by_table(bits); }
#else
typedef int memlift_no_table; /* a translation unit must not be empty */
#endif
