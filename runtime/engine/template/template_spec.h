/* template_spec.h - the template device: limits and contract; its words are in Formats.td
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Source: ours, the device is made up. A real one has its manual's chapters here.
 *
 *   - Any address of the process, any size up to TEMPLATE_MAX_BYTES, 16 jobs at once. Jobs may end
 *   in any
 *     order. It sees the caches.
 *   - Writing a place to DOORBELL starts the job there. While ROOM reads 0 it would be dropped.
 *   - A record's status is written last. After FAULT so many bytes from the front are right, as
 *   BYTES
 *     says, and the rest may hold anything.
 *   - STOP written 1: what has not begun is dropped, what runs ends. When STOP reads 0, no job of
 *   before
 *     writes any more, and new ones are taken.
 *   - Gone, every register of 4 bytes reads all ones, and it writes nothing.
 */
#ifndef MEMLIFT_TEMPLATE_SPEC_H
#define MEMLIFT_TEMPLATE_SPEC_H

#include "../engine.h"
#include "../words.h"

#define TEMPLATE_PLACES 16u
#define TEMPLATE_JOB MEMLIFT_TEMPLATE_JOB_SIZE
#define TEMPLATE_RECORD MEMLIFT_TEMPLATE_DONE_SIZE
#define TEMPLATE_MAX_BYTES ((size_t)1 << 20)

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Writes a job's 64 bytes. */
void memlift_template_put_job(unsigned char *job, const struct memlift_request *piece,
                              uint32_t tag);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
