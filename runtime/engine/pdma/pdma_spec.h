/* pdma_spec.h - SiFive PDMA: where it is, its limits and contract; its registers are in Formats.td
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sources: SiFive FU540-C000 manual, chapter 12; QEMU's model, hw/dma/sifive_pdma.c.
 *
 *   - Physical addresses of any alignment, any size. Copies only. It sees the caches.
 *   - A channel is claimed, which clears its next transfer; then programmed, then run. A channel
 *     whose CLAIM is set belongs to other software, whether it runs or not. The claim can be taken
 *     back when RUN is clear.
 *   - RUN stays set until the transfer has ended. ERROR: it has ended early, memory may hold
 *     anything (QEMU's model leaves RUN set then). A running transfer cannot be stopped.
 */
#ifndef MEMLIFT_PDMA_SPEC_H
#define MEMLIFT_PDMA_SPEC_H

#include "../words.h"

#define PDMA_BASE UINT32_C(0x3000000) /* FU540, FU740, PolarFire SoC */
#define PDMA_CHANNELS 4u
#define PDMA_STRIDE MEMLIFT_PDMA_SIZE

/* The widest transactions, both ways, and no repetition. */
#define PDMA_WIDEST (MEMLIFT_PDMA_WSIZE_MASK | MEMLIFT_PDMA_RSIZE_MASK)

#endif
