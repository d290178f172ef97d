// Soft.td - words of memlift's own soft device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def SoftCommand : Format<"SOFT_CMD", "little", 64> {
  let Title = "soft device: command";
  let Source = "ours";
  let Constants = 1;
  let Fields = [
    Field<"OPCODE", 0, 4, 7, 0, "what to do: an OP value">,
    Field<"INTERRUPT", 0, 4, 8, 8, "completion interrupt; reserved, 0">,
    Field<"RESERVED", 0, 4, 31, 9, "reserved, 0">,
    Word<"SEQUENCE", 4, 4, "number of the command; comes back in the completion record">,
    Word<"DESTINATION", 8, 8, "address of the first byte written">,
    Word<"SOURCE", 16, 8, "copy: address of the first byte read; fill: the 8-byte pattern">,
    Word<"LENGTH", 24, 8, "bytes to write">,
    Word<"COMPLETION", 32, 8, "address of the completion record">,
    Word<"RESERVED1", 40, 8, "reserved, 0">,
    Word<"RESERVED2", 48, 8, "reserved, 0">,
    Word<"RESERVED3", 56, 8, "reserved, 0">
  ];
  let Values = [
    Value<"OP_EMPTY", 0, "no command: a slot of the ring that holds none">,
    Value<"OP_FILL", 1, "repeats the pattern">,
    Value<"OP_COPY", 2, "copies; the regions do not overlap">,
    Value<"OP_NOP", 3, "does nothing but complete">
  ];
}

def SoftCompletion : Format<"SOFT_COMP", "little", 32> {
  let Title = "soft device: completion record";
  let Source = "ours; the device writes the status last";
  let Constants = 1;
  let Fields = [
    Word<"STATUS", 0, 1, "a STATUS value">,
    Word<"RESERVED0", 1, 1, "reserved, 0">,
    Word<"RESERVED1", 2, 2, "reserved, 0">,
    Word<"SEQUENCE", 4, 4, "number of the command">,
    Word<"BYTES", 8, 8, "bytes that were written, from the first on">,
    Word<"FAULT", 16, 8, "address that could not be reached">,
    Word<"RESERVED2", 24, 8, "reserved, 0">
  ];
  let Values = [
    Value<"STATUS_PENDING", 0, "not finished">,
    Value<"STATUS_OK", 1, "all bytes were written">,
    Value<"STATUS_FAULT", 2, "stopped at the fault address; BYTES is valid">,
    Value<"STATUS_BAD_COMMAND", 3, "refused: nothing was written">
  ];
}
