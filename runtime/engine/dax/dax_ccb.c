/* dax_ccb.c - copies and fills as DAX control blocks
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "dax_ccb.h"

/* Encodes the common part of all three: Extract, virtual addresses, output in elements of 16
 * bytes. */
static void put_extract(unsigned char *block, uint64_t destination, uint64_t primary) {
  memlift_record_clear(block, DAX_BLOCK);
  MEMLIFT_PUT(block, DAX_CCB, OPCODE, MEMLIFT_DAX_CCB_OP_EXTRACT);
  MEMLIFT_PUT(block, DAX_CCB, OUTPUT_TYPE, MEMLIFT_DAX_CCB_TYPE_VIRTUAL);
  MEMLIFT_PUT(block, DAX_CCB, PRIMARY_TYPE, MEMLIFT_DAX_CCB_TYPE_VIRTUAL);
  MEMLIFT_PUT(block, DAX_CCB, OUTPUT_FORMAT, MEMLIFT_DAX_CCB_OUT_16);
  MEMLIFT_PUT(block, DAX_CCB, PRIMARY, primary);
  MEMLIFT_PUT(block, DAX_CCB, OUTPUT, destination);
}

void memlift_dax_put_copy(unsigned char *block, uint64_t destination, uint64_t source,
                          size_t size) {
  put_extract(block, destination, source);
  MEMLIFT_PUT(block, DAX_CCB, PRIMARY_FORMAT, MEMLIFT_DAX_CCB_IN_BYTES);
  MEMLIFT_PUT(block, DAX_CCB, ELEMENT_SIZE, DAX_ELEMENT - 1);
  MEMLIFT_PUT(block, DAX_CCB, LENGTH_FORMAT, MEMLIFT_DAX_CCB_COUNT_SYMBOLS);
  MEMLIFT_PUT(block, DAX_CCB, LENGTH, size / DAX_ELEMENT - 1);
}

void memlift_dax_put_zeros(unsigned char *block, uint64_t destination,
                           const struct dax_fill_input *input, size_t size) {
  put_extract(block, destination, (uintptr_t)input->zeros);
  MEMLIFT_PUT(block, DAX_CCB, PRIMARY_FORMAT, MEMLIFT_DAX_CCB_IN_BITS);
  MEMLIFT_PUT(block, DAX_CCB, ELEMENT_SIZE, 0); /* one bit */
  MEMLIFT_PUT(block, DAX_CCB, LENGTH_FORMAT, MEMLIFT_DAX_CCB_COUNT_SYMBOLS);
  MEMLIFT_PUT(block, DAX_CCB, LENGTH, size / DAX_ELEMENT - 1);
}

/* The length is in bytes: of symbols the documents do not say whether they count before or after
 * runs are expanded, of bytes they do. */
void memlift_dax_put_pattern(unsigned char *block, uint64_t destination,
                             const struct dax_fill_input *input, size_t size) {
  size_t row = (size - DAX_OUTPUT_GRANULE) % DAX_RUN_BYTES / DAX_OUTPUT_GRANULE;
  size_t runs = (size + DAX_RUN_BYTES - DAX_OUTPUT_GRANULE) / DAX_RUN_BYTES;
  put_extract(block, destination, (uintptr_t)input->elements);
  MEMLIFT_PUT(block, DAX_CCB, SECONDARY_TYPE, MEMLIFT_DAX_CCB_TYPE_VIRTUAL);
  MEMLIFT_PUT(block, DAX_CCB, PRIMARY_FORMAT, MEMLIFT_DAX_CCB_IN_BYTES_RUNS);
  MEMLIFT_PUT(block, DAX_CCB, ELEMENT_SIZE, DAX_ELEMENT - 1);
  MEMLIFT_PUT(block, DAX_CCB, SECONDARY_ENCODING, 0); /* lengths are stored less one */
  MEMLIFT_PUT(block, DAX_CCB, SECONDARY_SIZE, MEMLIFT_DAX_CCB_RUN_8_BITS);
  MEMLIFT_PUT(block, DAX_CCB, LENGTH_FORMAT, MEMLIFT_DAX_CCB_COUNT_BYTES);
  MEMLIFT_PUT(block, DAX_CCB, LENGTH, runs * DAX_ELEMENT - 1);
  MEMLIFT_PUT(block, DAX_CCB, SECONDARY, (uintptr_t)input->runs[row]);
}

void memlift_dax_prepare_runs(struct dax_fill_input *input) {
  for (unsigned row = 0; row < DAX_RUN_ROWS; row++) {
    input->runs[row][0] = (unsigned char)((row + 1) * (DAX_OUTPUT_GRANULE / DAX_ELEMENT) - 1);
    for (unsigned i = 1; i < DAX_RUNS; i++)
      input->runs[row][i] = DAX_RUNS - 1;
  }
}

void memlift_dax_prepare_pattern(struct dax_fill_input *input, uint64_t pattern) {
  for (unsigned i = 0; i < DAX_RUNS; i++) {
    memlift_pattern_put(input->elements[i], pattern);
    memlift_pattern_put(input->elements[i] + sizeof pattern, pattern);
  }
}
