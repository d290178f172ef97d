/* wsum_weights.h - constants of wsum_impl.h
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_WSUM_WEIGHTS_H
#define MEMLIFT_WSUM_WEIGHTS_H

#define LOW8 0x00ff00ff00ff00ffu /* the low half of each 16-bit lane */
#define TOP8 0x8080808080808080u
#define LOW16 0x000000000000ffffu /* the lowest quarter of each 64-bit lane */
#define LOW32 0x00000000ffffffffu /* the low half of each 64-bit lane */

/* 64, 63 ... 1; a vector of V bytes takes the last V of them, and words none. */
static const unsigned char wsum_weights[64] __attribute__((aligned(64), unused)) = {
    64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43,
    42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21,
    20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1};

#endif
