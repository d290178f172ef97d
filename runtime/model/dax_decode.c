/* dax_decode.c - the DAX model's reading of a control block: strict, or its users get sloppy
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "dax_decode.h"

/* Bits that no field has: all of them have to be 0. */
static uint64_t reserved_bits(const unsigned char *block) {
#define RESERVED(offset, bytes, mask) | (memlift_word_get(block + (offset), bytes, 1) & ~(mask))
  return 0 MEMLIFT_DAX_CCB_WORDS(RESERVED);
#undef RESERVED
}

/* Returns 1 for the address types that the driver lets a user choose. */
static int user_type(uint64_t type) {
  return type == MEMLIFT_DAX_CCB_TYPE_NONE || type == MEMLIFT_DAX_CCB_TYPE_VIRTUAL;
}

static void decode_input(const unsigned char *block, struct dax_command *c) {
  c->format = (uint32_t)MEMLIFT_GET(block, DAX_CCB, PRIMARY_FORMAT);
  c->has_runs =
      c->format == MEMLIFT_DAX_CCB_IN_BYTES_RUNS || c->format == MEMLIFT_DAX_CCB_IN_BITS_RUNS;
  c->element_bits = (uint32_t)MEMLIFT_GET(block, DAX_CCB, ELEMENT_SIZE) + 1;
  if (c->format == MEMLIFT_DAX_CCB_IN_BYTES || c->format == MEMLIFT_DAX_CCB_IN_BYTES_RUNS)
    c->element_bits *= 8;
  c->bit_offset = (uint32_t)MEMLIFT_GET(block, DAX_CCB, BIT_OFFSET);
  c->run_bits = 1u << MEMLIFT_GET(block, DAX_CCB, SECONDARY_SIZE);
  c->run_offset = (uint32_t)MEMLIFT_GET(block, DAX_CCB, SECONDARY_OFFSET);
  c->run_less_one = MEMLIFT_GET(block, DAX_CCB, SECONDARY_ENCODING) == 0;
}

static void decode_length(const unsigned char *block, struct dax_command *c) {
  uint64_t length = MEMLIFT_GET(block, DAX_CCB, LENGTH) + 1;
  switch (MEMLIFT_GET(block, DAX_CCB, LENGTH_FORMAT)) {
  case MEMLIFT_DAX_CCB_COUNT_SYMBOLS: c->elements = length; break;
  case MEMLIFT_DAX_CCB_COUNT_BYTES:
    c->elements = length * 8 % c->element_bits ? 0 : length * 8 / c->element_bits;
    break;
  case MEMLIFT_DAX_CCB_COUNT_BITS:
    c->elements = length % c->element_bits ? 0 : length / c->element_bits;
    break;
  default: c->elements = 0;
  }
}

uint32_t memlift_dax_decode(const unsigned char *block, struct dax_command *c) {
  c->opcode = (uint32_t)MEMLIFT_GET(block, DAX_CCB, OPCODE);
  c->serial = (uint32_t)MEMLIFT_GET(block, DAX_CCB, SERIAL);
  c->output_bytes = 1u << MEMLIFT_GET(block, DAX_CCB, OUTPUT_FORMAT);
  c->pad_left = (uint32_t)MEMLIFT_GET(block, DAX_CCB, PAD_LEFT);
  c->primary = MEMLIFT_GET(block, DAX_CCB, PRIMARY);
  c->secondary = MEMLIFT_GET(block, DAX_CCB, SECONDARY);
  c->output = MEMLIFT_GET(block, DAX_CCB, OUTPUT);
  c->has_primary = MEMLIFT_GET(block, DAX_CCB, PRIMARY_TYPE) != MEMLIFT_DAX_CCB_TYPE_NONE;
  c->has_secondary = MEMLIFT_GET(block, DAX_CCB, SECONDARY_TYPE) != MEMLIFT_DAX_CCB_TYPE_NONE;
  c->has_output = MEMLIFT_GET(block, DAX_CCB, OUTPUT_TYPE) != MEMLIFT_DAX_CCB_TYPE_NONE;
  decode_input(block, c);
  decode_length(block, c);
  if (MEMLIFT_GET(block, DAX_CCB, VERSION) != 0 ||
      !user_type(MEMLIFT_GET(block, DAX_CCB, OUTPUT_TYPE)) ||
      !user_type(MEMLIFT_GET(block, DAX_CCB, PRIMARY_TYPE)) ||
      !user_type(MEMLIFT_GET(block, DAX_CCB, SECONDARY_TYPE)) ||
      !user_type(MEMLIFT_GET(block, DAX_CCB, TABLE_TYPE)))
    return MEMLIFT_DAX_EXEC_BAD_BLOCK;
  switch (c->opcode) {
  case MEMLIFT_DAX_CCB_OP_SYNC:
  case MEMLIFT_DAX_CCB_OP_EXTRACT: return MEMLIFT_DAX_EXEC_OK;
  case MEMLIFT_DAX_CCB_OP_SCAN_VALUE:
  case MEMLIFT_DAX_CCB_OP_SCAN_VALUE | 0x10:
  case MEMLIFT_DAX_CCB_OP_SCAN_RANGE:
  case MEMLIFT_DAX_CCB_OP_SCAN_RANGE | 0x10:
  case MEMLIFT_DAX_CCB_OP_TRANSLATE:
  case MEMLIFT_DAX_CCB_OP_TRANSLATE | 0x10:
  case MEMLIFT_DAX_CCB_OP_SELECT:
    return MEMLIFT_DAX_EXEC_UNAVAILABLE; /* this model has none of them */
  default: return MEMLIFT_DAX_EXEC_BAD_BLOCK;
  }
}

