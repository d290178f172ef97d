/* dsa_spec.h - Intel DSA: limits, contract, and descriptors; its words are in Formats.td
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sources: <linux/idxd.h>; Intel Data Streaming Accelerator architecture specification.
 *
 *   - Any address, any size up to what the queue allows.
 *   - Descriptors of one queue run in any order, those of a batch too unless one has FENCE.
 *   - The record's status is written last; its BYTES are valid after a page fault: so many from
 *     the front are right.
 *   - A move reads all it needs before it overwrites it; we submit no overlapping ones all the
 *     same, since a move that was split would.
 *   - Descriptors are posted to a dedicated queue, and nothing says that one was dropped: who
 *     posts more than the queue has room for loses them.
 *   - An open queue belongs to the address space that opened it, all threads of it: Linux's
 *     drivers/dma/idxd/cdev.c answers EPERM to a child, and maps no portal into it.
 */
#ifndef MEMLIFT_DSA_SPEC_H
#define MEMLIFT_DSA_SPEC_H

#include "../words.h"

#include <stddef.h>

#define DSA_DESCRIPTOR MEMLIFT_DSA_DESC_SIZE
#define DSA_RECORD MEMLIFT_DSA_COMP_SIZE
#define DSA_STATUS_MASK 0x7fu /* bit 7 says whether a fault was a write */

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Address of the completion record in `record`, 32-byte aligned. A fill's pattern is in memory
 * order. count of a batch: 2 and up, its list 64-byte aligned. */
void memlift_dsa_put_move(unsigned char *descriptor, uint64_t destination, uint64_t source,
                          uint32_t size, uint64_t record);
void memlift_dsa_put_fill(unsigned char *descriptor, uint64_t destination, uint64_t pattern,
                          uint32_t size, uint64_t record);
void memlift_dsa_put_batch(unsigned char *descriptor, uint64_t list, uint32_t count,
                           uint64_t record);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
