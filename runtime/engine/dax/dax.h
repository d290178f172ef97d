/* dax.h - the DAX engine's knobs for tests and models
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_DAX_H
#define MEMLIFT_DAX_H

#include "dax_transport.h"

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* The way that the next start takes; NULL: /dev/oradax. Not thread-safe. */
void memlift_dax_use(const struct dax_transport *transport);

/* Pages that blocks are cut at, a power of two of 8 KiB or more. Starts as the largest that a block
 * may use; a page overflow makes it the smallest, until the next start. */
void memlift_dax_assume_pages(size_t bytes);
size_t memlift_dax_assumed_pages(void);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
