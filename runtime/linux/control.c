/* control.c - commands to a network interface
 *
 * SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 WITH LLVM-exception
 */
#include "ni.h"

#include <linux/iopoll.h>

/* A device that takes longer than that, in microseconds, is broken. One in hardware needs less than
 * the first look; a program that plays it has to be scheduled. */
#define LONGEST 2000000
#define BETWEEN_LOOKS 20

int ni_command(struct ni_device *ni, size_t record, u64 command) {
  void __iomem *at = ni->base + record + MEMLIFT_NI_CONTROL_COMMAND_OFFSET;
  u64 word;

  if (ni->hangs)
    return -EIO;
  writeq(command, at); /* after all stores before it: writeq orders them */
  if (readq_poll_timeout(at, word, !(word & MEMLIFT_NI_CONTROL_COMMAND_MASK), BETWEEN_LOOKS,
                         LONGEST)) {
    dev_err(ni->dev, "command %llu of the record at %#zx is not done\n", command, record);
    ni->hangs = true; /* or each page of a process that dies would wait as long */
    return -EIO;
  }
  return 0;
}
