/* dsa_descriptor.c - copies, fills and batches as DSA descriptors
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "dsa_spec.h"

/* Block-on-fault stays off: a page that is not there comes back as a status at once, and the CPU
 * touches it where the program's own handlers are. */
static void put_common(unsigned char *descriptor, uint32_t opcode, uint64_t record) {
  memlift_record_clear(descriptor, DSA_DESCRIPTOR);
  MEMLIFT_PUT(descriptor, DSA_DESC, FLAGS,
              MEMLIFT_DSA_DESC_FLAG_COMPLETION_VALID | MEMLIFT_DSA_DESC_FLAG_COMPLETION_ASKED);
  MEMLIFT_PUT(descriptor, DSA_DESC, OPCODE, opcode);
  MEMLIFT_PUT(descriptor, DSA_DESC, COMPLETION, record);
}

void memlift_dsa_put_move(unsigned char *descriptor, uint64_t destination, uint64_t source,
                          uint32_t size, uint64_t record) {
  put_common(descriptor, MEMLIFT_DSA_DESC_OP_MOVE, record);
  MEMLIFT_PUT(descriptor, DSA_DESC, SOURCE, source);
  MEMLIFT_PUT(descriptor, DSA_DESC, DESTINATION, destination);
  MEMLIFT_PUT(descriptor, DSA_DESC, SIZE, size);
}

void memlift_dsa_put_fill(unsigned char *descriptor, uint64_t destination, uint64_t pattern,
                          uint32_t size, uint64_t record) {
  put_common(descriptor, MEMLIFT_DSA_DESC_OP_FILL, record);
  memlift_pattern_put(descriptor + MEMLIFT_DSA_DESC_SOURCE_OFFSET, pattern);
  MEMLIFT_PUT(descriptor, DSA_DESC, DESTINATION, destination);
  MEMLIFT_PUT(descriptor, DSA_DESC, SIZE, size);
}

void memlift_dsa_put_batch(unsigned char *descriptor, uint64_t list, uint32_t count,
                           uint64_t record) {
  put_common(descriptor, MEMLIFT_DSA_DESC_OP_BATCH, record);
  MEMLIFT_PUT(descriptor, DSA_DESC, SOURCE, list);
  MEMLIFT_PUT(descriptor, DSA_DESC, SIZE, count);
}
