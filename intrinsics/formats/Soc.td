// Soc.td - registers of the DMA engines of systems on a chip: SiFive PDMA, Xilinx ZDMA.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def PdmaChannel : Format<"PDMA", "little", 0x1000> {
  let Title = "SiFive PDMA: one channel (base 0x3000000, 4 channels)";
  let Source = "SiFive FU540-C000 manual, chapter 12; qemu hw/dma/sifive_pdma.c";
  let Constants = 1;
  let Fields = [
    Field<"CLAIM", 0x00, 4, 0, 0, "claims the channel: clears its Next registers">,
    Field<"RUN", 0x00, 4, 1, 1, "starts it; clears when it ends">,
    Field<"DONE_INTERRUPT", 0x00, 4, 14, 14, "interrupt when done">,
    Field<"ERROR_INTERRUPT", 0x00, 4, 15, 15, "interrupt on an error">,
    Field<"DONE", 0x00, 4, 30, 30, "finished; write 0 to clear">,
    Field<"ERROR", 0x00, 4, 31, 31, "failed; write 0 to clear">,
    Field<"REPEAT", 0x04, 4, 2, 2, "start again at the end">,
    Field<"ORDER", 0x04, 4, 3, 3, "keep the order of the bursts">,
    Field<"WSIZE", 0x04, 4, 27, 24, "log2 of write bytes; 15: the widest">,
    Field<"RSIZE", 0x04, 4, 31, 28, "log2 of read bytes; 15: the widest">,
    Word<"NEXT_BYTES", 0x08, 8, "bytes">,
    Word<"NEXT_DESTINATION", 0x10, 8, "physical address">,
    Word<"NEXT_SOURCE", 0x18, 8, "physical address">,
    Word<"EXEC_BYTES", 0x108, 8, "bytes left">,
    Word<"EXEC_DESTINATION", 0x110, 8, "where it is">,
    Word<"EXEC_SOURCE", 0x118, 8, "where it is">
  ];
}

def ZdmaChannel : Format<"ZDMA", "little", 0x10000> {
  let Title = "Xilinx ZynqMP ZDMA: one channel (GDMA base 0xFD500000, 8 channels)";
  let Source = "Xilinx UG1087; qemu hw/dma/xlnx-zdma.c; Linux drivers/dma/xilinx/zynqmp_dma.c";
  let Constants = 1;
  let Fields = [
    Field<"SOURCE_LIST_ERROR", 0x100, 4, 6, 6, "reading the source's list failed; write ones to clear">,
    Field<"DESTINATION_LIST_ERROR", 0x100, 4, 7, 7, "reading the destination's list failed; likewise">,
    Field<"READ_ERROR", 0x100, 4, 8, 8, "reading data failed; write ones to clear">,
    Field<"WRITE_ERROR", 0x100, 4, 9, 9, "writing data failed; write ones to clear">,
    Field<"ISR_DONE", 0x100, 4, 10, 10, "finished; write ones to clear">,
    Field<"SCATTER_GATHER", 0x110, 4, 6, 6, "0 simple, 1 scatter-gather">,
    Field<"MODE", 0x110, 4, 5, 4, "a MODE value">,
    Field<"STATE", 0x11c, 4, 1, 0, "a STATE value">,
    Field<"READ_BURST", 0x120, 4, 27, 26, "of the data: a BURST value">,
    Field<"READ_CACHE", 0x120, 4, 25, 22, "AXI's ARCACHE">,
    Field<"READ_QOS", 0x120, 4, 21, 18, "AXI's ARQOS">,
    Field<"READ_LENGTH", 0x120, 4, 17, 14, "beats of a burst, less 1">,
    Field<"WRITE_BURST", 0x120, 4, 13, 12, "of the data: a BURST value">,
    Field<"WRITE_CACHE", 0x120, 4, 11, 8, "AXI's AWCACHE">,
    Field<"WRITE_QOS", 0x120, 4, 7, 4, "AXI's AWQOS">,
    Field<"WRITE_LENGTH", 0x120, 4, 3, 0, "beats of a burst, less 1">,
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
    Word<"SOURCE_LIST_LOW", 0x158, 4, "address of the source's list, low">,
    Word<"SOURCE_LIST_HIGH", 0x15c, 4, "address of the source's list, high">,
    Word<"DESTINATION_LIST_LOW", 0x160, 4, "address of the destination's list, low">,
    Word<"DESTINATION_LIST_HIGH", 0x164, 4, "address of the destination's list, high">,
    Field<"ENABLE", 0x200, 4, 0, 0, "starts it; clears when done">
  ];
  let Values = [
    Value<"MODE_COPY", 0, "copy">,
    Value<"MODE_WRITE_ONLY", 1, "fill with the 16-byte pattern">,
    Value<"MODE_READ_ONLY", 2, "read">,
    Value<"BURST_FIXED", 0, "one address again and again">,
    Value<"BURST_INCR", 1, "addresses one after the other">,
    Value<"STATE_DONE", 0, "idle, or done without an error">,
    Value<"STATE_PAUSED", 1, "paused">,
    Value<"STATE_BUSY", 2, "under way">,
    Value<"STATE_FAILED", 3, "done, with an error">
  ];
}

def ZdmaEntry : Format<"ZDMA_ENTRY", "little", 16> {
  let Title = "Xilinx ZynqMP ZDMA: entry of a scatter-gather list";
  let Source = "Xilinx UG1085, DMA controller, descriptor format; qemu hw/dma/xlnx-zdma.c";
  let Constants = 1;
  let Fields = [
    Field<"ADDRESS", 0, 8, 48, 0, "physical address">,
    Field<"SIZE", 8, 4, 29, 0, "bytes">,
    Field<"COHERENT", 12, 4, 0, 0, "sees the caches">,
    Field<"LINKED", 12, 4, 1, 1, "0: the next entry follows; 1: its address does">,
    Field<"INTERRUPT", 12, 4, 2, 2, "interrupt when done">,
    Field<"COMMAND", 12, 4, 4, 3, "of a source: a COMMAND value">
  ];
  let Values = [
    Value<"COMMAND_NEXT", 0, "go on with the next entry">,
    Value<"COMMAND_PAUSE", 1, "pause behind it">,
    Value<"COMMAND_STOP", 2, "it is the last one">
  ];
}
