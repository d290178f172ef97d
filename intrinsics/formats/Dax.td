// Dax.td - words of the SPARC M7/T7 DAX, and of the Linux driver that carries them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def DaxCcb : Format<"DAX_CCB", "big", 64> {
  let Title = "SPARC M7/T7 DAX: coprocessor control block";
  let Source = "Linux Documentation/arch/sparc/oradax/dax-hv-api.txt, 36.2";
  let Constants = 1;
  let Fields = [
    Field<"VERSION", 0, 4, 31, 28, "version of the block">,
    Field<"PIPELINE", 0, 4, 27, 27, "pipeline flag (API 2)">,
    Field<"LONG", 0, 4, 26, 26, "the block has 128 bytes">,
    Field<"CONDITIONAL", 0, 4, 25, 25, "run only if the previous serial block succeeded">,
    Field<"SERIAL", 0, 4, 24, 24, "run after the previous serial block of the submission">,
    Field<"OPCODE", 0, 4, 23, 16, "an OP value">,
    Field<"TABLE_TYPE", 0, 4, 12, 11, "address type of the table: a TYPE value">,
    Field<"OUTPUT_TYPE", 0, 4, 10, 8, "address type of the output">,
    Field<"SECONDARY_TYPE", 0, 4, 7, 5, "address type of the secondary input">,
    Field<"PRIMARY_TYPE", 0, 4, 4, 2, "address type of the primary input">,
    Field<"COMPLETION_TYPE", 0, 4, 1, 0, "address type of the completion area; Linux fills it in">,
    Field<"PRIMARY_FORMAT", 4, 4, 31, 28, "an IN value; bit 31 of a no-op makes it a sync">,
    Field<"ELEMENT_SIZE", 4, 4, 27, 23, "primary element size in bytes or bits - 1">,
    Field<"BIT_OFFSET", 4, 4, 22, 20, "first bit of the primary input">,
    Field<"SECONDARY_ENCODING", 4, 4, 19, 19, "0: elements are stored as value - 1; 1: as value">,
    Field<"SECONDARY_OFFSET", 4, 4, 18, 16, "first bit of the secondary input">,
    Field<"SECONDARY_SIZE", 4, 4, 15, 14, "secondary elements of 1, 2, 4 or 8 bits: 0 to 3">,
    Field<"OUTPUT_FORMAT", 4, 4, 13, 10, "an OUT value">,
    Field<"PAD_LEFT", 4, 4, 9, 9, "pad output elements on the left">,
    Field<"COMPLETION_ADI", 8, 8, 63, 60, "ADI version of the completion area">,
    Field<"COMPLETION_INTERRUPT", 8, 8, 59, 59, "interrupt on completion">,
    Field<"COMPLETION_ADDRESS", 8, 8, 58, 6, "address of the completion area / 64; Linux fills it in">,
    Field<"INTERRUPT_NUMBER", 8, 8, 5, 0, "which interrupt">,
    Word<"PRIMARY", 16, 8, "primary input address">,
    Field<"FLOW", 24, 8, 63, 62, "flow control">,
    Field<"PIPELINE_TARGET", 24, 8, 61, 60, "input that the pipeline feeds (API 2)">,
    Field<"OUTPUT_BLOCKS", 24, 8, 59, 40, "output buffer in 64-byte blocks - 1; read with FLOW only">,
    Field<"CACHE", 24, 8, 31, 30, "cache allocation of the output">,
    Field<"LENGTH_FORMAT", 24, 8, 25, 24, "unit of the length: a COUNT value">,
    Field<"LENGTH", 24, 8, 23, 0, "length of the primary input - 1">,
    Word<"SECONDARY", 32, 8, "secondary input address">,
    Word<"OPERANDS", 40, 8, "operands; 0 for extract">,
    Word<"OUTPUT", 48, 8, "output address">,
    Word<"TABLE", 56, 8, "table address">
  ];
  let Values = [
    Value<"OP_SYNC", 0x00, "no operation">,
    Value<"OP_EXTRACT", 0x01, "extract; with 16-byte elements in and out: a copy">,
    Value<"OP_SCAN_VALUE", 0x02, "scan for a value (0x12: inverted)">,
    Value<"OP_SCAN_RANGE", 0x03, "scan for a range (0x13: inverted)">,
    Value<"OP_TRANSLATE", 0x04, "translate by a bit table (0x14: inverted)">,
    Value<"OP_SELECT", 0x05, "select by a bit vector">,
    Value<"TYPE_NONE", 0, "no address">,
    Value<"TYPE_ALTERNATE", 1, "virtual, alternate context">,
    Value<"TYPE_REAL", 2, "real address">,
    Value<"TYPE_VIRTUAL", 3, "virtual, primary context: the one that Linux lets users give">,
    Value<"IN_BYTES", 0x0, "elements of 1 to 16 bytes">,
    Value<"IN_BITS", 0x1, "elements of 1 to 15 bits, the most significant first">,
    Value<"IN_VARIABLE", 0x2, "bytes of variable width">,
    Value<"IN_BYTES_RUNS", 0x4, "bytes, each element repeated as the secondary input says">,
    Value<"IN_BITS_RUNS", 0x5, "bits, each element repeated as the secondary input says">,
    Value<"RUN_8_BITS", 3, "SECONDARY_SIZE of run lengths of 8 bits">,
    Value<"OUT_16", 0x4, "elements of 16 bytes; 0 to 3 are 1, 2, 4 and 8 bytes">,
    Value<"COUNT_SYMBOLS", 0, "elements of the primary input">,
    Value<"COUNT_BYTES", 1, "bytes of the primary input, counted before runs are expanded">,
    Value<"COUNT_BITS", 2, "bits of the primary input">
  ];
}

