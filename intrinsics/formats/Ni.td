// Ni.td - words of the network interface: a channel of the packetizer, a page of the mailbox.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The seed is FORTH's caRVnet packetizer and mailbox: 64 pages of 4 channels, payloads of 256 bytes
// by stores, and a trigger word of these widths. It gives no places; they are ours, and so is all
// that its paper does not have: the bits from RELIABLE on, and the mailbox's words but size and head.
// A real interface changes the numbers here, and nothing else.

def NiChannel : Format<"NI_CHANNEL", "little", 0x400> {
  let Title = "network interface: channel of a packetizer page";
  let Source = "field widths: the packetizer's paper; their places: ours (42 + 22 = 64)";
  let Public = 1;
  let Fields = [
    Word<"PAYLOAD", 0x000, 8, "the first of 32 words of payload, bytes in memory order">,
    Field<"ADDRESS", 0x100, 8, 41, 0, "word 0, written first: destination address">,
    Field<"COORDINATES", 0x100, 8, 63, 42, "destination node">,
    Field<"SIZE", 0x108, 8, 13, 0, "word 1, written last, is the doorbell: payload bytes, 1 to 256">,
    Field<"TIMEOUT", 0x108, 8, 21, 14, "time until it gives up, in 20 us; 0: it never does">,
    Field<"AUTO_CHAIN", 0x108, 8, 22, 22, "send after the previous channel was acknowledged">,
    Field<"RELIABLE", 0x108, 8, 23, 23, "SEQUENCE, BEHIND and INCARNATION mean something">,
    Field<"SEQUENCE", 0x108, 8, 39, 24, "number of the message, of its page and destination">,
    Field<"BEHIND", 0x108, 8, 45, 40, "SEQUENCE less the lowest number that is not acknowledged">,
    Field<"INCARNATION", 0x108, 8, 56, 46, "which use of the page this is">,
    Field<"STATE", 0x110, 8, 1, 0, "read: a STATE value">,
    Field<"CREDITS", 0x110, 8, 15, 8, "of ACKNOWLEDGED: packets of this page that the mailbox has room for, plus 1">,
    Word<"COUNT", 0x118, 8, "memory shared by processes only: number of the message, written before word 1">,
    Word<"NEAR", 0x120, 8, "the same memory: payload of up to 32 bytes, in one cache line with the words">
  ];
  let Values = [
    Value<"STATE_IDLE", 0, "nothing was sent since the page was attached">,
    Value<"STATE_QUEUED", 1, "triggered, neither acknowledged nor timed out">,
    Value<"STATE_ACKNOWLEDGED", 2, "all of it is in the mailbox; CREDITS 0: the device does not tell">,
    Value<"STATE_TIMED_OUT", 3, "no acknowledgement in time: it may or may not have arrived">
  ];
}

def NiMailbox : Format<"NI_MAILBOX", "little", 0x400> {
  let Title = "network interface: mailbox page";
  let Source = "size and head by loads: the packetizer's paper; places, pop and the words of the source: ours";
  let Public = 1;
  let Fields = [
    Field<"SIZE", 0x000, 8, 13, 0, "bytes of the packet at the head; 0: there is none">,
    Word<"PAYLOAD", 0x008, 8, "the first of its words, bytes in memory order">,
    Field<"CHANNEL", 0x3f0, 8, 1, 0, "of the packet at the head: channel that sent it">,
    Field<"PAGE", 0x3f0, 8, 7, 2, "its page">,
    Field<"COORDINATES", 0x3f0, 8, 29, 8, "its node">,
    Field<"SEQUENCE", 0x3f0, 8, 45, 30, "as in word 1 of the channel">,
    Field<"BEHIND", 0x3f0, 8, 51, 46, "as in word 1 of the channel">,
    Field<"INCARNATION", 0x3f0, 8, 62, 52, "as in word 1 of the channel">,
    Field<"RELIABLE", 0x3f0, 8, 63, 63, "as in word 1 of the channel">,
    Word<"POP", 0x3f8, 8, "written: the packet at the head goes">
  ];
}

def NiDevice : Format<"NI", "little", 0x80000> {
  let Title = "network interface: where its pages lie";
  let Source = "numbers of pages and channels, payload, unit of time: the packetizer's paper; places: ours";
  let Public = 1;
  let Values = [
    Value<"PAGES", 64, "pages of the packetizer, and as many mailboxes">,
    Value<"CHANNELS", 4, "channels of a page">,
    Value<"PAGE_BYTES", 0x1000, "page p is at p times this">,
    Value<"CHANNEL_BYTES", 0x400, "channel c of it at c times this">,
    Value<"MAILBOXES", 0x40000, "mailbox page p is at this and p times PAGE_BYTES">,
    Value<"PAYLOAD_MOST", 256, "bytes of a payload at most">,
    Value<"NEAR_MOST", 32, "bytes of a payload at NEAR at most">,
    Value<"TIMEOUT_NS", 20000, "nanoseconds of a unit of TIMEOUT">,
    Value<"TIMEOUT_MOST", 255, "units at most">,
    Value<"WINDOW", 64, "numbers that a page may be ahead of the lowest one not acknowledged">
  ];
}
