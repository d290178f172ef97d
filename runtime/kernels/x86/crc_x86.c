/* crc_x86.c - any CRC of 8 to 64 bits by carry-less multiplication, for x86-64
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Naive: shift the register by one bit for each bit of the input. A table does eight bits by one
 * look-up (crc_generic.c: eight tables, eight bytes), but each step waits for the one before.
 *
 * The bits of the input are the coefficients of a polynomial over GF(2), and the register is that
 * polynomial's remainder. Addition is exclusive-or, and a carry-less product multiplies. A register
 * of fewer than 64 bits is the upper part of one of 64, of the generator G times a power of x: so
 * one piece of code does for all widths.
 *
 * Sixteen bytes A, read as a polynomial of degree 127, that are followed by D more bits count as
 * A * x^D: its halves times x^(D + 64) and x^D modulo G are 127 bits at the most and may be added
 * to the sixteen bytes that lie D bits further on. So the input shrinks to sixteen bytes, whatever
 * its length, and these times x^64 modulo G (two products by Barrett's method) are the CRC.
 *
 * Reflected, the powers of x fall from bit 0 to bit 63, and a product of two such words comes out
 * one bit lower than the words have it: the constants hold x^(D - 1) to make up for that.
 *
 * The method: V. Gopal et al., "Fast CRC computation for generic polynomials using PCLMULQDQ
 * instruction", Intel, 2009.
 */
#if defined(__x86_64__)
#include "crc_reduce.h"

#define CRC_TARGET TARGET16
#include "../crc_short.h"

#include "crc_clmul128.h"
#include "crc_impl.h"

#include "crc_clmul256.h"
#include "crc_impl.h"

#include "crc_clmul512.h"
#include "crc_impl.h"
#include "crc32c_fused.h"
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
