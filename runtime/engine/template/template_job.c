/* template_job.c - a copy or a fill as a job of the template device
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Alone in a file, so that test/runtime/vectors.c runs it on machines of either byte order.
 */
#include "template_spec.h"

void memlift_template_put_job(unsigned char *job, const struct memlift_request *piece,
                              uint32_t tag) {
  memlift_record_clear(job, TEMPLATE_JOB);
  MEMLIFT_PUT(job, TEMPLATE_JOB, TAG, tag);
  MEMLIFT_PUT(job, TEMPLATE_JOB, DESTINATION, (uintptr_t)piece->destination);
  MEMLIFT_PUT(job, TEMPLATE_JOB, LENGTH, piece->size);
  if (piece->operation == MEMLIFT_OPERATION_COPY) {
    MEMLIFT_PUT(job, TEMPLATE_JOB, OPCODE, MEMLIFT_TEMPLATE_JOB_OP_COPY);
    MEMLIFT_PUT(job, TEMPLATE_JOB, SOURCE, (uintptr_t)piece->source);
  } else {
    MEMLIFT_PUT(job, TEMPLATE_JOB, OPCODE, MEMLIFT_TEMPLATE_JOB_OP_FILL);
    memlift_pattern_put(job + MEMLIFT_TEMPLATE_JOB_PATTERN_OFFSET, piece->pattern);
  }
}
