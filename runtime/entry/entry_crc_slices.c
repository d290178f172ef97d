/* entry_crc_slices.c - CRCs by several tables of the program's, which are checked in each call
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A loop by slices looks up several bytes at once, each in a table of its own. Table k is that of
 * the first one with k bytes of 0 after the byte. Such a loop takes about a cycle a byte, and the
 * tables are four to sixteen times as large as one. So checking them pays for more bytes than with
 * one table (entry_crc_table.c, which tells the idea).
 *
 * The first table is checked as one that is alone. It is linear then, and so must the others be.
 * Eight entries of each follow from those of the one before it, and the rest is compared with the
 * sums of these. The loop is then the same function as the one by the first table alone.
 *
 * No page is read that the loop has not read from, as with one table.
 */
#include "../../intrinsics/generated/memlift_tests.h"
#include "../kernels/crc_form.h"

#define MOST 16u /* slices */

#define JOIN2(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN2(a, b, c)
#define NAME(of) JOIN(of, _u, BITS)
#define ENTRY(bits) JOIN(uint, bits, _t)
#define PUBLIC(bits) JOIN(memlift_crc_slices_u, bits, )
#define TEST_FROM(bits) JOIN(MEMLIFT_CRC_SLICES_U, bits, _TEST_FROM)

#define BITS 16
#define ENTRY_LOG 1
#include "../kernels/crc_slices.h"
#undef BITS
#undef ENTRY_LOG
#define BITS 32
#define ENTRY_LOG 2
#include "../kernels/crc_slices.h"
#undef BITS
#undef ENTRY_LOG
#define BITS 64
#define ENTRY_LOG 3
#include "../kernels/crc_slices.h"
