// Dsa.td - words of the Intel Data Streaming Accelerator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def DsaDescriptor : Format<"DSA_DESC", "little", 64> {
  let Title = "Intel DSA: descriptor";
  let Source = "/usr/include/linux/idxd.h, struct dsa_hw_desc";
  let Constants = 1;
  let Fields = [
    Field<"PASID", 0, 4, 19, 0, "address space, filled in by ENQCMD">,
    Field<"PRIVILEGED", 0, 4, 31, 31, "supervisor access">,
    Field<"FLAGS", 4, 4, 23, 0, "FLAG values">,
    Field<"OPCODE", 4, 4, 31, 24, "an OP value">,
    Word<"COMPLETION", 8, 8, "address of the completion record, 32-byte aligned">,
    Word<"SOURCE", 16, 8, "source; the 8-byte pattern of a fill; the list of a batch, 64-byte aligned">,
    Word<"DESTINATION", 24, 8, "destination address">,
    Word<"SIZE", 32, 4, "bytes; descriptors of a batch">,
    Word<"INTERRUPT", 36, 2, "interrupt handle">,
    Word<"CRC_SEED", 40, 4, "seed of a crc; other opcodes use these bytes otherwise">
  ];
  let Values = [
    Value<"OP_NOP", 0x00, "no operation">,
    Value<"OP_BATCH", 0x01, "a list of descriptors">,
    Value<"OP_DRAIN", 0x02, "wait for earlier descriptors">,
    Value<"OP_MOVE", 0x03, "memory move">,
    Value<"OP_FILL", 0x04, "fill with 8 bytes">,
    Value<"OP_COMPARE", 0x05, "compare">,
    Value<"OP_DUALCAST", 0x09, "copy to two destinations">,
    Value<"OP_CRC", 0x10, "CRC-32C">,
    Value<"OP_COPY_CRC", 0x11, "copy and CRC-32C">,
    Value<"FLAG_FENCE", 0x01, "in a batch: after the descriptors before it">,
    Value<"FLAG_BLOCK_ON_FAULT", 0x02, "wait for the system to bring the page">,
    Value<"FLAG_COMPLETION_VALID", 0x04, "the completion address is one">,
    Value<"FLAG_COMPLETION_ASKED", 0x08, "write a completion record even on success">,
    Value<"FLAG_CACHE", 0x100, "write into the cache rather than to memory">
  ];
}

def DsaCompletion : Format<"DSA_COMP", "little", 32> {
  let Title = "Intel DSA: completion record";
  let Source = "/usr/include/linux/idxd.h, struct dsa_completion_record";
  let Constants = 1;
  let Fields = [
    Word<"STATUS", 0, 1, "a STATUS value in the low 7 bits, written last">,
    Word<"RESULT", 1, 1, "result of a compare">,
    Word<"BYTES", 4, 4, "bytes, or descriptors of a batch, completed; valid after a page fault">,
    Word<"FAULT", 8, 8, "fault address">,
    Word<"CRC", 16, 4, "crc">
  ];
  let Values = [
    Value<"STATUS_NONE", 0x00, "not completed">,
    Value<"STATUS_OK", 0x01, "success">,
    Value<"STATUS_FALSE", 0x02, "success, and the compare said no">,
    Value<"STATUS_PAGE_FAULT", 0x03, "page fault: touch the page, resume at BYTES">,
    Value<"STATUS_BATCH_FAILED", 0x05, "a descriptor of the batch failed: see their records">,
    Value<"STATUS_BATCH_FAULT", 0x06, "page fault at the list of the batch">,
    Value<"STATUS_BAD_OPCODE", 0x10, "unknown opcode">,
    Value<"STATUS_BAD_FLAGS", 0x11, "flags that the opcode does not take">,
    Value<"STATUS_RESERVED", 0x12, "a reserved field is not 0">,
    Value<"STATUS_BAD_SIZE", 0x13, "a size out of range">,
    Value<"STATUS_BAD_COUNT", 0x14, "a batch of too few or too many descriptors">,
    Value<"STATUS_OVERLAP", 0x16, "overlapping buffers">,
    Value<"STATUS_LIST_ALIGN", 0x18, "list of a batch not 64-byte aligned">,
    Value<"STATUS_RECORD_ADDRESS", 0x1a, "completion record cannot be reached">,
    Value<"STATUS_RECORD_ALIGN", 0x1b, "completion record not 32-byte aligned">,
    Value<"STATUS_HARDWARE", 0x20, "hardware error">,
    Value<"STATUS_WRITE", 0x80, "bit 7: the fault was a write">
  ];
}