def DaxCompletion : Format<"DAX_CA", "big", 128> {
  let Title = "SPARC M7/T7 DAX: completion area";
  let Source = "Linux Documentation/arch/sparc/oradax/dax-hv-api.txt, 36.2.2";
  let Constants = 1;
  let Fields = [
    Word<"STATUS", 0, 1, "a STATUS value, written last">,
    Word<"ERROR", 1, 1, "why it failed: an ERROR value">,
    Word<"ERROR_VALUES", 4, 4, "bits that were not decoded, after a partial symbol">,
    Word<"OUTPUT_SIZE", 8, 4, "bytes of output produced">,
    Word<"RUN_TIME", 16, 8, "time, in no stated unit">,
    Word<"RUN_STATS", 24, 8, "nothing, in version 1">,
    Word<"ELEMENTS", 32, 4, "input elements processed">,
    Word<"RETURN", 56, 8, "return value">
  ];
  let Values = [
    Value<"STATUS_PENDING", 0, "not completed">,
    Value<"STATUS_OK", 1, "ran and succeeded">,
    Value<"STATUS_FAILED", 2, "ran and failed; the destination may hold anything">,
    Value<"STATUS_KILLED", 3, "ran and was killed; the destination may hold anything">,
    Value<"STATUS_NOT_RUN", 4, "was not run">,
    Value<"ERROR_OVERFLOW", 0x1, "output buffer too small">,
    Value<"ERROR_DECODE", 0x2, "a field of the block is invalid">,
    Value<"ERROR_PAGE", 0x3, "page overflow: stopped at the end of a page">,
    Value<"ERROR_KILLED", 0x7, "killed">,
    Value<"ERROR_TIMEOUT", 0x8, "took too long; may be submitted again">,
    Value<"ERROR_ADI", 0x9, "memory version mismatch">,
    Value<"ERROR_DATA", 0xa, "input is not of the stated format">,
    Value<"ERROR_HARDWARE", 0xe, "hardware error, not to be submitted again">,
    Value<"ERROR_RETRY", 0xf, "hardware error, may be submitted again">
  ];
}