/* Addresses of a no-op: none. */
static int valid_sync(const unsigned char *block) {
  for (unsigned i = 16; i < DAX_BLOCK; i++)
    if (block[i])
      return 0;
  return (memlift_word_get(block, 4, 1) & 0xffff) == 0 &&
         (memlift_word_get(block + 4, 4, 1) & 0x7fffffff) == 0;
}

static int valid_input(const unsigned char *block, const struct dax_command *c) {
  int bytes = c->format == MEMLIFT_DAX_CCB_IN_BYTES || c->format == MEMLIFT_DAX_CCB_IN_BYTES_RUNS;
  int bits = c->format == MEMLIFT_DAX_CCB_IN_BITS || c->format == MEMLIFT_DAX_CCB_IN_BITS_RUNS;
  if (!(bytes && c->element_bits <= 128 && c->bit_offset == 0) && !(bits && c->element_bits <= 15))
    return 0;
  if (!c->has_primary || !c->elements)
    return 0;
  /* The document does not define the number of symbols where there are runs. */
  if (c->has_runs)
    return c->has_secondary &&
           MEMLIFT_GET(block, DAX_CCB, LENGTH_FORMAT) != MEMLIFT_DAX_CCB_COUNT_SYMBOLS;
  return !c->has_secondary && c->secondary == 0 && c->run_offset == 0 && c->run_less_one &&
         c->run_bits == 1;
}

int memlift_dax_valid(const unsigned char *block, const struct dax_command *c) {
  if (reserved_bits(block) || MEMLIFT_GET(block, DAX_CCB, PIPELINE) ||
      MEMLIFT_GET(block, DAX_CCB, LONG) || MEMLIFT_GET(block, DAX_CCB, CONDITIONAL) ||
      MEMLIFT_GET(block, DAX_CCB, COMPLETION_TYPE) ||
      memlift_word_get(block + MEMLIFT_DAX_CCB_COMPLETION_ADDRESS_OFFSET, 8, 1))
    return 0; /* pipelines and conditions: not modelled; the completion area is the driver's */
  if (c->opcode == MEMLIFT_DAX_CCB_OP_SYNC)
    return valid_sync(block);
  return valid_input(block, c) && c->has_output &&
         MEMLIFT_GET(block, DAX_CCB, OUTPUT_FORMAT) <= MEMLIFT_DAX_CCB_OUT_16 &&
         c->output % DAX_OUTPUT_GRANULE == 0 && MEMLIFT_GET(block, DAX_CCB, CACHE) < 3 &&
         MEMLIFT_GET(block, DAX_CCB, FLOW) == 0 &&
         MEMLIFT_GET(block, DAX_CCB, OUTPUT_BLOCKS) == 0 &&
         MEMLIFT_GET(block, DAX_CCB, PIPELINE_TARGET) == 0 &&
         MEMLIFT_GET(block, DAX_CCB, OPERANDS) == 0 && MEMLIFT_GET(block, DAX_CCB, TABLE) == 0 &&
         MEMLIFT_GET(block, DAX_CCB, TABLE_TYPE) == MEMLIFT_DAX_CCB_TYPE_NONE;
}
