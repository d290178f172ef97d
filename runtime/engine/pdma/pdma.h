/* pdma.h - settings of a board or a test, made before it starts the PDMA engine
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_PDMA_H
#define MEMLIFT_PDMA_H

#include "../bus.h"

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* bus: NULL is the chip's own. base: of the channels' registers, 0 is PDMA_BASE. config: of each
 * transfer, 0 is PDMA_WIDEST. Not thread-safe. */
void memlift_pdma_use(const struct memlift_bus *bus, uintptr_t base, uint32_t config);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
