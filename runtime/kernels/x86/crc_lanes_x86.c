/* crc_lanes_x86.c - CRCs in lanes, reflected and of 32 bits at the most, for x86-64
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The ideas of crc_x86.c, with words that stay in their lanes. A word, and a register that has been
 * added to it, is a polynomial of degree 63 (bit i is x^(63 - i)). D bits further on it counts as
 * itself times x^D modulo G, and it may be folded to there. A product of 64 bits by 64 would reach
 * over into the next word, which is another lane's. But a generator of 32 bits, as one of 64, is a
 * multiple of x^32, and so are the remainders of higher powers of x: these have 32 bits. The halves
 * of a word times such a constant are 63 bits, and fit the place of a word. So a word takes two
 * products, the upper half of the powers (its low 32 bits) with x^(D + 63) modulo G and the lower
 * one with x^(D + 31); a product comes out 63 bits lower than words have it.
 *
 * All words of some rounds are folded by the same distance, these rounds: vectors need not know
 * where rounds begin. At the end the rounds are folded onto the last one, by halves.
 *
 * Powers of x are kept one lower than they are for: x^(a - 1) times x^(b - 1), reflected, is then
 * x^(a + b - 1), and the rows of the polynomial have them up to x^575.
 */
#if defined(__x86_64__)
#include "crc_reduce.h"

#include "crc_lanes_block.h"

#include "crc_clmul128.h"
#include "crc_lanes_impl.h"

#include "crc_clmul256.h"
#include "crc_lanes_impl.h"

#include "crc_clmul512.h"
#include "crc_lanes_impl.h"
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
