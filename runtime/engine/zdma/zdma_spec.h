/* zdma_spec.h - ZynqMP ZDMA: where it is, its limits and contract; its registers are in Formats.td
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sources: Xilinx UG1087 (registers), UG1085 (Zynq UltraScale+ TRM, DMA controller); QEMU's model,
 * hw/dma/xlnx-zdma.c.
 *
 *   - Physical addresses, of 49 bits. It does not see the caches unless the interconnect is set up
 *   for that.
 *   - Simple mode: one transfer from registers. A copy has the source's size; write-only mode has
 *   the
 *     destination's, and repeats the 16 bytes of the pattern registers from a multiple of 16 on.
 *   - Scatter-gather mode, for copies only: a list of entries for the source and one for the
 *   destination,
 *     each 16-byte aligned, entries one after another. The two may be cut differently; the source's
 *     last entry says STOP. SOURCE_LIST_ERROR, DESTINATION_LIST_ERROR: an entry could not be read.
 *   - ISR says DONE when the last byte is written; READ_ERROR, WRITE_ERROR, or STATE 3: it has
 *   ended
 *     early, memory may hold anything.
 *   - How data is read and written on the bus, DATA_ATTR says: its reset value is bursts of 16
 *   beats at
 *     addresses one after the other, in normal memory. Whoever had the channel before may
 *     have left another, such as bursts at one address.
 *   - ENABLE written 0 ends a transfer; it has when STATE is not BUSY any more.
 */
#ifndef MEMLIFT_ZDMA_SPEC_H
#define MEMLIFT_ZDMA_SPEC_H

#include "../words.h"

#define ZDMA_BASE UINT32_C(0xfd500000) /* GDMA of the ZynqMP */
#define ZDMA_CHANNELS 8u
#define ZDMA_STRIDE MEMLIFT_ZDMA_SIZE
#define ZDMA_ENTRY MEMLIFT_ZDMA_ENTRY_SIZE
#define ZDMA_MAX_BYTES ((size_t)1 << 29) /* the size has 30 bits */

/* The register DATA_ATTR, and its value after a reset. */
#define ZDMA_DATA_ATTR_OFFSET MEMLIFT_ZDMA_READ_BURST_OFFSET
#define ZDMA_MERGE UINT32_C(2) /* AXI: normal memory, not cached */
#define ZDMA_BEATS UINT32_C(15)
#define ZDMA_DATA_ATTR                                                                             \
  ((uint32_t)MEMLIFT_ZDMA_BURST_INCR << MEMLIFT_ZDMA_READ_BURST_SHIFT |                            \
   ZDMA_MERGE << MEMLIFT_ZDMA_READ_CACHE_SHIFT | ZDMA_BEATS << MEMLIFT_ZDMA_READ_LENGTH_SHIFT |    \
   (uint32_t)MEMLIFT_ZDMA_BURST_INCR << MEMLIFT_ZDMA_WRITE_BURST_SHIFT |                           \
   ZDMA_MERGE << MEMLIFT_ZDMA_WRITE_CACHE_SHIFT | ZDMA_BEATS << MEMLIFT_ZDMA_WRITE_LENGTH_SHIFT)

#endif
