// NiControl.td - words of the network interface that its driver alone writes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The seed says that each of the two devices has an area for the kernel, and no more. All of this is
// ours. Of each page the packetizer has such a record, and the mailbox has one.

def NiControl : Format<"NI_CONTROL", "little", 0x10> {
  let Title = "network interface: what the driver writes to open and close a page";
  let Source = "ours";
  let Constants = 1;
  let Fields = [
    Field<"PROTECTION_ID", 0x00, 8, 31, 0, "written before OPEN: messages go between pages of one id only">,
    Field<"COMMAND", 0x08, 8, 1, 0, "a COMMAND value; the device writes 0 when it has been done">
  ];
  let Values = [
    Value<"PACKETIZER", 0x80000, "record p of the packetizer is at this and p times SIZE">,
    Value<"MAILBOX", 0x81000, "record p of the mailbox is at this and p times SIZE">,
    Value<"EXTENT", 0x82000, "bytes of the device, with its pages">,
    Value<"COMMAND_OPEN", 1, "page p works: it has no message, and its channels are idle">,
    Value<"COMMAND_CLOSE", 2, "page p does not: its messages are withdrawn, and its words are 0">
  ];
}