def DaxCommand : Format<"DAX_COMMAND", "big", 4> {
  let Title = "/dev/oradax: immediate command, written in place of blocks";
  let Source = "Linux arch/sparc/include/uapi/asm/oradax.h; native words, so SPARC's order";
  let Constants = 1;
  let Align = 2;
  let Fields = [
    Word<"COMMAND", 0, 2, "what to do">,
    Word<"COMPLETION_OFFSET", 2, 2, "bytes from the start of the completion areas">
  ];
  let Values = [
    Value<"KILL", 0, "stop a block: on return it touches memory no more">,
    Value<"INFO", 1, "where is a block?">,
    Value<"DEQUEUE", 2, "unpin the pages of all that has completed">
  ];
}

def DaxExec : Format<"DAX_EXEC", "big", 16> {
  let Title = "/dev/oradax: result of a submission that was not accepted whole";
  let Source = "Linux arch/sparc/include/uapi/asm/oradax.h, drivers/sbus/char/oradax.c";
  let Constants = 1;
  let Align = 8;
  let Fields = [
    Word<"DATA", 0, 8, "the address, or an UNAVAILABLE scope">,
    Word<"STATUS", 8, 4, "why the first block that was not accepted was not">
  ];
  let Values = [
    Value<"OK", 0, "resubmit the rest">,
    Value<"RETRY", 1, "resubmit">,
    Value<"WOULD_BLOCK", 2, "no room now; resubmit unchanged">,
    Value<"BUSY", 3, "no room now">,
    Value<"WRONG_THREAD", 4, "not the thread that opened the device">,
    Value<"BAD_ARGUMENT", 5, "invalid argument">,
    Value<"BAD_BLOCK", 6, "invalid block">,
    Value<"NO_COMPLETION_AREA", 7, "a completion area is still in use">,
    Value<"NO_ARRAY", 8, "the blocks cannot be read">,
    Value<"NO_MAPPING", 9, "address without a translation, may come any number of times">,
    Value<"NO_ACCESS", 10, "address without permission">,
    Value<"TOO_MANY", 11, "more blocks than a submission takes">,
    Value<"UNAVAILABLE", 12, "emulate">,
    Value<"INTERNAL", 13, "anything else">
  ];
}

def DaxKilled : Format<"DAX_KILLED", "big", 16> {
  let Title = "/dev/oradax: result of KILL";
  let Source = "Linux arch/sparc/include/uapi/asm/oradax.h; dax-hv-api.txt, 36.3.3";
  let Constants = 1;
  let Align = 8;
  let Fields = [Word<"ACTION", 0, 2, "what happened">];
  let Values = [
    Value<"COMPLETED", 0, "it had completed before">,
    Value<"DEQUEUED", 1, "taken out of the queue; it wrote nothing">,
    Value<"STOPPED", 2, "stopped; the destination may hold anything">,
    Value<"NOT_FOUND", 3, "lost, and will never run">
  ];
}

def DaxInfo : Format<"DAX_INFO", "big", 16> {
  let Title = "/dev/oradax: result of INFO";
  let Source = "Linux arch/sparc/include/uapi/asm/oradax.h; dax-hv-api.txt, 36.3.2";
  let Constants = 1;
  let Align = 8;
  let Fields = [
    Word<"STATE", 0, 2, "where it is">,
    Word<"UNIT", 2, 2, "unit, if queued">,
    Word<"QUEUE", 4, 2, "queue, if queued">,
    Word<"POSITION", 6, 2, "blocks ahead of it, if queued">
  ];
  let Values = [
    Value<"COMPLETED", 0, "has completed">,
    Value<"QUEUED", 1, "waits in a queue">,
    Value<"RUNNING", 2, "runs">,
    Value<"NOT_FOUND", 3, "lost, or running on a machine that does not tell: kill to be sure">
  ];
}
