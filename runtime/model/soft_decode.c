/* soft_decode.c - the soft device's reading of a command: strict, or its users get sloppy
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "soft_device.h"

static int reserved_is_zero(const unsigned char *bytes) {
  const uint32_t reserved = MEMLIFT_SOFT_CMD_RESERVED_MASK | MEMLIFT_SOFT_CMD_INTERRUPT_MASK;
  return (SOFT_GET(bytes, SOFT_CMD, RESERVED) & reserved) == 0 &&
         SOFT_GET(bytes, SOFT_CMD, RESERVED1) == 0 && SOFT_GET(bytes, SOFT_CMD, RESERVED2) == 0 &&
         SOFT_GET(bytes, SOFT_CMD, RESERVED3) == 0;
}

static int wraps(uint64_t address, uint64_t length) { return address + length - 1 < address; }

/* Returns 1 when two regions of equal length, which do not wrap, overlap. */
static int overlap(uint64_t a, uint64_t b, uint64_t length) {
  return a < b ? b - a < length : a - b < length;
}

uint8_t memlift_soft_decode(const unsigned char *bytes, struct soft_command *command) {
  uint32_t header = (uint32_t)SOFT_GET(bytes, SOFT_CMD, OPCODE);
  command->opcode = (header & MEMLIFT_SOFT_CMD_OPCODE_MASK) >> MEMLIFT_SOFT_CMD_OPCODE_SHIFT;
  command->sequence = (uint32_t)SOFT_GET(bytes, SOFT_CMD, SEQUENCE);
  command->destination = SOFT_GET(bytes, SOFT_CMD, DESTINATION);
  command->source = SOFT_GET(bytes, SOFT_CMD, SOURCE);
  command->length = SOFT_GET(bytes, SOFT_CMD, LENGTH);
  command->completion = SOFT_GET(bytes, SOFT_CMD, COMPLETION);
  if (!reserved_is_zero(bytes))
    return MEMLIFT_SOFT_COMP_STATUS_BAD_COMMAND;
  if (command->opcode == MEMLIFT_SOFT_CMD_OP_NOP)
    return command->destination || command->source || command->length
               ? MEMLIFT_SOFT_COMP_STATUS_BAD_COMMAND
               : MEMLIFT_SOFT_COMP_STATUS_OK;
  if ((command->opcode != MEMLIFT_SOFT_CMD_OP_COPY &&
       command->opcode != MEMLIFT_SOFT_CMD_OP_FILL) ||
      command->length == 0 || wraps(command->destination, command->length))
    return MEMLIFT_SOFT_COMP_STATUS_BAD_COMMAND;
  if (command->opcode == MEMLIFT_SOFT_CMD_OP_COPY &&
      (wraps(command->source, command->length) ||
       overlap(command->source, command->destination, command->length)))
    return MEMLIFT_SOFT_COMP_STATUS_BAD_COMMAND;
  return MEMLIFT_SOFT_COMP_STATUS_OK;
}
