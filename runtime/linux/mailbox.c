/* mailbox.c - back end: pages that receive
 *
 * SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 WITH LLVM-exception
 *
 * A virtual mailbox that is closed drops its packets, and those that come: their senders get no
 * acknowledgement. Its words are the device's, which sets them to 0 when it closes the page.
 */
#include "ni.h"

static size_t record(unsigned int page) {
  return MEMLIFT_NI_CONTROL_MAILBOX + (size_t)page * MEMLIFT_NI_CONTROL_SIZE;
}

static int mailbox_open(struct ni_device *ni, unsigned int page, u32 protection_id) {
  writeq(protection_id, ni->base + record(page) + MEMLIFT_NI_CONTROL_PROTECTION_ID_OFFSET);
  return ni_command(ni, record(page), MEMLIFT_NI_CONTROL_COMMAND_OPEN);
}

static int mailbox_close(struct ni_device *ni, unsigned int page) {
  return ni_command(ni, record(page), MEMLIFT_NI_CONTROL_COMMAND_CLOSE);
}

/* A load of the size changes nothing in the device. A device in memory that has not taken the last
 * pop still shows the message that is gone. */
bool ni_mailbox_has_message(struct ni_device *ni, unsigned int page) {
  void __iomem *at = ni->base + ni_mailbox.pages + (size_t)page * MEMLIFT_NI_PAGE_BYTES;

  if (ni->window == NI_WINDOW_MEMORY && readq(at + MEMLIFT_NI_MAILBOX_POP_OFFSET))
    return false;
  return readq(at + MEMLIFT_NI_MAILBOX_SIZE_OFFSET) & MEMLIFT_NI_MAILBOX_SIZE_MASK;
}

const struct ni_backend ni_mailbox = {
    .name = "mailbox",
    .pages = MEMLIFT_NI_MAILBOXES,
    .open = mailbox_open,
    .close = mailbox_close,
};
