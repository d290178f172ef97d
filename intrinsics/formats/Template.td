// Template.td - words of the made-up device that engine/template drives; a porter's copy has the real ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def TemplateRegisters : Format<"TEMPLATE_REG", "little", 0x20> {
  let Title = "template device: registers";
  let Source = "ours: no such device exists";
  let Constants = 1;
  let Fields = [
    Word<"JOBS", 0x00, 8, "address of 16 jobs">,
    Word<"RECORDS", 0x08, 8, "address of their 16 completion records">,
    Word<"ROOM", 0x10, 4, "read: how many jobs it would take now">,
    Word<"DOORBELL", 0x14, 4, "written: the place of a job to start">,
    Word<"STOP", 0x18, 4, "written 1: nothing more is begun; reads 1 until nothing is under way">
  ];
  let Values = [
    Value<"GONE", 0xffffffff, "what any register of 4 bytes reads when the device is gone">
  ];
}

def TemplateJob : Format<"TEMPLATE_JOB", "little", 64> {
  let Title = "template device: job";
  let Source = "ours: no such device exists";
  let Constants = 1;
  let Fields = [
    Word<"OPCODE", 0, 1, "an OP value">,
    Word<"TAG", 4, 4, "number of the job; comes back in its record">,
    Word<"DESTINATION", 8, 8, "address of the first byte written">,
    Word<"SOURCE", 16, 8, "copy: address of the first byte read">,
    Word<"PATTERN", 24, 8, "fill: the bytes of the pattern, the first one lowest">,
    Word<"LENGTH", 32, 4, "bytes to write">
  ];
  let Values = [
    Value<"OP_COPY", 1, "copies; the regions do not overlap">,
    Value<"OP_FILL", 2, "repeats the pattern">
  ];
}

def TemplateRecord : Format<"TEMPLATE_DONE", "little", 16> {
  let Title = "template device: completion record";
  let Source = "ours; the device writes the status last";
  let Constants = 1;
  let Fields = [
    Word<"STATUS", 0, 1, "a STATUS value">,
    Word<"TAG", 4, 4, "number of the job">,
    Word<"BYTES", 8, 8, "bytes that are right, from the first on">
  ];
  let Values = [
    Value<"STATUS_NONE", 0, "not finished">,
    Value<"STATUS_OK", 1, "all bytes are right">,
    Value<"STATUS_FAULT", 2, "stopped at an address; what follows BYTES may hold anything">,
    Value<"STATUS_REFUSED", 3, "nothing was done">
  ];
}
