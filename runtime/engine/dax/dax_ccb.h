/* dax_ccb.h - copies and fills as DAX control blocks
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * There is no public opcode for a copy or a fill. All three are Extract, which turns elements of
 * one format into elements of another (derived from the documents, not run on silicon):
 *
 *   copy      elements of 16 bytes to elements of 16 bytes
 *   zeros     bits, each padded with zeros to 16 bytes: 8 KiB of zero bits clear 1 MiB
 *   pattern   elements of 16 bytes with run lengths: 17 bytes of input make up to 4 KiB
 *
 * size is a multiple of 64, and so is the destination; nothing may cross a page. The completion
 * area's address is left 0: the driver fills it in.
 */
#ifndef MEMLIFT_DAX_CCB_H
#define MEMLIFT_DAX_CCB_H

#include "dax_spec.h"

#include <stddef.h>

/* A fill's input, in pages of its own. A row of runs starts with one of 4 * row + 4 elements and
 * goes on with full ones of 256, so that any multiple of 64 bytes is made of whole elements. */
#define DAX_RUN_BYTES 4096u /* 256 elements of 16 bytes */
#define DAX_RUN_ROWS (DAX_RUN_BYTES / DAX_OUTPUT_GRANULE)
#define DAX_RUNS 256u                           /* of a row */
#define DAX_MAX_FILL (DAX_RUNS * DAX_RUN_BYTES) /* bytes: 1 MiB, of zeros too */

struct dax_fill_input {
  unsigned char zeros[DAX_BASE_PAGE] __attribute__((aligned(8192)));
  unsigned char elements[DAX_RUNS][DAX_ELEMENT] __attribute__((aligned(8192)));
  unsigned char runs[DAX_RUN_ROWS][DAX_RUNS] __attribute__((aligned(8192)));
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

void memlift_dax_put_copy(unsigned char *block, uint64_t destination, uint64_t source, size_t size);
void memlift_dax_put_zeros(unsigned char *block, uint64_t destination,
                           const struct dax_fill_input *input, size_t size);
void memlift_dax_put_pattern(unsigned char *block, uint64_t destination,
                             const struct dax_fill_input *input, size_t size);

/* The runs, once; the 8-byte pattern in memory order, before each fill of another one. */
void memlift_dax_prepare_runs(struct dax_fill_input *input);
void memlift_dax_prepare_pattern(struct dax_fill_input *input, uint64_t pattern);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
