/* packetizer.c - back end: pages that send
 *
 * SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 WITH LLVM-exception
 *
 * Closing a page withdraws its messages: one that waits for an acknowledgement of a channel before
 * it (auto-chain) is gone, and the next owner of the page finds four idle channels.
 */
#include "ni.h"

static size_t record(unsigned int page) {
  return MEMLIFT_NI_CONTROL_PACKETIZER + (size_t)page * MEMLIFT_NI_CONTROL_SIZE;
}

/* Overwrites what the last owner sent: the next one could read it. None of it is a doorbell. */
static void scrub(struct ni_device *ni, unsigned int page) {
  void __iomem *at = ni->base + (size_t)page * MEMLIFT_NI_PAGE_BYTES;
  unsigned int channel, offset;

  for (channel = 0; channel < MEMLIFT_NI_CHANNELS; channel++, at += MEMLIFT_NI_CHANNEL_BYTES) {
    for (offset = 0; offset < MEMLIFT_NI_PAYLOAD_MOST; offset += 8)
      writeq(0, at + MEMLIFT_NI_CHANNEL_PAYLOAD_OFFSET + offset);
    writeq(0, at + MEMLIFT_NI_CHANNEL_ADDRESS_OFFSET);
  }
}

static int packetizer_open(struct ni_device *ni, unsigned int page, u32 protection_id) {
  writeq(protection_id, ni->base + record(page) + MEMLIFT_NI_CONTROL_PROTECTION_ID_OFFSET);
  return ni_command(ni, record(page), MEMLIFT_NI_CONTROL_COMMAND_OPEN);
}

static int packetizer_close(struct ni_device *ni, unsigned int page) {
  int status = ni_command(ni, record(page), MEMLIFT_NI_CONTROL_COMMAND_CLOSE);

  scrub(ni, page);
  return status;
}

const struct ni_backend ni_packetizer = {
    .name = "packetizer",
    .pages = 0,
    .open = packetizer_open,
    .close = packetizer_close,
};
