/* zdma.h - settings of a board or a test, made before it starts the ZDMA engine
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_ZDMA_H
#define MEMLIFT_ZDMA_H

#include "../bus.h"

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* bus: NULL is the chip's own. base: of the channels' registers, 0 is ZDMA_BASE. control: bits of
 * CTRL0 that every transfer has beside its mode. Not thread-safe. */
void memlift_zdma_use(const struct memlift_bus *bus, uintptr_t base, uint32_t control);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
