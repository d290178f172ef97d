/* entry_crc_table.c - CRCs by tables of the program's, which are checked in each call
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The naive way is the loop of the program: one look-up for each byte. Folding is many times
 * faster, but is right only for the table of a CRC, and nobody knows what is in this one.
 *
 * A CRC's table is linear: entry i is the exclusive-or of the entries at the bits of i. And the
 * eight entries at single bits are one polynomial, shifted 0 to 7 times. So eight entries tell the
 * polynomial, and the others are compared with what they must be, which takes less time than the
 * loop takes for 30 bytes. What is no such table gets the loop, and short calls with the last one
 * that failed do without the test.
 *
 * Entries that no byte looks up need not be readable: the program's object may be smaller than its
 * index allows. But memory is protected by pages, so a page that the loop has read from is safe to
 * read whole. The loop runs until it has read from each page of the table: there are one or two.
 *
 * Bytes may enter at the other end of the register: tables of a CRC that is not reflected, with the
 * bytes of each entry swapped, as FFmpeg has them. The register is then swapped, too.
 */
#include "../../intrinsics/generated/memlift_tests.h"
#include "../kernels/crc_form.h"

#define JOIN2(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN2(a, b, c)
#define NAME(of) JOIN(of, _u, BITS)
#define ENTRY(bits) JOIN(uint, bits, _t)
#define PUBLIC(bits) JOIN(memlift_crc_table_u, bits, )
#define TEST_FROM(bits) JOIN(MEMLIFT_CRC_TABLE_U, bits, _TEST_FROM)

#define BITS 8
#define ENTRY_LOG 0
#include "../kernels/crc_table.h"
#undef BITS
#undef ENTRY_LOG
#define BITS 16
#define ENTRY_LOG 1
#include "../kernels/crc_table.h"
#undef BITS
#undef ENTRY_LOG
#define BITS 32
#define ENTRY_LOG 2
#include "../kernels/crc_table.h"
#undef BITS
#undef ENTRY_LOG
#define BITS 64
#define ENTRY_LOG 3
#include "../kernels/crc_table.h"
