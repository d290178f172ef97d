/* sum_masks.h - constants of sum_impl.h
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_SUM_MASKS_H
#define MEMLIFT_SUM_MASKS_H

#define LOW16 0x0000ffff0000ffffu /* the low half of each 32-bit lane */
#define LOW32 0x00000000ffffffffu /* the low half of each 64-bit lane */
#define TOP8 0x8080808080808080u
#define TOP16 0x8000800080008000u
#define TOP32 0x8000000080000000u

#endif
