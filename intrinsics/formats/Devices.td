// Devices.td - words of real devices. Records only: no code of this version drives them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def DaxCcb : Format<"DAX_CCB", "big", 64> {
  let Title = "SPARC M7/T7 DAX: coprocessor control block";
  let Source = "Linux Documentation/arch/sparc/oradax/dax-hv-api.txt, drivers/sbus/char/oradax.c";
  let Fields = [
    Field<"VERSION", 0, 4, 31, 28, "version of the block">,
    Field<"PIPELINE", 0, 4, 27, 27, "pipeline flag (API 2)">,
    Field<"LONG", 0, 4, 26, 26, "the block has 128 bytes">,
    Field<"CONDITIONAL", 0, 4, 25, 25, "run only if the previous serial block succeeded">,
    Field<"SERIAL", 0, 4, 24, 24, "run after the previous serial block of the submission">,
    Field<"OPCODE", 0, 4, 23, 16, "an OP value">,
    Field<"TABLE_TYPE", 0, 4, 12, 11, "address type of the table">,
    Field<"OUTPUT_TYPE", 0, 4, 10, 8, "address type of the output">,
    Field<"SECONDARY_TYPE", 0, 4, 7, 5, "address type of the secondary input">,
    Field<"PRIMARY_TYPE", 0, 4, 4, 2, "address type of the primary input">,
    Field<"COMPLETION_TYPE", 0, 4, 1, 0, "0 none, 1 alternate VA, 2 real, 3 primary VA">,
    Field<"PRIMARY_FORMAT", 4, 4, 31, 28, "0 bytes <= 16, 1 bits, 2 variable, 4/5 with RLE">,
    Field<"ELEMENT_SIZE", 4, 4, 27, 23, "primary element size - 1">,
    Field<"BIT_OFFSET", 4, 4, 22, 20, "first bit of the primary input">,
    Field<"SECONDARY_FORMAT", 4, 4, 19, 16, "format of the secondary input">,
    Field<"SECONDARY_SIZE", 4, 4, 15, 14, "element size of the secondary input">,
    Field<"OUTPUT_FORMAT", 4, 4, 13, 10, "0-3: 1, 2, 4, 8 bytes; 4: 16 bytes">,
    Field<"PAD_LEFT", 4, 4, 9, 9, "pad output elements on the left">,
    Field<"COMPLETION_ADI", 8, 8, 63, 60, "ADI version of the completion area">,
    Field<"COMPLETION_INTERRUPT", 8, 8, 59, 59, "interrupt on completion">,
    Field<"COMPLETION_ADDRESS", 8, 8, 58, 6, "address of the completion area / 64">,
    Word<"PRIMARY", 16, 8, "primary input address">,
    Field<"FLOW", 24, 8, 63, 62, "flow control">,
    Field<"OUTPUT_BLOCKS", 24, 8, 59, 40, "output buffer in 64-byte blocks - 1">,
    Field<"CACHE", 24, 8, 31, 30, "cache allocation">,
    Field<"LENGTH_FORMAT", 24, 8, 25, 24, "unit of the length">,
    Field<"LENGTH", 24, 8, 23, 0, "length - 1">,
    Word<"SECONDARY", 32, 8, "secondary input address">,
    Word<"OPERANDS", 40, 8, "operands">,
    Word<"OUTPUT", 48, 8, "output address">,
    Word<"TABLE", 56, 8, "table address">
  ];
  let Values = [
    Value<"OP_SYNC", 0x00, "no operation">,
    Value<"OP_EXTRACT", 0x01, "extract; with 16-byte elements in and out: a copy">,
    Value<"OP_SCAN_VALUE", 0x02, "scan for a value (0x12: inverted)">,
    Value<"OP_SCAN_RANGE", 0x03, "scan for a range (0x13: inverted)">,
    Value<"OP_TRANSLATE", 0x04, "translate by a bit table (0x14: inverted)">,
    Value<"OP_SELECT", 0x05, "select by a bit vector">
  ];
}

def DsaDescriptor : Format<"DSA_DESC", "little", 64> {
  let Title = "Intel DSA: descriptor";
  let Source = "/usr/include/linux/idxd.h, struct dsa_hw_desc";
  let Fields = [
    Field<"PASID", 0, 4, 19, 0, "address space, filled in by ENQCMD">,
    Field<"PRIVILEGED", 0, 4, 31, 31, "supervisor access">,
    Field<"FLAGS", 4, 4, 23, 0, "flags">,
    Field<"OPCODE", 4, 4, 31, 24, "an OP value">,
    Word<"COMPLETION", 8, 8, "address of the completion record, 32-byte aligned">,
    Word<"SOURCE", 16, 8, "source address, or the 8-byte pattern of a fill">,
    Word<"DESTINATION", 24, 8, "destination address">,
    Word<"SIZE", 32, 4, "bytes">,
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
    Value<"OP_COPY_CRC", 0x11, "copy and CRC-32C">
  ];
}

