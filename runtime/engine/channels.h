/* channels.h - common part of the DMA engines on the same chip: channels, a piece in each
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A ticket is the number of a channel. pdma.c and zdma.c say where their channels are, how one is
 * started and how to see that it runs. All other functions of an engine but poll and abort are
 * here.
 */
#ifndef MEMLIFT_CHANNELS_H
#define MEMLIFT_CHANNELS_H

#include "bus.h"
#include "session.h"

#define MEMLIFT_CHANNELS 8u

struct memlift_channels {
  uintptr_t base, stride; /* of their registers */
  unsigned count;
  int (*runs)(unsigned channel); /* 1: running, whoever started it */
  /* 1: claimed by other software; asked only for channels without a piece of ours */
  int (*in_use)(unsigned channel);
  void (*ring)(unsigned channel, const struct memlift_request *piece);

  /* From here on all 0 at first. */
  const struct memlift_bus *bus; /* NULL: the chip's own */
  struct memlift_session session;
  unsigned char live[MEMLIFT_CHANNELS]; /* ours, and under way */
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

memlift_status memlift_channels_probe(struct memlift_channels *c, const char **reason);
memlift_status memlift_channels_open(struct memlift_channels *c);
unsigned memlift_channels_submit(struct memlift_channels *c, const struct memlift_request *pieces,
                                 unsigned count, memlift_ticket *tickets, memlift_status *status);
void memlift_channels_wait(const struct memlift_channels *c, memlift_ticket channel,
                           uint64_t nanoseconds);

/* Waits until what is ours of a channel has ended, however long that takes. */
void memlift_channels_drain(struct memlift_channels *c, unsigned channel);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
