/* dax_spec.h - the SPARC M7/T7 DAX's limits and contract; its words are in Formats.td
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sources: Linux Documentation/arch/sparc/oradax/dax-hv-api.txt (the hypervisor), oracle-dax.rst
 * and drivers/sbus/char/oradax.c (the driver). What memory has to keep, of all that is there:
 *
 *   - Output is written in granules of 64 bytes: address and size are multiples of that. Input may
 *     start at any byte.
 *   - No input and no output of a block crosses the end of the page that it starts in.
 *   - Blocks run in any order unless they are marked Serial.
 *   - A block that failed or was killed leaves anything in its output, and nothing outside of it.
 *   - The status is written last. A block may be lost: it is given up after a time of the
 *     program's choice, and killed to be sure.
 *   - Killing may have to be tried again; once it is answered the block touches memory no more.
 */
#ifndef MEMLIFT_DAX_SPEC_H
#define MEMLIFT_DAX_SPEC_H

#include "../words.h"

#define DAX_BLOCK MEMLIFT_DAX_CCB_SIZE
#define DAX_MAX_BLOCKS 15u    /* of one submission: DAX_MAX_CCBS */
#define DAX_AREAS_OF_ONE 128u /* completion areas of one open device: DAX_MMAP_LEN / 128 */
/* so often it is opened: each unit has 2 commands of 15 blocks */
#define DAX_OPENS 2u
#define DAX_COMPLETION_AREAS (DAX_OPENS * DAX_AREAS_OF_ONE)
#define DAX_OUTPUT_GRANULE 64u      /* bytes */
#define DAX_ELEMENT 16u             /* bytes of the elements that copies and fills are made of */
#define DAX_MAX_LENGTH (1u << 24)   /* of the 24-bit length */
#define DAX_BASE_PAGE 8192u         /* smallest page of the machine */
#define DAX_LARGEST_PAGE (4u << 20) /* that one block may use: an 8 MiB page is two of hardware */

#endif