def DsaCompletion : Format<"DSA_COMP", "little", 32> {
  let Title = "Intel DSA: completion record";
  let Source = "/usr/include/linux/idxd.h, struct dsa_completion_record";
  let Fields = [
    Word<"STATUS", 0, 1, "a STATUS value; bit 7: the fault was a write">,
    Word<"RESULT", 1, 1, "result of a compare">,
    Word<"BYTES", 4, 4, "bytes completed, valid after a page fault">,
    Word<"FAULT", 8, 8, "fault address">,
    Word<"CRC", 16, 4, "crc">
  ];
  let Values = [
    Value<"STATUS_OK", 0x01, "success">,
    Value<"STATUS_PAGE_FAULT", 0x03, "page fault: touch the page, resume at BYTES">,
    Value<"STATUS_OVERLAP", 0x16, "overlapping buffers">
  ];
}

def PdmaChannel : Format<"PDMA", "little", 0x1000> {
  let Title = "SiFive PDMA: one channel (base 0x3000000, 4 channels)";
  let Source = "SiFive FU540/FU740 manuals; qemu hw/dma/sifive_pdma.c";
  let Fields = [
    Field<"CLAIM", 0x00, 4, 0, 0, "claims the channel">,
    Field<"RUN", 0x00, 4, 1, 1, "starts it">,
    Field<"DONE", 0x00, 4, 30, 30, "finished">,
    Field<"ERROR", 0x00, 4, 31, 31, "failed">,
    Field<"WSIZE", 0x04, 4, 27, 24, "log2 of write bytes; 15: the widest">,
    Field<"RSIZE", 0x04, 4, 31, 28, "log2 of read bytes; 15: the widest">,
    Word<"NEXT_BYTES", 0x08, 8, "bytes">,
    Word<"NEXT_DESTINATION", 0x10, 8, "physical address">,
    Word<"NEXT_SOURCE", 0x18, 8, "physical address">
  ];
}

def ZdmaChannel : Format<"ZDMA", "little", 0x10000> {
  let Title = "Xilinx ZynqMP ZDMA: one channel (GDMA base 0xFD500000, 8 channels)";
  let Source = "Xilinx UG1087; qemu hw/dma/xlnx-zdma.c";
  let Fields = [
    Field<"ISR_DONE", 0x100, 4, 10, 10, "finished; write ones to clear">,
    Field<"SCATTER_GATHER", 0x110, 4, 6, 6, "0 simple, 1 scatter-gather">,
    Field<"MODE", 0x110, 4, 5, 4, "a MODE value">,
    Word<"SOURCE_LOW", 0x128, 4, "source address, low">,
    Word<"SOURCE_HIGH", 0x12c, 4, "source address, high">,
    Word<"SOURCE_SIZE", 0x130, 4, "source bytes">,
    Word<"SOURCE_ATTR", 0x134, 4, "source attributes">,
    Word<"DESTINATION_LOW", 0x138, 4, "destination address, low">,
    Word<"DESTINATION_HIGH", 0x13c, 4, "destination address, high">,
    Word<"DESTINATION_SIZE", 0x140, 4, "destination bytes">,
    Word<"DESTINATION_ATTR", 0x144, 4, "destination attributes">,
    Word<"PATTERN0", 0x148, 4, "write-only pattern, bytes 0-3">,
    Word<"PATTERN1", 0x14c, 4, "write-only pattern, bytes 4-7">,
    Word<"PATTERN2", 0x150, 4, "write-only pattern, bytes 8-11">,
    Word<"PATTERN3", 0x154, 4, "write-only pattern, bytes 12-15">,
    Field<"ENABLE", 0x200, 4, 0, 0, "starts it; clears when done">
  ];
  let Values = [
    Value<"MODE_COPY", 0, "copy">,
    Value<"MODE_WRITE_ONLY", 1, "fill with the 16-byte pattern">,
    Value<"MODE_READ_ONLY", 2, "read">
  ];
}

def NiTrigger : Format<"NI_TRIGGER", "little", 16> {
  let Title = "network interface: trigger word pair of a channel, word 1 written last";
  let Source = "field widths: the packetizer's paper; their places: ours (42 + 22 = 64)";
  let Fields = [
    Field<"ADDRESS", 0, 8, 41, 0, "destination address">,
    Field<"COORDINATES", 0, 8, 63, 42, "destination node">,
    Field<"SIZE", 8, 8, 13, 0, "payload bytes, 1 to 256">,
    Field<"TIMEOUT", 8, 8, 21, 14, "time until retry, in 20 us">,
    Field<"AUTO_CHAIN", 8, 8, 22, 22, "send after the previous channel was acknowledged">
  ];
}
